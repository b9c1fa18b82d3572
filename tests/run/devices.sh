#!/bin/sh
# devices.sh - the table of network devices against what each QEMU says of its own: those of tests/facts, and the one here
# shellcheck source=tests/lib.sh
. "$SRCDIR/tests/lib.sh"
table=$tmp/table
"$BUILDDIR/tests/unit/test_devices" table >"$table" || { echo "Bail out! no table"; exit 1; }
facts=$(ls -d "$SRCDIR"/tests/facts/qemu-*)
if [ -x "$QEMU" ]; then
	mkdir "$tmp/here"
	QEMU=$QEMU "$SRCDIR/tests/facts/make" "$tmp/here" >"$tmp/made" 2>&1 || note "$(cat "$tmp/made")"
	facts="$facts $(ls -d "$tmp"/here/qemu-*)"
else
	skip "the QEMU of this machine" "there is no $QEMU"
fi

# The buses as QEMU calls them; a device of another processor is in no list here.
ours() { awk '$1 == "device" && $3 != "CCW" { print $2, $3 }' "$table" |
	sed 's/virtio-mmio$/virtio-bus/; s/USB$/usb-bus/; s/Xen$/xen-bus/' | sort; }
theirs() { sed -n '/vsock/d; s/^name "\([^"]*\)", bus \([^,]*\).*/\1 \2/p' "$1/device-help" | sort; }
# properties of one device that count here
counts() { sed -n 's/^\(mac\|netdev\|vectors\)=.*/\1/p' "$1" | sort | tr '\n' ' '; }
planned() { awk -v d="$1" '$1 == "device" && $2 == d { for (i = 4; i <= NF; i++) print $i }' "$table" | sort | tr '\n' ' '; }
kind_of() {
	case $1 in
	bool) echo SWITCH ;; OnOffAuto) echo AUTO ;; str) echo TEXT ;; list) echo LIST ;; *) echo NUMBER ;;
	esac
}
# each "NAME KIND" of a virtio-net; sizes of queues are numbers with one more rule
said_properties() {
	sed -n 's/^\([^=]*\)=<\([^>]*\)>.*/\1 \2/p' "$1/device-virtio-net-device-help" | while read -r name type; do
		case $name in bootindex|mac|netdev) ;; *) echo "$name $(kind_of "$type")" ;; esac
	done | sort
}
our_properties() { sed -n 's/^property \([^ ]* [^ ]*\) .*/\1/p' "$table" | sed 's/POWER/NUMBER/' | sort; }
# absent VERSION: the properties that the table says this release lacks
absent() {
	case $1 in
	qemu-7.2) _absent="NOT_IN_7_2|NOT_IN_10_0" ;;
	qemu-10.0) _absent=NOT_IN_10_0 ;;
	qemu-11.1) _absent=NOT_IN_11_1 ;;
	*) return 0 ;;
	esac
	sed -nE "s/^property ([^ ]*) [^ ]* ($_absent)$/\1/p" "$table" | sort
}

ours >"$tmp/ours"
our_properties >"$tmp/properties"
for dir in $facts; do
	v=$(basename "$dir")
	theirs "$dir" >"$tmp/theirs"
	is "$v: every network device is in the table, on its bus" "$(comm -13 "$tmp/ours" "$tmp/theirs")" ""
	is "$v: every alias is" "$(sed -n 's/^name "\([^"]*\)".*alias "\([^"]*\)".*/alias \2 \1/p' "$dir/device-help" | sort)" \
		"$(grep '^alias' "$table" | sort)"
	bad=
	while read -r name _; do
		[ "$(counts "$dir/device-$name-help")" = "$(planned "$name")" ] ||
			bad="$bad $name: $(counts "$dir/device-$name-help")/ $(planned "$name")"
	done <"$tmp/theirs"
	is "$v: each has netdev, mac and vectors as the table says" "$bad" ""
	said_properties "$dir" >"$tmp/said"
	is "$v: every property of virtio-net is in the table, with its kind" "$(comm -13 "$tmp/properties" "$tmp/said")" ""
	cut -d' ' -f1 "$tmp/said" >"$tmp/said-names"
	case $v in qemu-7.2|qemu-10.0|qemu-11.1)
		is "$v: it lacks exactly those that the table says" \
			"$(cut -d' ' -f1 "$tmp/properties" | comm -23 - "$tmp/said-names")" "$(absent "$v")" ;;
	esac
	has "$v: the devices of vsock" "$(cat "$dir/device-help")" \
		'"vhost-vsock-pci", bus PCI' '"vhost-vsock-pci-non-transitional", bus PCI' '"vhost-vsock-device", bus virtio-bus'
	cat "$tmp/theirs" >>"$tmp/all"; cat "$tmp/said" >>"$tmp/all-properties"
done
is "no device of the table is unknown to all of them" "$(sort -u "$tmp/all" | comm -23 "$tmp/ours" -)" ""
is "no property is" "$(sort -u "$tmp/all-properties" | comm -23 "$tmp/properties" -)" ""

# What is refused before the launch is what QEMU itself refuses, and what is taken, it takes: each with the real program.
[ -x "$QEMU" ] || { done_testing; exit 0; }
asked='{"execute":"qmp_capabilities"}{"execute":"quit"}'
# real MACHINE DEVICE: does QEMU start with it
real() {
	echo "$asked" | timeout 60 "$QEMU" -M "$1" -accel tcg -m 32 -display none -nodefaults -S -monitor none -serial none \
		-qmp stdio -netdev user,id=net0 -device "$2" >"$tmp/out" 2>&1
}
# told MACHINE DEVICE-JSON: the status of --check
told() {
	printf '{"version":1,"seccomp":"none","args":["-M","%s"],"nics":[{"mode":"user","mac":"02:00:00:00:00:01","device":%s}]}' "$1" "$2" >"$tmp/desc"
	qemu=$QEMU start --check <"$tmp/desc"
	echo "$rc"
}
# agree MACHINE DRIVER [PROPERTY VALUE]
agree() {
	_device="$2,netdev=net0${3+,$3=$4}" _json="{\"driver\":\"$2\"${3+,\"$3\":\"$4\"}}"
	if real "$1" "$_device"; then _want=0; else _want=100; fi
	is "$1, $2${3+, $3=$4}: as QEMU ($_want)" "$(told "$1" "$_json")" "$_want"
}
for machine in q35 pc microvm microvm,pcie=on isapc; do
	for device in virtio-net-pci virtio-net virtio-net-device e1000e ne2k_isa; do
		agree "$machine" "$device"
	done
done
for pair in rx_queue_size:128 rx_queue_size:512 rx_queue_size:768 rx_queue_size:2048 tx_queue_size:128 tx_queue_size:256 \
	host_mtu:0 host_mtu:1500 host_mtu:65536 host_mtu:-1 speed:-2 speed:-1 speed:10000 speed:x duplex:half duplex:x tx:timer \
	rx_queue_size:256 rx_queue_size:1024 host_mtu:68 host_mtu:65535 duplex:full duplex:auto failover:on \
	guest_rsc_ext:on hash:on rss:on ctrl_vq:off mrg_rxbuf:off mrg_rxbuf:auto csum:off csum:1 status:no \
	event_idx:false indirect_desc:y queue_reset:off in_order:on guest_uso4:off host_uso:off ebpf-rss-fds:x \
	guest_tunnel:off hash-ipv4:on hash-ipv4:auto hash-ipv4:maybe x-mtu-bypass-backend:off tx_queue_size:512 tx_queue_size:1024 rsc_interval:0 \
	rsc_interval:4294967295 rsc_interval:4294967296 x-txburst:-1 x-txburst:2147483648 packed:on packed:1 packed:yes mq:on mq:maybe vectors:0 vectors:4 vectors:0x10 vectors:x rsc_interval:-1 \
	iommu_platform:on iommu_platform:off x-txtimer:1; do
	agree q35 virtio-net-pci "${pair%%:*}" "${pair#*:}"
done
agree microvm virtio-net-device vectors 4
agree q35 e1000 mq on
agree q35 virtio-net-pci-transitional iommu_platform on
agree q35 virtio-net-pci-non-transitional iommu_platform on
agree q35 rocker
done_testing
