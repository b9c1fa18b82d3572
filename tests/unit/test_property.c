/*
 * test_property.c - what must hold of every plan, whatever descriptor and host it was made of
 *
 * Descriptors and facts come from a generator with a fixed start: a failure names the round, and is the
 * same every time. Both ends are looked at: plans that were made, and that a refusal says why.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "host.h"
#include "desc/cmdline.h"
#include "plan/report.h"
#include "plan/layout.h"

enum { ROUNDS = 4000, NUMBERS = 1024 };

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % n;
}

static bool once_in(unsigned n)
{
	return below(n) == 0;
}

/* --- random descriptors ---------------------------------------------------------------------------------------- */

static const char *const values[] = {
	"x", "on", "x,mq=off", ",,", "a,,b=c,", "-netdev", "a b", "\\'\\\\", "$(id)", "\xc3\xa9", "", "0", "%s%n", "x,id=evil,netdev=evil",
};

static void put_pins(struct str *s, const char *key, unsigned n)
{
	str_put(s, ",'%s':[", key);
	for (unsigned i = 0; i < n; i++)
		str_put(s, "%s%u", i > 0 ? "," : "", 3 + below(once_in(4) ? 30 : 900));
	str_put(s, "]");
}

static void put_device(struct str *s)
{
	if (once_in(6)) {
		str_put(s, ",'device':false");
		return;
	}
	str_put(s, ",'device':{'romfile':'%s'", values[below(ARRAY_LEN(values))]);
	if (once_in(3))
		str_put(s, ",'driver':'%s'", once_in(2) ? "e1000" : "virtio-net-pci-transitional");
	if (once_in(8))
		str_put(s, ",'vectors':%u", 2 * below(6) + 2);
	if (once_in(8))
		str_put(s, ",'mq':%s", once_in(2) ? "true" : "false");
	str_put(s, "}");
}

static void put_nic(struct str *s, unsigned mode)
{
	static const char *const needed[] = {
		[MODE_USER] = "'mode':'user'", [MODE_BRIDGE] = "'mode':'bridge','bridge':'br0'", [MODE_TAP] = "'mode':'tap','ifname':'t0'",
		[MODE_MACVTAP] = "'mode':'macvtap','ifname':'m0'", [MODE_CUSTOM] = "'mode':'custom'",
	};
	const unsigned n = once_in(3) ? 1 : 1 + below(once_in(6) ? 70 : 8);
	const bool opened = mode == MODE_BRIDGE || mode == MODE_TAP || mode == MODE_MACVTAP;

	str_put(s, "{%s", needed[mode]);
	if (once_in(2))
		str_put(s, ",'queues':%u", n);
	if (mode != MODE_USER && once_in(2))
		str_put(s, ",'vhost':%s", once_in(2) ? "true" : "false");
	if (opened && once_in(4))
		put_pins(s, "fds", n > QUEUES_MAX ? 1 : n);
	if (opened && once_in(6))
		put_pins(s, "vhostfds", n > QUEUES_MAX ? 1 : n);
	if ((mode == MODE_BRIDGE || mode == MODE_TAP) && once_in(5))
		str_put(s, ",'handoff':false");
	if (once_in(2))
		str_put(s, ",'mac':'02:00:00:00:00:%02x'", below(9));
	if (once_in(3))
		put_device(s);
	if (mode == MODE_USER && once_in(2))
		str_put(s, ",'options':{'hostname':'%s'}", values[below(ARRAY_LEN(values))]);
}

static void put_members(struct str *s)
{
	const unsigned nics = below(HOST_NICS + 1);

	str_put(s, "'vcpus':%u", 1 + below(24));
	if (once_in(2))
		str_put(s, ",'max_queues':%u", 1 + below(QUEUES_MAX));
	if (once_in(4))
		str_put(s, ",'vhost':false");
	if (once_in(3))
		str_put(s, ",'vsock':{'cid':%u}", 3 + below(1000));
	if (once_in(3))
		str_put(s, ",'fd_base':%u", 3 + below(200));
	if (once_in(2))
		str_put(s, ",'seccomp':'none'");
	str_put(s, ",'nics':[");
	for (unsigned i = 0; i < nics; i++) {
		/* the others start a program or join a socket: test_passt */
		static const enum mode modes[] = { MODE_USER, MODE_BRIDGE, MODE_TAP, MODE_MACVTAP, MODE_CUSTOM };
		const unsigned mode = modes[below(ARRAY_LEN(modes))];

		str_put(s, "%s", i > 0 ? "," : "");
		put_nic(s, mode);
		str_put(s, mode == MODE_CUSTOM ? ",'netdev':'vhost-user,id=net%u'}" : "}", i);
	}
	str_put(s, "]");
}

/* --- random hosts ------------------------------------------------------------------------------------------------ */

static void change_host(struct host *h, bool *taken)
{
	int list[64] = { 0 };

	for (unsigned i = 0, n = below(40); i < n; i++)
		list[i] = 3 + (int)below(once_in(3) ? 60 : 12);
	for (unsigned i = 0; list[i]; i++)
		taken[list[i]] = true;
	host_free_fds(h, list);
	/* no more than the probe would gather */
	if (h->facts.n_free > layout_slots_max(&h->desc))
		h->facts.n_free = layout_slots_max(&h->desc);
	if (once_in(4))
		h->facts.vhost_net.err = ENOENT;
	if (once_in(8))
		h->facts.nofile_hard = 3 + below(100);
	if (once_in(2))
		h->facts.nofile_soft = h->facts.nofile_hard < 64 ? h->facts.nofile_hard : 64;
	for (unsigned i = 0; i < h->desc.n_nics; i++) {
		struct link *link = &h->nics[i].link;

		link->up = !once_in(5);
		link->tun.multi_queue = !once_in(3);
		link->tx_queues = link->rx_queues = 1 + below(20);
		for (unsigned p = 0; p < h->desc.nics[i].fds.n; p++)
			h->open[0][i][p] = taken[h->desc.nics[i].fds.list[p]];
		for (unsigned p = 0; p < h->desc.nics[i].vhostfds.n; p++)
			h->open[1][i][p] = taken[h->desc.nics[i].vhostfds.list[p]];
	}
}

/* --- what holds ---------------------------------------------------------------------------------------------------- */

static unsigned round_n;

#define HOLDS(what) do { if (!(what)) fail_msg("round %u: %s", round_n, #what); } while (0)

/* How often each number stands in the option values that are lists of descriptors. */
static void count_words(struct host *h, unsigned *times)
{
	static const char *const keys[] = { "fd", "fds", "vhostfd", "vhostfds" };

	for (unsigned w = 0; w < h->plan.argc; w++) {
		struct qopts opts;

		if (!qopts_parse(&h->u.mem, h->plan.argv[w], "type", &opts))
			continue;
		for (unsigned i = 0; i < opts.n; i++) {
			for (unsigned k = 0; k < ARRAY_LEN(keys); k++) {
				int list[QUEUES_MAX];
				const unsigned n = strcmp(opts.list[i].key, keys[k]) == 0 ?
						   qopts_numbers(opts.list[i].value, list, QUEUES_MAX) : 0;

				for (unsigned j = 0; j < n; j++)
					times[list[j] % NUMBERS]++;
			}
		}
	}
}

static void numbers_hold(struct host *h, const bool *taken)
{
	unsigned in_plan[NUMBERS] = { 0 }, in_words[NUMBERS] = { 0 };
	const struct plan *plan = &h->plan;

	HOLDS(plan->n_slots <= layout_slots_max(&h->desc));
	for (unsigned i = 0; i < plan->n_slots; i++) {
		const int fd = plan->slots[i].fd;

		HOLDS(fd >= 3 && fd < NUMBERS);
		HOLDS((unsigned long)fd < h->facts.nofile_hard);
		HOLDS(!taken[fd]);
		in_plan[fd]++;
	}
	count_words(h, in_words);
	for (unsigned i = 0; i < NUMBERS; i++) {
		HOLDS(in_plan[i] <= 1);
		HOLDS(in_words[i] == in_plan[i]);
	}
	if (plan->confine.filter)
		HOLDS(plan->nofile < h->facts.nofile_hard);
	for (unsigned i = 0; i < plan->n_slots && plan->nofile > 0; i++)
		HOLDS((unsigned long)plan->slots[i].fd < plan->nofile);
}

static void device_holds(struct host *h, const struct nic_plan *np)
{
	struct qopts opts;
	const char *mq, *vectors;
	unsigned keys = 2, given = 0;

	HOLDS((np->device != NULL) == np->nic->has_device);
	if (!np->device)
		return;
	HOLDS(qopts_parse(&h->u.mem, np->device, "driver", &opts));
	HOLDS(strcmp(qopts_get(&opts, "netdev"), np->nic->id) == 0);
	mq = qopts_get(&opts, "mq");
	vectors = qopts_get(&opts, "vectors");
	HOLDS(np->queues <= 1 || (mq && vectors && strcmp(mq, "on") == 0));
	HOLDS(np->queues <= 1 || strtoul(vectors, NULL, 10) >= 2UL * np->queues + 1);
	for (unsigned i = 0; i < np->nic->device.n; i++) {
		if (strcmp(np->nic->device.list[i].key, "romfile") != 0) {
			given += np->queues == 1;	/* mq and vectors: with more queue pairs they are counted below */
			continue;
		}
		given++;
		HOLDS(strcmp(qopts_get(&opts, "romfile"), np->nic->device.list[i].value) == 0);
	}
	/* no value became a key */
	keys += (np->queues > 1 ? 2 : 0) + np->has_mac + given;
	HOLDS(opts.n == keys);
}

static void nic_holds(struct host *h, const struct nic_plan *np)
{
	const struct nic *nic = np->nic;

	HOLDS(np->queues >= 1 && np->queues <= h->desc.max_queues);
	HOLDS(nic->queues == 0 || np->queues == nic->queues);
	HOLDS(nic->queues != 0 || nic->fds.n > 0 || np->queues <= QUEUES_DEFAULT_MAX);
	HOLDS(nic->queues != 0 || nic->fds.n > 0 || np->vhost || np->queues == 1);
	HOLDS(nic->vhost != CHOICE_ON || np->vhost);
	HOLDS(nic->vhost != CHOICE_OFF || !np->vhost);
	HOLDS(!np->vhost || h->facts.vhost_net.err == 0);
	HOLDS(!np->vhostfds || np->vhost);
	HOLDS((np->vhostfds != NULL) == (np->fds && np->vhost));
	HOLDS(!np->fds || !np->by_qemu);
	for (unsigned i = 0; np->fds && i < nic->fds.n; i++)
		HOLDS(np->fds[i] == nic->fds.list[i]);
	for (unsigned i = 0; np->vhostfds && i < nic->vhostfds.n; i++)
		HOLDS(np->vhostfds[i] == nic->vhostfds.list[i]);
	device_holds(h, np);
}

/* The document that programs read has the same numbers and the same words. */
static void json_holds(struct host *h)
{
	cJSON *root = cJSON_Parse(report_make(&h->plan, &h->u.ds, REPORT_JSON, &h->u.mem));
	const cJSON *fds = cJSON_GetObjectItemCaseSensitive(root, "fds"), *argv = cJSON_GetObjectItemCaseSensitive(root, "argv");
	unsigned i = 0;

	HOLDS(root != NULL);
	HOLDS(cJSON_GetArraySize(fds) == (int)h->plan.n_slots && cJSON_GetArraySize(argv) == (int)h->plan.argc);
	for (const cJSON *fd = fds->child; fd; fd = fd->next, i++)
		HOLDS(cJSON_GetObjectItemCaseSensitive(fd, "fd")->valueint == h->plan.slots[i].fd);
	i = 0;
	for (const cJSON *word = argv->child; word; word = word->next, i++)
		HOLDS(strcmp(word->valuestring, h->plan.argv[i]) == 0);
	cJSON_Delete(root);
}

/* The table for eyes has each number once, alone or in a range. */
static void text_holds(struct host *h)
{
	const char *p = strstr(report_make(&h->plan, &h->u.ds, REPORT_TEXT, &h->u.mem), "\nDESCRIPTOR");
	unsigned n = 0;

	HOLDS((p != NULL) == (h->plan.n_slots > 0));
	if (!p)
		return;
	for (p = strchr(p + 1, '\n') + 1; *p != '\n'; p = strchr(p, '\n') + 1) {
		char *end;
		const long first = strtol(p, &end, 10), last = *end == '-' ? strtol(end + 1, NULL, 10) : first;

		for (long fd = first; fd <= last; fd++, n++)
			HOLDS(n < h->plan.n_slots && h->plan.slots[n].fd == fd);
	}
	HOLDS(n == h->plan.n_slots);
}

static unsigned one_round(void)
{
	static const struct cmdline none = { .argv0 = "qemu" };
	static struct host h;
	bool taken[NUMBERS] = { false };
	char members[8192];
	struct str s = STR_ON(members);
	int ret;

	put_members(&s);
	HOLDS(!str_cut(&s));
	ret = host_read(&h, members, &none);
	if (ret == 0) {
		host_fit(&h);
		change_host(&h, taken);
		ret = host_plan(&h, &none);
	}
	HOLDS((ret == 0) == (h.u.ds.status == EXIT_NONE));
	HOLDS(ret == 0 || h.u.ds.n > 0);
	if (ret == 0) {
		numbers_hold(&h, taken);
		for (unsigned i = 0; i < h.desc.n_nics; i++)
			nic_holds(&h, &h.plan.nics[i]);
		json_holds(&h);
		text_holds(&h);
	}
	host_close(&h);
	return ret == 0;
}

static void every_plan(void **state)
{
	unsigned made = 0;

	(void)state;
	seed = 0x9e3779b97f4a7c15;
	for (round_n = 0; round_n < ROUNDS; round_n++)
		made += one_round();
	/* a generator that only made refusals, or none, would show nothing */
	assert_true(made > ROUNDS / 8 && made < ROUNDS * 7 / 8);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(every_plan) };

	if (setjmp(unit_oom) != 0)
		return 1;
	return UNIT_RUN(tests, argc, argv);
}
