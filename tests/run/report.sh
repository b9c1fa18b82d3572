#!/bin/sh
# report.sh - what is reported is what QEMU got: command line and descriptors of the running process
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
command -v jq >/dev/null || skip_all "needs jq"
private_dev || skip_all "needs to mount a /dev of its own"
new_ns a
new_macvtap mv 4
new_macvtap mv2 2
new_tap t1
new_tap tm multi_queue
ip -n "$ns" link add br0 type bridge; ip -n "$ns" link set br0 up
mkdir "$tmp/bin"; cp "$BUILDDIR/tests/run/fakehelper" "$tmp/bin"
ip -n "$ns" link add name right type bridge
report=$tmp/report.json
off='"vhost":false'
desc() { printf '{"version":1,"name":"a \\"guest\\"","report":"%s","nics":[%s]%s}' "$report" "$1" "${2-}"; }
cmdline() { tr '\0' '\n' <"/proc/$1/cmdline"; }
# devices PID: "NUMBER MAJOR:MINOR" of each of its character devices from 3 on, but terminals and /dev/null and the like
devices() {
	for _f in "/proc/$1/fd"/*; do
		_n=${_f##*/}
		[ "$_n" -gt 2 ] || continue
		case $(readlink "$_f") in */dev/tap*|*/dev/net/tun|*/dev/vhost*) echo "$_n $(stat -L -c '%Hr:%Lr' "$_f")" ;; esac
	done | sort -n
}
planned_devices() { jq -r '.fds[] | "\(.fd) \(.path)"' "$report" | while read -r _n _path; do
	case $_path in */fakehelper) _path=/dev/net/tun ;; esac
	echo "$_n $(stat -c '%Hr:%Lr' "$_path")"; done | sort -n; }

# --- every mode, with the real QEMU and the stand-in ---------------------------------------------------------------
# same NAME DESCRIPTOR [ARGUMENT]...: launch it, and compare QEMU with the report and with the plan
same() {
	_n=$1 _d=$2; shift 2
	rm -f "$report"
	launch "$_d" --plan=json -- "$@"
	cp "$tmp/out" "$tmp/plan"
	stay "$_d" -- "$@"
	is "$_n: the plan and the report are one document" "$(jq -S . "$report")" "$(jq -S . "$tmp/plan")"
	is "$_n: QEMU's command line" "$(cmdline "$pid")" "$(jq -r '.argv[]' "$report")"
	is "$_n: the words of each NIC stand in it" "$(jq '.argv as $a | [.nics[] | select(.netdev) |
		["-netdev", .netdev] + (if .device then ["-device", .device] else [] end)] | all(. as $w | $a | index($w))' "$report")" true
	case $_d in *'"handoff":false'*) ;;	# a device that QEMU opens is not in the plan
	*) is "$_n: QEMU's devices" "$(devices "$pid")" "$(planned_devices)" ;; esac
	is "$_n: the report is for its owner only" "$(stat -c '%a %U' "$report")" "600 root"
	leave
}
modes() { # ARGUMENT...
	same "$who, nothing" "$(desc '')" "$@"
	same "$who, user" "$(desc '{"mode":"user","options":{"hostname":"a,b=\"c"}}')" "$@"
	same "$who, one queue of a TAP" "$(desc "{\"mode\":\"tap\",\"ifname\":\"t1\",$off}")" "$@"
	same "$who, three queues of a TAP" "$(desc "{\"mode\":\"tap\",\"ifname\":\"tm\",\"queues\":3,$off}")" "$@"
	same "$who, a TAP that QEMU opens" "$(desc "{\"mode\":\"tap\",\"ifname\":\"t1\",\"handoff\":false,$off}")" "$@"
	same "$who, four queues of a macvtap" "$(desc "{\"mode\":\"macvtap\",\"ifname\":\"mv\",\"queues\":4,$off}")" "$@"
	same "$who, a bridge" "$(desc "{\"mode\":\"bridge\",\"bridge\":\"right\",\"helper\":\"$tmp/bin/fakehelper\",$off}")" "$@"
	same "$who, custom" "$(desc '{"mode":"custom","netdev":"user,id=net0"}')" "$@"
	same "$who, several, with numbers of their own" "$(desc "{\"mode\":\"tap\",\"ifname\":\"tm\",\"id\":\"lan\",\"queues\":2,\"fds\":[30,20],$off},
		{\"mode\":\"user\",\"device\":{\"driver\":\"e1000\"}},{\"mode\":\"macvtap\",\"ifname\":\"mv2\",\"queues\":2,$off}" ',"fd_base":10')" "$@"
	same "$who, argv" "$(desc "{\"mode\":\"macvtap\",\"ifname\":\"mv\",\"netdev\":\"argv\",$off}")" "$@" \
		-netdev tap,id=net0,fds=7:9 -device virtio-net-pci,netdev=net0,mq=on,vectors=6
}
who=stand-in
modes --stay ''
if [ -x "$QEMU" ]; then
	who=QEMU qemu=$QEMU ready=QMP
	modes -accel tcg -machine q35 -m 32 -nodefaults -no-user-config -display none -S -qmp stdio
	unset qemu ready
else
	skip "every mode, with the real QEMU" "needs $QEMU"
fi

# --- what stands in it --------------------------------------------------------------------------------------------
launch "$(desc "{\"mode\":\"tap\",\"ifname\":\"tm\"},{\"mode\":\"macvtap\",\"ifname\":\"mv\",$off}")"
is "vhost off and why" "$(jq -c '.nics[0] | [.vhost, .vhost_why]' "$report")" '[false,"/dev/vhost-net: No such file or directory"]'
launch "$(desc "{\"mode\":\"tap\",\"ifname\":\"tm\"},{\"mode\":\"user\"}" ',"vcpus":4')"
is "one queue pair and why" "$(jq -c '[.nics[] | .queues_why]' "$report")" \
	"[\"without vhost: /dev/vhost-net: No such file or directory\",\"mode 'user' supports one\"]"
has "  also in the warning" "$(jq -r '.warnings[].message' "$report")" "by one queue pair instead of 4"
launch "$(desc "{\"mode\":\"tap\",\"ifname\":\"tm\"},{\"mode\":\"macvtap\",\"ifname\":\"mv\",$off}")"
is "the warnings" "$(jq -r '.warnings[].code' "$report" | tr '\n' ' ')" "vhost-off qemu-root "
is "the link" "$(jq -c '.nics[1].link | [.name, .kind, .mac]' "$report")" "[\"mv\",\"macvtap\",\"$(mac_of mv)\"]"
is "the guest's name" "$(jq -r .name "$report")" 'a "guest"'

# --- where it goes --------------------------------------------------------------------------------------------------
echo old >"$report"; chmod 644 "$report"; ino=$(stat -c %i "$report")
ln "$report" "$tmp/old"
umask 0
launch "$(desc '')"
umask 022
is "an old report is replaced, not written to" "$(cat "$tmp/old") $(stat -c %a "$report")" "old 600"
check "  by another file" [ "$(stat -c %i "$report")" != "$ino" ]
echo target >"$tmp/target"; ln -sf "$tmp/target" "$report"
for target in "$tmp/target" "$tmp/nowhere" /dev/null; do
	ln -sfn "$target" "$report"
	launch "$(desc '')" --check
	refused "a link in its place, to $target: --check" 101 report-path "a symbolic link"
	launch "$(desc '')"; refused "  a launch" 101 report-path "a symbolic link"
	is "  it is not replaced" "$(readlink "$report")" "$target"
	is "  nor followed" "$(cat "$tmp/target")" target
done
is "nothing else is left beside it" "$(find "$tmp" -name 'report*' | wc -l)" 1
rm "$report"
# a program of the launch changes what the name of the directory leads to
mkdir "$tmp/theirs"
printf '#!/bin/sh\ncd "%s" && mv dir dir.was && ln -s theirs dir\n' "$tmp" >"$tmp/swap"
chmod +x "$tmp/swap"
report=$tmp/dir/report.json; mkdir "$tmp/dir"
launch "$(desc "{\"mode\":\"passt\",\"options\":{\"path\":\"$tmp/swap\"}}")"
refused "another directory has its name by then" 111 report-failed "another directory"
is "  and nothing is written to either" "$(find "$tmp/theirs" "$tmp/dir.was" -type f)" ""
report=$tmp/report.json
# --- a limit on the size of files
under="prlimit --fsize=0"
launch "$(desc '')"
printf '%s\n' "$rc" >"$tmp/rc"
under=
# what it says is a file, too: the exit status is all that is left
is "RLIMIT_FSIZE is 0: the exit status, not a signal" "$rc" 111
printf '{"version":1,"report":"%s"}\n' "$report" >"$tmp/desc"
said=$(QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_QEMU=$FAKE clean_fds prlimit --fsize=0 "$QH" \
	<"$tmp/desc" 2>&1 >/dev/null | grep '"level":"error"')
has "  and the text" "$said" '"code":"report-failed"' '"errno":"EFBIG"' "ulimit -f unlimited"
check "  and no file is left" [ ! -e "$report" ]
rm "$report"
launch "$(desc '{"mode":"tap","ifname":"nosuch0","vhost":false}')"
check "a launch that is refused reports nothing" [ ! -e "$report" ]
launch "$(desc '')" --check
check "--check reports nothing" [ ! -e "$report" ]
report=$tmp/none/report.json
launch "$(desc '')"; refused "a directory that is missing" 101 report-path ENOENT "\"object\":\"$report\""
launch "$(desc '')" --check; refused "  --check says so, too" 101 report-path
report=$tmp/full; mkdir "$report"; : >"$report/x"
launch "$(desc '')"; refused "a directory in its place" 101 report-path
is "  and nothing is left beside it" "$(find "$tmp" -name 'full*tmp' | wc -l)" 0
for kind in "c 1 3" p; do
	report=$tmp/special
	rm -f "$report"
	# shellcheck disable=SC2086 # words of mknod
	mknod "$report" $kind
	was=$(stat -c %i "$report")
	launch "$(desc '')"; refused "a device or a pipe in its place, mknod $kind" 101 report-path "\"object\":\"$report\""
	is "  stays" "$(stat -c %i "$report")" "$was"
done
if command -v strace >/dev/null; then
	under="strace -qq -o $tmp/trace -P $report -e trace=newfstatat,stat -e inject=newfstatat,stat:error=ENOENT:when=1"
	launch "$(desc '')"; under=
	refused "a pipe that was not there when that was checked" 111 report-failed "it is no longer a regular file"
	is "  stays" "$(stat -c %F "$report")" fifo
	report=$tmp/report.json
	under="strace -f -qq -o $tmp/trace -e inject=write:error=EAGAIN:when=1"
	launch "$(desc '')"
	accepted "a file that does not take it at once" ""
	under="strace -f -qq -o $tmp/trace -e inject=linkat:error=ENOENT"
	launch "$(desc "{\"mode\":\"macvtap\",\"ifname\":\"mv\",$off}")"
	accepted "a file without a name that cannot get one" ""
	is "  the report is complete, and alone" "$(jq -r '.nics[0].mode' "$report") $(find "$tmp" -name 'report*' | wc -l)" "macvtap 1"
	rm -f "$report"
	under="strace -f -qq -o $tmp/trace -e inject=linkat,rename,renameat,renameat2:error=EIO"
	launch "$(desc "{\"mode\":\"macvtap\",\"ifname\":\"mv\",$off}")"; under=
	refused "a disk that fails" 111 report-failed EIO
	is "  and nothing is left" "$(find "$tmp" -name 'report*' | wc -l)" 0
else
	skip "a disk that fails" "needs strace"
fi
: >"$tmp/seven"
with="file 7=$tmp/seven"
launch '{"version":1,"report":{"fd":7},"nics":[{"mode":"user"}]}'
accepted "a descriptor" ""
is "  gets the same document" "$(jq -r '.nics[0].mode' "$tmp/seven")" user
with=
# a pipe that is full, and open for reading: nobody reads from it
mkfifo "$tmp/fifo"
exec 8<>"$tmp/fifo"
dd if=/dev/zero bs=4096 count=1024 oflag=nonblock >&8 2>/dev/null
printf '%s\n' '{"version":1,"report":{"fd":7}}' >"$tmp/desc"
QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_QEMU=$FAKE timeout -s KILL 60 "$QH" \
	<"$tmp/desc" >"$tmp/out" 2>"$tmp/err" 7>&8 8>&-
echo $? >"$tmp/rc"
refused "a pipe that is full" 111 report-failed \
	"descriptor 7 is full, and nothing read from it for 10 s"
exec 8>&-
# --- whether QEMU was executed
printf 'no program\n' >"$tmp/noexec"; chmod +x "$tmp/noexec"
: >"$tmp/seven"
with="file 7=$tmp/seven" qemu=$tmp/noexec
launch '{"version":1,"seccomp":"none","report":{"fd":7}}'
refused "QEMU cannot be executed" 126 qemu-not-executable
started_said=$(jq -c '.started' "$tmp/seven" | tr '\n' ' ')
is "  the descriptor gets a second object" "$started_said" "null false "
launch "$(desc '' ',"seccomp":"none"')"; refused "QEMU cannot be executed" 126 qemu-not-executable
check "  the file is removed" [ ! -e "$report" ]
with=; unset qemu
if command -v flock >/dev/null; then
	stay "$(desc '')" -- --stay
	# SIGPIPE and SIGXFSZ were ignored while it was written
	is "QEMU ignores none of the signals 1 to 28" "$(sed -n 's/^SigIgn:.*\(.......\)$/\1/p' \
		"/proc/$pid/status")" 0000000
	check "QEMU runs: the report is not locked" flock -n -s "$report" test -s "$report"
	leave
	if command -v strace >/dev/null; then
		rm -f "$report"; desc '' ',"seccomp":"none"' >"$tmp/desc"
		QEMU_HANDOFF_QEMU=$FAKE strace -qq -o "$tmp/trace" -e trace=execve \
			-e inject=execve:delay_enter=3000000 "$QH" \
			<"$tmp/desc" >"$tmp/out" 2>"$tmp/err" & pid=$!
		wait_for 20 test -e "$report"
		# shellcheck disable=SC2016 # eval expands it
		check "before QEMU is executed: it is" eval '! flock -n -s "$report" true'
		check "  who waits for the lock finds the report" flock -s "$report" test -s "$report"
		wait "$pid"
		check "  and QEMU was executed" grep -q '^fakeqemu ' "$tmp/out"
	fi
else
	skip "the report is locked until QEMU is executed" "needs flock"
fi
# nobody DESCRIPTOR REDIRECTIONS: launch it when the reader of standard output has gone
nobody() {
	printf '%s\n' "$1" >"$tmp/desc"; : >"$tmp/out"
	{ until (trap '' PIPE; ! echo) 2>/dev/null; do sleep 0.01; done
	eval "QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_QEMU=$FAKE $QH <$tmp/desc $2"; echo $? >"$tmp/rc"; } | true
	produced "$tmp/err"
}
nobody '{"version":1,"report":{"fd":7}}' "7>&1 >/dev/null 2>$tmp/err"
refused "a descriptor whose reader has gone" 111 report-failed '"errno":"EPIPE"' '"path":"report.fd"'
nobody '{"version":1,"no":1}' '2>&1 >/dev/null'
is "nobody reads the errors: the exit status says it all the same" "$(cat "$tmp/rc")" 100
launch '{"version":1,"report":{"fd":7}}'; refused "a descriptor that is not open" 100 report-fd '"path":"report.fd"'

# --- plans for eyes and for a shell -----------------------------------------------------------------------------------
report=$tmp/report.json
long=$(desc "{\"mode\":\"macvtap\",\"ifname\":\"mv\",\"id\":\"network-card-016\",\"queues\":4,$off},
	{\"mode\":\"user\",\"options\":{\"hostfwd\":[\"tcp:127.0.0.1:2222-:22\",\"tcp:127.0.0.1:8080-:80\",\"tcp:127.0.0.1:8443-:443\"]}}")
launch "$long" --plan -- -name x -drive file=/var/lib/images/guest.qcow2,if=virtio,format=qcow2
has "the plan as text" "$(cat "$tmp/out")" "qemu" "NIC" "MODE" "mv" "3-6" "$(node_of mv)" "-netdev"
is "  fits into 80 columns" "$(awk 'length > 80' "$tmp/out")" ""
launch "$(desc "{\"mode\":\"macvtap\",\"id\":\"$(printf 'n%062d' 0)\",\"ifname\":\"mv\",\"queues\":4,$off}")" --plan
is "  also with the longest id" "$(awk 'length > 80' "$tmp/out")" ""
if command -v bash >/dev/null; then
	shell() { # NAME DESCRIPTOR [ARGUMENT]...: the script starts QEMU as a launch does
		_n=$1 _d=$2; shift 2
		launch "$_d" "$@"
		grep -E '^(arg|fd [3-9]|fd [1-9][0-9])' "$tmp/out" >"$tmp/launched"
		launch "$_d" --plan=shell -- "$@"
		cp "$tmp/out" "$tmp/script"
		in_ns "$WITH" closefrom 3 -- bash "$tmp/script" </dev/null >"$tmp/out" 2>"$tmp/err"
		is "$_n: the script" "$(grep -E '^(arg|fd [3-9]|fd [1-9][0-9])' "$tmp/out") $(cat "$tmp/err")" "$(cat "$tmp/launched") "
	}
	shell "macvtap" "{\"version\":1,\"nics\":[{\"mode\":\"macvtap\",\"ifname\":\"mv\",\"queues\":4,$off}]}" -S
	# shellcheck disable=SC2016 # words for QEMU
	shell "words that a shell would read" '{"version":1,"name":"$(id)","args":["`id`","a'"'"'b"],"nics":[{"mode":"user"}]}' \
		'$HOME' '*' 'a b' '' '"' ';id' '-x' '!!' '~' "\\"
	node=$(node_of mv); mv "$node" "$node.away"
	in_ns "$WITH" closefrom 3 -- bash "$tmp/script" </dev/null >"$tmp/out" 2>"$tmp/err"
	launch "{\"version\":1}"; mv "$node.away" "$node"
	launch "{\"version\":1,\"nics\":[{\"mode\":\"macvtap\",\"ifname\":\"mv\",$off}]}" --plan=shell
	cp "$tmp/out" "$tmp/script"; mv "$node" "$node.away"
	in_ns bash "$tmp/script" </dev/null >"$tmp/out" 2>"$tmp/err"; rc=$?
	is "a script whose node is gone makes no file" "$rc $(cat "$tmp/out") $([ -e "$node" ] && echo made)" "101  "
	mv "$node.away" "$node"
	launch "{\"version\":1,\"nics\":[{\"mode\":\"tap\",\"ifname\":\"t1\",$off}]}" --plan=shell
	in_ns bash "$tmp/out" >"$tmp/said" 2>&1; rc=$?
	is "a script cannot attach to a TAP, and says so" "$rc $(cat "$tmp/said")" "101 bash cannot open the queues of net0: that takes an ioctl"
else
	skip "a script" "needs bash"
fi
done_testing
