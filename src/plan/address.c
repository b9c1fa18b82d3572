/*
 * address.c - the Ethernet address of a NIC that was given none
 *
 * QEMU gives the first NIC of every guest 52:54:00:12:34:56, so two guests on one segment would
 * answer for each other. This address is derived from the guest's name and the NIC's id alone,
 * never from this host, so a guest keeps it when it migrates.
 */
#include "config.h"

#include "plan/address.h"

#include <string.h>

#include "mode/rules.h"
#include "mode/table.h"

/* FNV-1a, 64 bits (draft-eastlake-fnv): one step per byte, including the terminating NUL. */
static uint64_t hash_text(uint64_t hash, const char *text, bool lower)
{
	for (;; text++) {
		const unsigned char c = (unsigned char)*text;
		const unsigned add = lower && c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0;

		hash = (hash ^ (c + add)) * UINT64_C(0x100000001b3);
		if (*text == '\0')
			return hash;
	}
}

static struct mac derive(const char *guest, bool lower, const char *id)
{
	uint64_t hash = hash_text(UINT64_C(0xcbf29ce484222325), "qemu-handoff", false);
	struct mac ret;

	hash = hash_text(hash_text(hash, guest, lower), id, false);
	for (unsigned i = 0; i < sizeof(ret.byte); i++)
		ret.byte[i] = (unsigned char)(hash >> (40 - 8 * i));
	/* unicast, locally administered */
	ret.byte[0] = (unsigned char)((ret.byte[0] & ~1u) | 2u);
	return ret;
}

/* Only for modes in which guests share a segment: in the others nothing else sees the address. */
static void warn_default(const struct nic_case *c)
{
	if (!mode_row(c->nic->mode)->shared_segment || diag_has(c->ds, DIAG_MAC_DEFAULT))
		return;
	(void)diag_add(c->ds, DIAG_MAC_DEFAULT, 0, c->nic->at, NULL,
		       "the guest has no name, so the NIC gets QEMU's default address, which every "
		       "such guest has");
	diag_hint(c->ds, "set \"name\" in the descriptor, or \"mac\" of the NIC");
}

void address_decide(const struct nic_case *c)
{
	const struct guest *guest = &c->desc->guest;
	const char *names[] = { c->desc->name, guest->uuid, guest->name };
	static const char *const from[] = { "name", "uuid", "argv-name" };

	if (c->plan->has_mac) {
		c->plan->mac_from = c->nic->has_mac ? c->nic->in_argv ? "argv" : "mac" : "link";
		return;
	}
	if (!c->nic->has_device || c->nic->in_argv || mode_row(c->nic->mode)->own_mac ||
	    nic_device(c->nic)->has & (DEVICE_NO_MAC | DEVICE_NO_NETDEV))
		return;
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		if (!names[i] || !names[i][0])
			continue;
		c->plan->mac = derive(names[i], names[i] == guest->uuid, c->nic->id);
		c->plan->has_mac = true;
		c->plan->mac_from = from[i];
		return;
	}
	warn_default(c);
}

int address_rule(const struct nic_plan *nics, unsigned n, struct diags *ds)
{
	int ret = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++) {
			const struct nic_plan *a = &nics[i], *b = &nics[j];

			/* two NICs on one link are refused elsewhere */
			if (!a->has_mac || !b->has_mac || !mac_equal(a->mac, b->mac) ||
			    (a->facts->link.ifindex != 0 &&
			     a->facts->link.ifindex == b->facts->link.ifindex && !a->nic->has_mac))
				continue;
			ret |= diag_add(ds, DIAG_MAC_TWICE, 0, KEY(a->nic->at, "mac"), NULL,
					"nics[%u] also has the address " MAC_FMT, j,
					MAC_ARG(a->mac));
		}
	return ret;
}
