/*
 * fuzz_desc.c - any bytes as a descriptor
 *
 * Promises: a refusal has words and status 100, names a place inside the text, and leaves the result
 * untouched; what is taken is within every bound.
 */
#include "config.h"

#include "fuzz.h"

#include "base/names.h"
#include "desc/desc.h"
#include "mode/mode.h"
#include "desc/argv_nics.h"
#include "mode/table.h"

static unsigned lines_of(const char *text, size_t len)
{
	unsigned n = 1;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

static void check_refused(const struct diags *ds, const char *text, size_t len)
{
	PROMISE(ds->n > 0);
	PROMISE(ds->status == EXIT_DESC);
	for (unsigned i = 0; i < ds->n; i++)
		PROMISE(ds->list[i].line <= lines_of(text, len));
}

static void check_nic(const struct nic *nic)
{
	PROMISE(nic->mode < MODE__COUNT);
	PROMISE(nic->at && id_valid(nic->id));
	PROMISE(!nic->ifname || ifname_valid(nic->ifname));
	PROMISE(!nic->bridge || ifname_valid(nic->bridge));
	PROMISE(!nic->helper || nic->helper[0] == '/');
	PROMISE(nic->queues <= QUEUES_MAX);
	PROMISE(nic->fds.n <= QUEUES_MAX && nic->vhostfds.n <= QUEUES_MAX);
	PROMISE(nic->device.n <= PROPS_MAX && nic->options.n <= PROPS_MAX);
	PROMISE(!nic->has_mac || !(nic->mac.byte[0] & 1));
	for (unsigned i = 0; i < nic->fds.n; i++)
		PROMISE(nic->fds.list[i] >= FD_MIN && nic->fds.list[i] < FD_MAX);
	for (unsigned i = 0; i < nic->device.n; i++)
		PROMISE(id_valid(nic->device.list[i].key) && nic->device.list[i].value);
}

static void check_taken(const struct desc *desc, const struct diags *ds)
{
	PROMISE(ds->n == 0);
	PROMISE(desc->n_nics <= NICS_MAX && desc->n_args <= ARGS_MAX);
	PROMISE(desc->vcpus <= VCPUS_MAX);
	PROMISE(desc->max_queues >= 1 && desc->max_queues <= QUEUES_MAX);
	PROMISE(desc->fd_base >= FD_MIN && desc->fd_base < FD_MAX);
	PROMISE(desc->n_cgroups <= CGROUPS_MAX && desc->n_groups <= GROUPS_MAX);
	PROMISE(!desc->name || strlen(desc->name) <= NAME_MAX_LEN);
	PROMISE(!desc->qemu || desc->qemu[0] == '/');
	for (unsigned i = 0; i < desc->n_args; i++)
		PROMISE(desc->args[i]);
	for (unsigned i = 0; i < desc->n_nics; i++)
		check_nic(&desc->nics[i]);
}

static void one(const char *text, size_t len, struct arena *mem)
{
	static struct diags ds;
	struct desc desc = { .n_nics = 12345 };
	int ret;

	ds = (struct diags){ .mem = mem, .source = { .name = "stdin", .text = text } };
	ret = desc_parse(text, len, mode_syntax, mem, &desc, &ds);
	PROMISE(ret == 0 || ret == -1);
	if (ret < 0) {
		check_refused(&ds, text, len);
		PROMISE(desc.n_nics == 12345);
	} else {
		check_taken(&desc, &ds);
	}
	check_diags(&ds, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena mem = { 0 };
	char *text = malloc(size + 1);
	jmp_buf oom;

	mem.oom = &oom;
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (setjmp(oom) == 0)
		one(text, size, &mem);
	arena_free(&mem);
	free(text);
	return 0;
}
