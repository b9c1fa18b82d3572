#!/bin/sh
# capabilities.sh - what QEMU keeps of its capabilities, as the kernel shows it, and that a difference ends the launch
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
need_root
for_all
grep=$(command -v grep)
# sets NAME DESCRIPTOR WANT: permitted, effective, inheritable, ambient and bounding set of what is executed
sets() {
	# grep is no QEMU: no word is added for the network
	qemu=$(readlink -f "$grep") launch "{\"default_nic\":true,${2#\{}" -E '^Cap' /proc/self/status
	is "$1" "$rc $(sed -n 's/^Cap\(...\):[ \t]*/\1=/p' "$tmp/out" | sed 's/=0*\(.\)/=\1/' | sort | tr '\n' ' ')" "0 $3"
}
override=2 admin=1000 none=
sets "root keeps CAP_DAC_OVERRIDE" '{"version":1}' "Amb=0 Bnd=$override Eff=$override Inh=0 Prm=$override "
sets "  without a filter, too" '{"version":1,"seccomp":"none"}' "Amb=0 Bnd=$override Eff=$override Inh=0 Prm=$override "
sets "ids that are taken keep nothing" '{"version":1,"user":1000,"group":1000}' "Amb=0 Bnd=0 Eff=0 Inh=0 Prm=0 "
sets "exactly those of the list" '{"version":1,"capabilities":["CAP_NET_ADMIN"]}' \
	"Amb=0 Bnd=$admin Eff=$admin Inh=0 Prm=$admin "
sets "  none" '{"version":1,"capabilities":[]}' "Amb=0 Bnd=0 Eff=0 Inh=0 Prm=0 "
sets "  with ids that are taken" '{"version":1,"user":1000,"group":1000,"capabilities":["net_admin"]}' \
	"Amb=$admin Bnd=$admin Eff=$admin Inh=$admin Prm=$admin "
all=$(sed -n 's/^CapEff:[ \t]*0*\([0-9a-f]*\)$/\1/p' /proc/self/status)
bounding=$(sed -n 's/^CapBnd:[ \t]*0*\([0-9a-f]*\)$/\1/p' /proc/self/status)
sets "all, by \"keep\"" '{"version":1,"capabilities":"keep"}' "Amb=0 Bnd=$bounding Eff=$all Inh=0 Prm=$all "
under="setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps +net_admin --ambient-caps +net_admin"
sets "another uid keeps nothing that is not needed" '{"version":1}' "Amb=0 Bnd=$bounding Eff=0 Inh=0 Prm=0 "
printf '#!/bin/sh\nexec grep ^Cap /proc/self/status\n' >"$tmp/bin/caps" && chmod 755 "$tmp/bin/caps"
grep=$tmp/bin/caps
sets "  and what a tap of QEMU's own needs" \
	'{"version":1,"seccomp":"none","nics":[{"mode":"custom","netdev":"tap,id=net0,ifname=x,script=no,downscript=no"}]}' \
	"Amb=$admin Bnd=$bounding Eff=$admin Inh=$admin Prm=$admin "
launch '{"version":1,"capabilities":["CAP_SYS_ADMIN"]}'
refused "a capability that the launcher does not have" 101 capability-missing '"object":"CAP_SYS_ADMIN"' "AmbientCapabilities="
grep=$(command -v grep)
under="setpriv --bounding-set -setpcap"
launch '{"version":1,"seccomp":"none"}'
refused "root's that cannot be given up for good" 101 capability-missing '"object":"CAP_SETPCAP"'
under=

# --- words that show a need ---------------------------------------------------------------------------------
kept() { # NAME WORDS WANT: what the plan says is kept besides CAP_DAC_OVERRIDE
	# shellcheck disable=SC2086 # several words
	launch '{"version":1,"seccomp":"none"}' --plan=json $2
	is "$1" "$(sed -n 's/.*"capabilities":\(\[[^]]*\]\).*/\1/p' "$tmp/out" | grep -o 'CAP_[A-Z_]*' | grep -v OVERRIDE | tr '\n' ' ')" "$3"
}
kept "-chroot" "-chroot /" "CAP_SYS_CHROOT "
kept "locked memory" "-overcommit mem-lock=on" "CAP_IPC_LOCK "
kept "a low port" "-netdev user,id=u,hostfwd=tcp::80-:80" "CAP_NET_BIND_SERVICE "
kept "a high port" "-netdev user,id=u,hostfwd=tcp::8080-:80" "$none"
kept "a tap that QEMU opens" "-netdev tap,id=t,ifname=t0" "CAP_NET_ADMIN "
with="file 3=/dev/null"
kept "a tap that it is given" "-netdev tap,id=t,fd=3" "$none"
is "  which is planned" "$rc" 0
with=

# --- -runas becomes "user" ----------------------------------------------------------------------------------
qemu=$(readlink -f "$grep") launch '{"version":1,"default_nic":true,"args":["-runas","1000:1001"]}' -E '^(Uid|Gid)' /proc/self/status
is "-runas becomes user" "$rc $(tr -s '\t' ' ' <"$tmp/out" | tr '\n' ' ')" "0 Uid: 1000 1000 1000 1000 Gid: 1001 1001 1001 1001 "
launch '{"version":1,"seccomp":{"allow":["chroot"]}}' --plan=json -runas 1000:1001 -run-with chroot=/
has "  and the words are gone, and said" "$(cat "$tmp/out")" '"taken":"-runas 1000:1001"' '"uid":1000,"gid":1001'
case $(cat "$tmp/out") in *'"argv":'*runas*) not_ok "  argv has no -runas" ;; *) ok "  argv has no -runas" ;; esac
launch '{"version":1,"user":1000,"group":1000}' -runas nobody
refused "two users" 100 argv-user '"path":"user"' "-runas"

# --- what the kernel shows is what the plan says, or QEMU does not run ----------------------------------------
command -v strace >/dev/null || { skip "what differs" "needs strace"; done_testing; exit; }
# lie NAME CALL[:when=N] DESCRIPTOR WHAT: the call answers 0 and does nothing
lie() {
	under="strace -qq -o $tmp/trace -e trace=${2%%:*} -e inject=${2%%:*}:retval=0${2#"${2%%:*}"}"
	leaks=no launch "$3"
	under=
	if grep -q INJECTED "$tmp/trace"; then refused "$1" 111 confinement-differs "$4"
	else not_ok "$1"; note "the call was not made" "$(cat "$tmp/trace" "$tmp/err")"
	fi
}
lie "capabilities that were not given up" capset '{"version":1}' "permitted capabilities"
lie "ids that were not taken" setresuid '{"version":1,"user":1000,"group":1000}' uid
lie "groups that were not taken" setgroups '{"version":1,"user":1000,"group":1000,"groups":[7]}' "supplementary groups"
lie "a bounding set that stayed" prctl:when=3..30 '{"version":1}' "bounding set"
lie "a filter that was not loaded" seccomp:when=2+ '{"version":1}' "seccomp filter"
under="strace -qq -o $tmp/trace -e trace=capset -e inject=capset:error=EPERM"
leaks=no launch '{"version":1}'
under=
refused "capabilities that cannot be given up" 111 capability-failed '"errno":"EPERM"'
done_testing
