#!/bin/sh
# which.sh - which descriptor a drop-in has: by the guest's name or UUID in a directory, by the
# administrator's directory, by -handoff among QEMU's words; and whose directories are trusted
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
for_all
dropin=$tmp/bin/qemu-system-x86_64
cp "$QH" "$dropin" && cp "$BUILDDIR/tests/run/record" "$tmp/bin/record"
mkdir "$tmp/work" && chmod 777 "$tmp/work" && cd "$tmp/work" || exit 1
export RECORD="$tmp/work/record"
umask 022
user=
uuid=01234567-89ab-cdef-0123-456789abcdef

# ask SOURCE WORD...: the drop-in on a program that writes down what it is, with that in the
# variable ("unset": without it); then $rc, $tmp/err
ask() {
	_source=$1; shift
	rm -f "$RECORD"
	export QEMU_HANDOFF_DESCRIPTOR="$_source"
	[ "$_source" != unset ] || unset QEMU_HANDOFF_DESCRIPTOR
	# shellcheck disable=SC2086 # several words
	QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_QEMU="$tmp/bin/record" $user "$WITH" closefrom 3 -- \
		${under-} "$dropin" "$@" \
		>"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
	unset QEMU_HANDOFF_DESCRIPTOR
	produced "$tmp/err"
}
# seen: the user that the stand-in runs as, which says what descriptor it had; its filter, its words
seen() {
	if [ ! -e "$RECORD" ]; then
		sed 's/.*"code":"\([^"]*\)".*"message":"\([^"]*\)".*/not started: \1: \2/' \
			"$tmp/err"
		return
	fi
	sed -n 's!^/proc/self/status Uid:	\([0-9]*\).*!uid \1!p
		s!^/proc/self/status Seccomp:	!filter !p' "$RECORD" | tr '\n' ' '
	echo "| $(sed -n 's/^arg [1-9][0-9]* [0-9]* //p' "$RECORD" | tr '\n' ' ')"
}
# refuses NAME STATUS CODE PART...: the last ask
refuses() {
	_n=$1 _s=$2 _c=$3; shift 3
	if [ -e "$RECORD" ]; then not_ok "$_n"; note "QEMU was started"
	elif [ "$rc $(codes error)" != "$_s $_c" ]; then not_ok "$_n"; note \
		"status $rc: $(cat "$tmp/err")"
	else has "$_n" "$(cat "$tmp/err")" "$@"; fi
}
put() {	# FILE USER
	printf '{"version":1,"default_nic":true,"user":%s,"group":%s}\n' "$2" "$2" >"$1"
}
# plan DIRECTORY WORD...: the file that is chosen, under our own name
plan() {
	_d=$1; shift
	"$QH" --plan=json --errors=json --descriptor="$_d" -- \
		"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	echo $? >"$tmp/rc"
	produced "$tmp/err"
	sed -n 's/.*"descriptor":"\([^"]*\)".*/\1/p' "$tmp/out"
}

# --- a directory: the file by the words ----------------------------------------------------------
g=$tmp/guests
mkdir "$g"
put "$g/web1.json" 1001
put "$g/$uuid.json" 1002
put "$g/%2E.%2Fwork%2Fx.json" 1003
put "$g/a%0Ab%FF.json" 1004
put "$g/default.json" 1005
put "$tmp/work/x.json" 1666
ln -s web1.json "$g/web2.json"
while IFS='|' read -r want words; do
	# shellcheck disable=SC2086
	ask "$g/" $words
	is "directory: $words" "$(seen)" "uid $want filter 2 | $words "
done <<-END
	1001|-name web1 -S
	1001|-S -name guest=web1,debug-threads=on
	1001|-name debug-threads=on,guest=web1
	1001|-name other -name web1
	1001|-name web1 -uuid $uuid
	1001|-name web2
	1002|-name other -uuid $uuid
	1002|-uuid 01234567-89AB-CDEF-0123-456789ABCDEF
	1003|-name ../work/x
	1005|-name other
	1005|-name ../web1
	1005|-name web1/
	1005|-name .web1
	1005|-name WEB1
	1005|-name web1.json
	1005|-name default
	1005|-append -name web1
	1005|-S
	1001|-name web1 -version
	1005|-version
	1005|-M none
	1005|-device help
END
name="a
b$(printf '\377')"
ask "$g/" -name "$name"
has "directory: a name with control bytes, not UTF-8" "$(seen)" "uid 1004 filter 2"
has "  as it was in QEMU's words" "$(sed -n 's/^arg 2 //p' "$RECORD")" 'a\x0ab\xff'
ask "$g/" -name "$(printf '%04096d' 0)"
refuses "a name of 4096 bytes" 100 guest-name "4101 bytes: at most 255"
ask "$g/" -uuid ../web1
refuses "a UUID that is a path" 100 guest-name "'../web1' is no UUID"
ask "$g/" -nonesuch -name web1
refuses "a name that may be the value of an unknown option" 100 guest-name "read in two ways"
ask "$g/" -nonesuch=1 -S
has "an unknown option that matters to no name" "$(seen)" "uid 1005"
rm "$g/default.json"
for words in "-name other" "-version" "-uuid 00000000-0000-0000-0000-000000000000"; do
	# shellcheck disable=SC2086
	ask "$g/" $words
	refuses "nothing fits: $words" 101 guest-missing "default.json" "$g/"
done
ask "$g/" -name a/b -uuid $uuid
has "no file of its name: the one of its UUID" "$(seen)" "uid 1002"

# --- under our own name --------------------------------------------------------------------------
is "plan: the file that is chosen" "$(plan "$g/" -name web1)" "$g/web1.json"
is "plan: by the UUID" "$(plan "$g/" -uuid $uuid -S)" "$g/$uuid.json"
is "plan: a relative directory" "$(cd "$tmp" && plan guests/ -name web1)" "guests/web1.json"
has "plan: as text" "$("$QH" --plan --descriptor="$g/" -name web1 2>&1)" "from   $g/web1.json" \
	"uid 1001"
"$QH" --check --descriptor="$g/" -name nonesuch >"$tmp/out" 2>"$tmp/err" </dev/null
has "check: nothing fits, as a launch says" "$? $(cat "$tmp/err")" "101 " \
	"there is no nonesuch.json or default.json"
"$QH" --check --descriptor="$g" >"$tmp/out" 2>"$tmp/err" </dev/null
has "a directory without its slash" "$? $(cat "$tmp/err")" "100 " \
	"(try: end a directory of descriptors with a slash: $g/)"
rm -f "$RECORD"; QEMU_HANDOFF_ERRORS=json QEMU_HANDOFF_QEMU=$tmp/bin/record \
	"$QH" --descriptor="$g/" -name web1 >"$tmp/out" 2>"$tmp/err" </dev/null
has "a launch from a directory" "$(seen)" "uid 1001 filter 2 | -name web1"
"$QH" --check --errors=json --descriptor="$g/" -handoff \
	"$g/" >"$tmp/out" 2>"$tmp/err" </dev/null; echo $? >"$tmp/rc"
has "-handoff is for a drop-in" "$(cat "$tmp/rc" "$tmp/err")" 100 argv-handoff "--descriptor=$g/"

# --- default.json confines, it names no device ---------------------------------------------------
for key in '"nics":[{"mode":"user"}]' '"vsock":{"cid":7}' '"args":["-S"]'; do
	echo "{\"version\":1,$key}" >"$g/default.json"
	for words in "-S" "-version"; do
		ask "$g/" $words
		refuses "default.json with $key, $words" 100 default-device "names no device"
	done
	cp "$g/default.json" "$g/own.json"
	[ "$key" = '"vsock":{"cid":7}' ] || { ask "$g/" -name own -S
	is "  a guest's own file may" "$rc" 42; }
done
rm "$g/own.json"
echo '{"version":1,"nics":"argv"}' >"$g/default.json"
ask "$g/" -netdev tap,id=n,ifname=nonesuch0,script=no,downscript=no -device virtio-net-pci,netdev=n
refuses "default.json may judge the NICs of argv" 101 link-missing nonesuch0
ask "$g/" -netdev user,id=n -device virtio-net-pci,netdev=n
is "  those that need nothing opened stay" "$rc" 42
ask "$g/" -version
is "  and a probe has none" "$(seen)" "uid 0 filter 2 | -version "
rm "$g/default.json"

# --- whose directories and files are trusted -----------------------------------------------------
# distrusts NAME CODE PART...: "-name web1" in $g is refused, and nothing of the file was taken
distrusts() {
	_n=$1 _c=$2; shift 2
	ask "$g/" -name web1
	refuses "$_n" 101 "$_c" "$@"
}
again() { rm -rf "$g"; mkdir "$g"; put "$g/web1.json" 1001; put "$g/default.json" 1005; }
again; chmod 775 "$g"
distrusts "a directory that its group may write" guests-dir "mode 0775" "chmod go-w"
again; chmod 757 "$g"; distrusts "a directory that all may write" guests-dir "mode 0757"
again; chmod 1777 "$g"; distrusts "  a sticky one too" guests-dir "mode 1777"
again; chown 1000 "$g"
distrusts "a directory of another user" guests-dir "belongs to uid 1000: it must be root's" \
	"chown root"
again; chown :1000 "$g"; ask "$g/" -name web1
has "a group that may not write matters not" "$(seen)" "uid 1001"
again; chmod 664 "$g/web1.json"; distrusts "a file that its group may write" guest-file "mode 0664"
again; chmod 646 "$g/web1.json"; distrusts "a file that all may write" guest-file "mode 0646"
again; chown 1000 "$g/web1.json"
distrusts "a file of another user" guest-file "belongs to uid 1000"
if command -v setfacl >/dev/null && setfacl -m u:1000:rw "$g/default.json" 2>/dev/null; then
	again; setfacl -m u:1000:rw "$g/web1.json"
	distrusts "an access list that lets another write" guest-file "others than its owner"
else
	skip "an access list that lets another write" \
		"needs setfacl, and a file system with access lists"
fi
again; mkdir -p "$tmp/open/in"; chmod 777 "$tmp/open"; mv "$g" "$tmp/open/in/g"
ask "$tmp/open/in/g/" -name web1
refuses "a directory on the way that all may write" 101 guests-dir "$tmp/open" "mode 0777"
chmod 1777 "$tmp/open"; ask "$tmp/open/in/g/" -name web1
has "  if it is sticky, its entries are their owners'" "$(seen)" "uid 1001"
chown 1000 "$tmp/open/in"; ask "$tmp/open/in/g/" -name web1
refuses "  and those of others are not ours" 101 guests-dir "$tmp/open/in" "belongs to uid 1000"
rm -rf "$tmp/open"; again
ln -s "$g" "$tmp/link"; ask "$tmp/link/" -name web1
refuses "a symbolic link to the directory" 101 guests-dir \
	"a symbolic link, which is not followed" "readlink -f $tmp/link"
ln -s . "$tmp/here"; ask "$tmp/here/guests/" -name web1
refuses "  and one on the way" 101 guests-dir "$tmp/here"
again; rm "$g/web1.json"; ln -s /etc/passwd "$g/web1.json"
distrusts "a symbolic link out, by its path" guest-file "out of the directory"
ln -sfn ../work/x.json "$g/web1.json"; distrusts "  and by .." guest-file "out of the directory"
ln -sfn .. "$g/web1.json"; distrusts "  to the directory above" guest-file "out of the directory"
ln -sfn . "$g/web1.json"; distrusts "  to the directory itself" guest-file "not a regular file"
ln -sfn nonesuch.json "$g/web1.json"
distrusts "a link to nothing is not passed over" guest-file ENOENT
ln -s default.json "$g/second.json"; ln -sfn second.json "$g/web1.json"
distrusts "a link to a link" guest-file "link to a symbolic link"
ln -sfn default.json "$g/web1.json"; ask "$g/" -name web1
has "a link to another file of the directory" "$(seen)" "uid 1005"
chown -h 1000 "$g/web1.json"; distrusts "a link of another user" guest-file "belongs to uid 1000"
chmod 664 "$g/default.json"; chown -h 0 "$g/web1.json"
distrusts "a link to a file that others may write" guest-file "mode 0664"
again; rm "$g/web1.json"; mkfifo "$g/web1.json"
distrusts "a named pipe" guest-file "not a regular file"
rm "$g/web1.json"; mkdir "$g/web1.json"; distrusts "a directory" guest-file "not a regular file"
rmdir "$g/web1.json"; mknod "$g/web1.json" c 1 3
distrusts "a device" guest-file "not a regular file"
again; echo '{' >"$g/web1.json"; ask "$g/" -name web1
refuses "a file that is no descriptor: its name is said" 100 descriptor-syntax "$g/web1.json"
again; rm -rf "$g"; distrusts "no directory" guests-dir ENOENT
echo >"$g"; distrusts "a file for a directory" guests-dir "not a directory"
rm "$g"; again
ask "//${g#/}//" -name web1; has "slashes more than needed" "$(seen)" "uid 1001"
ask "$g/../guests/./" -name web1; has "dots on the way" "$(seen)" "uid 1001"

# --- -handoff ------------------------------------------------------------------------------------
put "$tmp/work/one.json" 1007
while IFS='|' read -r want words left; do
	# shellcheck disable=SC2086
	ask unset $words
	is "word: $words" "$(seen)" "uid $want filter 2 |${left:+ $left} "
done <<-END
	1001|-handoff $g/ -name web1 -S|-name web1 -S
	1001|-name web1 -S --handoff $g/|-name web1 -S
	1007|-S -handoff $tmp/work/one.json disk.img|-S disk.img
	1008|-handoff {"version":1,"default_nic":true,"user":1008,"group":1008} -S|-S
	1008|-version -handoff {"version":1,"default_nic":true,"user":1008,"group":1008}|-version
	1007|-append -handoff -handoff $tmp/work/one.json|-append -handoff
END
ask unset -append -handoff -S
is "word: the value of another option is not ours" "$(seen)" "uid 0 filter 0 | -append -handoff -S "
ask unset -nonesuch x -handoff "$g/"
refuses "word: after an unknown option" 100 argv-handoff "not known here"
ask unset -handoff; refuses "word: without a value" 100 argv-handoff "needs a value"
ask unset -handoff "$g/" -S -handoff "$g/"; refuses "word: twice" 100 argv-handoff twice
ask "$g/" -handoff "$g/"; refuses "word: and the variable" 100 argv-handoff QEMU_HANDOFF_DESCRIPTOR
ask unset -handoff one.json; refuses "word: a relative path" 100 usage "-handoff"
ask unset -handoff "%n.json"; refuses "word: nothing is put into a path" 100 usage "-handoff"
if [ -x "$QEMU" ]; then
	"$QEMU" -handoff x >"$tmp/out" 2>&1 </dev/null
	has "word: a plain QEMU refuses it" "$? $(cat "$tmp/out")" "1 " "-handoff: invalid option"
else
	skip "word: a plain QEMU refuses it" "needs $QEMU"
fi

# --- as a user -----------------------------------------------------------------------------------
# which descriptor it was is seen by its filter
plain='{"version":1,"seccomp":"none"}'
again; echo "$plain" >"$g/web1.json"; echo '{"version":1}' >"$g/default.json"
user=$(as_uid 1000)
ask "$g/" -name web1; has "user: a file of root's" "$(seen)" "uid 1000 filter 0"
ask "$g/"; has "user: root's default.json" "$(seen)" "uid 1000 filter 2"
chown -R 1000 "$g"; ask "$g/" -name web1
has "user: a directory of the caller's own" "$(seen)" "uid 1000 filter 0"
chown 1001 "$g/web1.json"
distrusts "user: a file of another user" guest-file \
	"belongs to uid 1001: it must be root's or the caller's"
chown 1001 "$g"; distrusts "user: a directory of another user" guests-dir "belongs to uid 1001"
chown -R 0:0 "$g"; chmod 600 "$g/web1.json"
distrusts "user: a file that is closed is not passed over" guest-file EACCES "0644"
chmod 644 "$g/web1.json"; chmod 700 "$g"
distrusts "user: a directory that is closed" guest-file EACCES "0755"
chmod 755 "$g"; mkdir "$tmp/closed" && mv "$g" "$tmp/closed/guests" && chmod 700 "$tmp/closed"
ask "$tmp/closed/guests/" -name web1; refuses "user: the way is closed" 101 guests-dir EACCES
mv "$tmp/closed/guests" "$g"
chmod 711 "$g"; ask "$g/" -name web1
has "user: a directory need not be listed" "$(seen)" "uid 1000 filter 0"
if unshare -Ur true 2>/dev/null && $user unshare -Ur true 2>/dev/null; then
	again; user="$user unshare -Ur"
	distrusts "in a user namespace, root of the host is somebody else" guests-dir \
		"it must be root's"
else
	skip "in a user namespace, root of the host is somebody else" "needs unshare -Ur"
fi
user=

# --- the administrator's directory ---------------------------------------------------------------
held=$("$QH" --check=host | sed -n 's/^guests  *no   \(.*\)\/: does not exist.*/\1/p')
[ -n "$held" ] || skip_all \
	"a directory of descriptors is there already: $("$QH" --check=host | grep '^guests')"
base=$held; while [ ! -d "$base" ]; do base=$(dirname "$base"); done
[ "$base" != / ] || skip_all "$held would be made in the root directory"
cp -a "$base" "$tmp/base" && mount -t tmpfs -o mode=755 none "$base" && cp -a "$tmp/base/." \
	"$base/" || exit 1
trace="strace -o $tmp/trace"
if grep -q -e __asan_init -e __gcov_exit "$QH" || ! strace -o \
	"$tmp/trace" true 2>/dev/null; then trace=; fi
# calls FILE: the names of the system calls after the loader's last, up to the exec of QEMU
calls() {
	awk '/^munmap\(/ { text = ""; next } /^execve\(/ { if (seen++) exit; next }
		{ sub(/\(.*/, ""); text = text $0 " " } END { print text }' "$1" |
		sed 's/brk //g; s/getrandom //g; s/mmap //g'
}
for who in root user; do
	[ $who = root ] && uid=0 || uid=1000
	[ $who = root ] || user=$(as_uid 1000)
	[ -z "$trace" ] || touch "$tmp/trace"; [ -z "$trace" ] || chmod 666 "$tmp/trace"
	under=$trace; ask unset -S -name web1; under=
	is "$who, no directory: QEMU as it was called" "$(seen)" \
		"uid $uid filter 0 | -S -name web1 "
	if [ -n "$trace" ]; then
		is "  one call is made for it, and no other is new" "$(calls "$tmp/trace")" \
			"newfstatat getresuid getresgid newfstatat faccessat2 newfstatat "
		is "  which asks for the directory" \
			"$(grep -c "^newfstatat(AT_FDCWD, \"$held\", .*NOFOLLOW) = -1 ENOENT" \
			"$tmp/trace") $(grep -c "$held" "$tmp/trace")" "1 1"
	else
		skip "  one call is made for it, and no other is new" \
			"needs strace; one built with sanitizers makes calls of its own"
		skip "  which asks for the directory" "needs strace; one built with sanitizers makes calls of its own"
	fi
	user=
done
mkdir -p "$held"
has "host: what holds is said" "$("$QH" --check=host | grep '^guests')" "yes" \
	"every drop-in's descriptor is from there"
ask unset -S
refuses "held: an empty directory lets nobody start" 101 guest-missing "there is no default.json"
ask unset -version; refuses "held: nor ask" 101 guest-missing "there is no default.json"
put "$held/web1.json" 1001; put "$held/default.json" 1005
while IFS='|' read -r want source words left; do
	# shellcheck disable=SC2086
	ask "$source" $words
	now="$(seen) $(codes warning)"
	is "held: $words, variable $source" "$(echo "$now" | sed 's/  */ /g; s/ $//')" \
		"uid $want filter 2 |${left:+ $left}"
done <<-END
	1001|unset|-name web1 -S|-name web1 -S
	1005|unset|-S|-S
	1005|unset|-version|-version
	1001|$tmp/work/one.json|-name web1|-name web1 source-unused
	1001|unset|-handoff $tmp/work/one.json -name web1|-name web1 source-unused
	1001|-|-name web1|-name web1 source-unused
	1005|fd:9|-handoff x|source-unused
	1005|{"version":1}|-version|-version
END
user=$(as_uid 1000)
printf '{"version":1}' >"$held/web1.json"
ask unset -name web1; has "held: for a user too" "$(seen)" "uid 1000 filter 2"
chmod 700 "$held"; ask unset -name web1
refuses "held: closed to the caller: nobody passes" 101 guest-file EACCES
chmod 700 "$(dirname "$held")"; ask unset -S
refuses "held: where it cannot be known" 101 guests-dir EACCES
has "  and the host's table says so" "$($user "$QH" --check=host | grep '^guests')" "no " \
	"$held: the descriptors of guests cannot be reached: Permission denied"
user=; chmod 755 "$held" "$(dirname "$held")"
ask unset -handoff
refuses "held: a bad -handoff is an error all the same" 100 argv-handoff "needs a value"
chmod 777 "$held"; ask unset -name web1
refuses "held: others may write it" 101 guests-dir "mode 0777"
chmod 755 "$held"; mv "$held" "$held.away"; ln -s "$held.away" "$held"
ask unset -name web1; refuses "held: a symbolic link" 101 guests-dir "not followed"
rm "$held"; ln -s nonesuch "$held"; ask unset -name web1
refuses "held: a symbolic link to nothing" 101 guests-dir "not followed"
rm "$held"; echo >"$held"; ask unset -name web1
refuses "held: a file" 101 guests-dir "not a directory"
rm -r "$held" "$held.away"; rmdir "$(dirname "$held")" && echo >"$(dirname "$held")"
ask unset -name web1
refuses "held: a file on the way" 101 guests-dir "$(dirname "$held")" "not a directory"
rm "$(dirname "$held")"; mkdir -p "$held"; echo '{"version":1}' >"$held/default.json"
"$QH" --check </dev/null >"$tmp/out" 2>&1
has "held: not under our own name" "$? $(cat "$tmp/out")" "100 " "/dev/null"
printf '{"version":1}' | "$QH" --check >"$tmp/out" 2>&1; is "  whose standard input is read" "$?" 0
rm -r "$held"

# --- the names that QEMU itself makes of its words -----------------------------------------------
if [ -x "$QEMU" ] && command -v python3 >/dev/null; then
	mkdir "$tmp/empty"
	cat >"$tmp/names.py" <<'PY'
import json, subprocess, sys
from urllib.parse import quote
qemu, ours, directory = sys.argv[1:]
quiet = "-S -nodefaults -display none -accel tcg -M none -qmp stdio".split()
uuid = "01234567-89AB-cdef-0123-456789abcdef"
names = ["a", "guest=a", "a,process=b", "process=b", "a,,b", "guest=a,,b,process=c", "a,guest=b",
         "help", "{a}", '{"guest":"a"}', "../x/y z", "guest==a=b", "%41", ".a.",
         "\u00e4\u20ac", "", "-S"]
rows = [[]] + [["-name", name] for name in names] + [
    ["--name", "a"], ["-name", "a", "-name", "b"], ["-name", "a", "-name", "process=b"],
    ["-name", "guest=a", "-name", "guest="], ["-rtc", "base=utc", "-name", "a"], ["-uuid", uuid],
    ["-uuid", uuid, "-name", "a"], ["-uuid", uuid, "-uuid", uuid.replace("0", "1")]]
commands = "".join('{"execute":"%s"}\n' % c
                   for c in ("qmp_capabilities", "query-name", "query-uuid", "quit"))
for words in rows:
    out = subprocess.run([qemu] + quiet + words, input=commands, capture_output=True, text=True,
                         timeout=60)
    answers = [json.loads(line)["return"] for line in out.stdout.splitlines() if '"return"' in line]
    want = []
    name = answers[1].get("name") if len(answers) > 2 else f"no answer: {out.stderr}"
    if name:
        name = quote(name, safe="")
        want.append(("%2E" + name[1:] if name[0] == "." else name) + ".json")
    if "-uuid" in words:
        want.append(answers[2]["UUID"] + ".json")
    ask = [ours, "--check", "--descriptor=" + directory + "/", "--"]
    said = subprocess.run(ask + words, capture_output=True, text=True).stderr
    got = said.rstrip("\n").partition("there is no ")[2].split(" or ")
    same = got == want + ["default.json"]
    print(*(("same", words) if same else ("other", words, "QEMU:", want, "here:", said)))
PY
	python3 "$tmp/names.py" "$QEMU" "$QH" "$tmp/empty" >"$tmp/names" 2>&1
	while read -r how words; do
		if [ "$how" = same ]; then ok "QEMU has this name: $words"; else not_ok \
			"QEMU has this name: $how $words"; fi
	done <"$tmp/names"
	is "  and all rows were tried" "$(wc -l <"$tmp/names")" 26
else
	skip "QEMU has this name" "needs $QEMU and python3"
fi
done_testing
