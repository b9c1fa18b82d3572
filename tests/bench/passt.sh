#!/bin/sh
# passt.sh - a guest's throughput and round trips to its host: user (slirp), passt as a stream, passt over vhost-user
#
#	BUILDDIR=... SRCDIR=... tests/bench/passt.sh [ROUNDS [SECONDS]]
#
# Each round boots the test guest once in each form, in turn, so that what else the machine does falls on all
# of them. In each boot the guest sends for SECONDS as fast as it can to a server in the same network namespace, then
# counts echoes of one byte. Medians and their ratios to user are printed. Always TCG: the figures are for
# comparing, and are bound by the emulated processor. Needs root, jq and passt (QH_PASST).
. "${SRCDIR:?set SRCDIR}/tests/lib.sh"
need_root
PASST=${QH_PASST:-/usr/bin/passt}
[ -x "$PASST" ] || skip_all "needs $PASST"
[ -x "$QEMU" ] || skip_all "needs $QEMU"
rounds=${1:-5} seconds=${2:-5}
guest=${QH_GUEST_CACHE:-$BUILDDIR/guest}
"$SRCDIR/tests/guest/build" "$guest" >"$tmp/build" 2>&1 || { cat "$tmp/build"; exit 1; }

new_ns a
ip -n "$ns" link add wire0 type veth peer name wire1
ip -n "$ns" addr add 192.0.2.9/24 dev wire0
ip -n "$ns" link set wire0 up
ip -n "$ns" link set wire1 up
ip -n "$ns" route add default via 192.0.2.1
ip netns exec "$ns" "$guest/net" serve 7000 >"$tmp/server" &
wait_for 5 grep -q ready "$tmp/server" || exit 1
mkdir -m 700 "$tmp/run"

# run NAME NIC ADDRESS: boot once, append the two figures to NAME.stream and NAME.echo
run() {
	printf '{"version":1,"runtime_dir":"%s","args":["-object","memory-backend-memfd,id=mem0,size=128M,share=on","-machine","memory-backend=mem0"],"nics":[%s]}' \
		"$tmp/run" "$2" >"$tmp/desc"
	GUEST_SMP=2 GUEST_THREAD=multi GUEST_WORDS="guest_dhcp=1 guest_bench=$3:7000 guest_seconds=$seconds" \
		ip netns exec "$ns" timeout -s KILL $((60 + 3 * seconds)) "$SRCDIR/tests/guest/boot" "$guest" "$QH" <"$tmp/desc" >"$tmp/out" 2>"$tmp/err"
	sed -n 's/^guest: bench stream \([0-9.]*\) .*/\1/p' "$tmp/out" >>"$tmp/$1.stream"
	sed -n 's/^guest: bench echo \([0-9.]*\) .*/\1/p' "$tmp/out" >>"$tmp/$1.echo"
	grep -q 'bench echo' "$tmp/out" || echo "# $1: no figures: $(tail -n 2 "$tmp/out" "$tmp/err" | tr '\n' ' ')"
}
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : 0 }'; }

forms="user stream"
! "$PASST" --help 2>&1 | grep -q -e --vhost-user || forms="$forms vhost-user"
# QEMU 7.2 crashes with MSI-X here, see qemu-handoff(5)
case $("$QEMU" --version) in *"version 7.2"*) vectors=',"device":{"vectors":0}' ;; *) vectors= ;; esac
for _ in $(seq "$rounds"); do
	for form in $forms; do
		case $form in
		user) run user '{"mode":"user"}' 10.0.2.2 ;;
		stream) run stream "{\"mode\":\"passt\",\"options\":{\"path\":\"$PASST\"}}" 192.0.2.1 ;;
		*) run vhost-user "{\"mode\":\"passt\",\"vhost_user\":true$vectors,\"options\":{\"path\":\"$PASST\"}}" 192.0.2.1 ;;
		esac
	done
done
echo "# $("$QEMU" --version | head -n 1), TCG, $(nproc) processors; $rounds rounds, $seconds s"
printf '%-12s %10s %6s %12s %6s\n' form Mbit/s ratio "echoes/s" ratio
for form in $forms; do
	for what in stream echo; do median "$tmp/$form.$what"; median "$tmp/user.$what"; done | tr '\n' ' ' |
		awk -v form="$form" '{ printf "%-12s %10.0f %6.2f %12.0f %6.2f\n", form, $1, $2 ? $1 / $2 : 0, $3, $4 ? $3 / $4 : 0 }'
done
