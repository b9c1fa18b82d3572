#!/bin/sh
# confined.sh - confinement that is asked for and cannot be had: QEMU is not started
#
# The cgroups are made below mounts of this test's own, and go away with it.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
command -v strace >/dev/null || skip_all "needs strace"
for_all

# refuse NAME CODE DESCRIPTOR [PART]...: as a launch by $under is
refuse() { _n=$1 _c=$2; launch "$3"; shift 3; refused "$_n" 101 "$_c" "$@"; }
# lacking CALL:error=E[:when=N]: go on as on a kernel where this call fails
lacking() { under="strace -qq -o $tmp/trace -e trace=${1%%:*} -e inject=$1"; }

# --- ids -------------------------------------------------------------------------------------------
refuse "a user that is not there" id-unknown '{"version":1,"user":"no-such-user"}' '"path":"user"'
refuse "a group that is not there" id-unknown '{"version":1,"group":"no-such-group"}' '"path":"group"'
refuse "a supplementary group that is not there" id-unknown '{"version":1,"groups":["no-such-group"]}' '"path":"groups"'
under=$(as_uid 1000)
refuse "another user, without privilege" id-privilege '{"version":1,"user":1001,"group":1000}' '"path":"user"'
refuse "another group, without privilege" id-privilege '{"version":1,"group":1001}' '"path":"group"'
launch '{"version":1,"user":1000,"group":1000}'
accepted "the ids that are there already, without privilege"
under=$(as_uid 1000 "$(seq -s , 2000 2099)")
launch '{"version":1,"user":1000,"group":1000}'
accepted "the same, and more groups than a descriptor may name"
under=
# QEMU is not to be executed by the ids it is to have, which for an access list is seen by exec only: what was reported
# did not come about
cp "$FAKE" "$tmp/bin/mine" && chmod 755 "$tmp/bin/mine" && setfacl -m u:1000:- "$tmp/bin/mine" && mkdir -m 755 "$tmp/reports"
leaks=no	# with other ids than the caller's the leak checker of a sanitizer build cannot look
for _how in "" "strace -qq -o $tmp/trace -e trace=linkat -e inject=linkat:error=ENOENT"; do
	under=$_how
	launch "{\"version\":1,\"qemu\":\"$tmp/bin/mine\",\"user\":1000,\"group\":1000,\"report\":\"$tmp/reports/r\"}"
	under=
	refused "a QEMU that the user may not execute" 126 qemu-not-executable EACCES
	is "  root's report, which the user may not remove, is empty" "$(stat -c '%s %U' "$tmp/reports/r")" "0 root"
	rm -f "$tmp/reports/r"
done
leaks=

# --- what the kernel has ----------------------------------------------------------------------------
lacking seccomp:error=ENOSYS
refuse "no filter on this kernel" seccomp-missing '{"version":1}' '"path":"seccomp"'
launch '{"version":1,"seccomp":"none"}'
accepted "no filter asked for"
lacking landlock_create_ruleset:error=ENOSYS
refuse "no Landlock on this kernel" landlock-missing '{"version":1,"landlock":true}' '"path":"landlock"'
launch '{"version":1,"landlock":"prefer"}'
accepted "no Landlock, which was only preferred" landlock-off
under=

# --- cgroups -----------------------------------------------------------------------------------------
cgroup() { printf '{"version":1,"cgroup":"%s"}' "$1"; }
gone() { rmdir "$v2/qh$$"/* "$v2/qh$$" "$v1/qh$$" 2>/dev/null; umount "$v2" "$v1" 2>/dev/null; cleanup; }
v2=$tmp/v2 v1=$tmp/v1
mkdir "$v2" "$v1"
refuse "a directory that is no cgroup" cgroup-not-cgroup "$(cgroup "$tmp")" "\"object\":\"$tmp\""
refuse "a cgroup that is not there" cgroup-missing "$(cgroup "$v2/no")" "\"object\":\"$v2/no\""
if mount -t cgroup2 none "$v2" && mkdir "$v2/qh$$"; then
	trap gone EXIT
	for name in frozen threads inner open; do mkdir "$v2/qh$$/$name"; done
	echo 1 >"$v2/qh$$/frozen/cgroup.freeze"
	refuse "a frozen cgroup" cgroup-frozen "$(cgroup "$v2/qh$$/frozen")"
	echo 0 >"$v2/qh$$/frozen/cgroup.freeze"
	echo threaded >"$v2/qh$$/threads/cgroup.type"
	refuse "a cgroup of threads" cgroup-threaded "$(cgroup "$v2/qh$$/threads")"
	rmdir "$v2/qh$$/threads"	# its parent is a domain for threads, as long as it is there
	controller=$(cut -d' ' -f1 "$v2/cgroup.controllers")
	if [ -n "$controller" ] && echo "+$controller" >"$v2/cgroup.subtree_control" && echo "+$controller" >"$v2/qh$$/cgroup.subtree_control" &&
		echo "+$controller" >"$v2/qh$$/inner/cgroup.subtree_control"; then
		refuse "a cgroup whose children have controllers" cgroup-inner "$(cgroup "$v2/qh$$/inner")"
	else
		skip "a cgroup whose children have controllers" "no controller is free here"
	fi
	under=$(as_uid 1000)
	refuse "a cgroup of root, joined by a user" cgroup-access "$(cgroup "$v2/qh$$/open")"
	under=
	launch "$(cgroup "$v2/qh$$/open")"
	accepted "a cgroup that takes it"
	# where two controllers of v1 share a mount, systemd gives it links with the name of each
	ln -s "$v2" "$tmp/link" && ln -s "$v2/qh$$" "$tmp/below"
	for _to in "$tmp/link/qh$$/open" "$tmp/below/open" "$(dirname "$v2")//v2/qh$$/open" "$tmp/v1/../v2/qh$$/open"; do
		launch "$(cgroup "$_to")"
		accepted "  its mount by another name, ${_to#"$tmp"}"
	done
else
	skip "cgroups of v2" "no cgroup v2 can be mounted"
fi
if mount -t cgroup -o cpuset none "$v1" 2>/dev/null && mkdir "$v1/qh$$"; then
	trap gone EXIT
	refuse "a cpuset without processors" cgroup-cpuset "$(cgroup "$v1/qh$$")"
else
	skip "a cpuset without processors" "no cpuset of v1 can be mounted"
fi
done_testing
