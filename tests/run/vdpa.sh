#!/bin/sh
# vdpa.sh - mode vhost-vdpa, with a stand-in for the node: one descriptor for all queue pairs
#
# No kernel here has a vDPA device. The stand-in is a character device that can be opened for reading and writing.
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
private_mounts
private_dev || skip_all "needs to mount a /dev of its own"
node=/dev/vhost-vdpa-0
mknod -m 600 "$node" c 1 5
vdpa() { printf '{"version":1,"nics":[{"mode":"vhost-vdpa","options":{"path":"%s"}%s}]}' "${2-$node}" "${1-}"; }

# --- what is handed over ------------------------------------------------------------------------------------
launch "$(vdpa)"
is "one queue pair: one descriptor" "$rc $(given_fds)" "0 3 $node"
is "  which the netdev names" "$(given_arg -netdev)" "vhost-vdpa,id=net0,vhostfd=3"
launch "$(vdpa ',"queues":4')"
is "four queue pairs: one descriptor" "$rc $(given_fds)" "0 3 $node"
is "  which the netdev names, with their number" "$(given_arg -netdev)" "vhost-vdpa,id=net0,vhostfd=3,queues=4"
has "  and the device has all of them" "$(given_arg -device)" "mq=on,vectors=10"

# --- what is shown ------------------------------------------------------------------------------------------
launch "$(vdpa ',"queues":2')" --plan
has "the plan shows the descriptor" "$(cat "$tmp/out")" "3  vhost-vdpa  net0" "$node" "vhost-vdpa,id=net0,vhostfd=3,queues=2"
launch "$(vdpa ',"queues":2')" --plan=json
has "so does its JSON" "$(cat "$tmp/out")" '"mode":"vhost-vdpa"' '"fds":[3]' \
	"{\"fd\":3,\"what\":\"vhost-vdpa\",\"nic\":\"net0\",\"queue\":0,\"path\":\"$node\"}"
launch "$(vdpa ',"queues":2')" --plan=shell
has "and bash can do it" "$(cat "$tmp/out")" "exec 3<>$node	# vhost-vdpa"

# --- what is refused ----------------------------------------------------------------------------------------
launch "$(vdpa '' /dev/vhost-vdpa-9)"
refused "no such node" 101 node-missing '"path":"nics[0].options.path"' "/dev/vhost-vdpa-9" "must be a character device"
: >"$tmp/file"
launch "$(vdpa '' "$tmp/file")"
refused "a file" 101 node-not-device "not a character device"
launch "$(vdpa ',"device":{"driver":"e1000"}')"
refused "a device that is not virtio-net" 100 device-conflict "'e1000'"
chmod 000 "$node"
under="setpriv --reuid 1000 --clear-groups --inh-caps=-all"
launch "$(vdpa ',"id":"n"')"
refused "a node that these ids may not open" 101 node-access "its mode is 0000"
under=
chmod 600 "$node"
done_testing
