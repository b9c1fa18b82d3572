/*
 * passt_listens.c - where passt is to listen on the host, by its own words
 *
 * The value of -t and -u is [ADDRESS[%LINK]/]PORTS[,PORTS]...: what stands before the first slash
 * is for all of it, and without an address passt listens on all that the host has (conf_ports() of
 * passt, the same from 2023 to 2026). PORTS is FIRST[-LAST][:GUEST], "all", "none", or ~EXCLUDED.
 * What is none of these is left to passt.
 */
#include "config.h"

#include "mode/passt_listens.h"

#include <string.h>

enum { LISTENS_MAX = 256, PORT_MAX = 65535 };

struct listens {
	struct arena *mem;
	struct listen *list;
	unsigned n;
};

/* A port at *at, which moves after it; 0: there is none. */
static unsigned read_port(const char **at)
{
	unsigned ret = 0;

	for (; **at >= '0' && **at <= '9' && ret <= PORT_MAX; (*at)++)
		ret = ret * 10 + (unsigned)(**at - '0');
	return ret <= PORT_MAX ? ret : 0;
}

static void read_range(struct listen *l)
{
	const char *at = l->ports;
	const unsigned first = read_port(&at);
	unsigned last = first;

	if (first > 0 && *at == '-') {
		at++;
		last = read_port(&at);
	}
	if (*at == '\0' && last >= first) {
		l->first = first;
		l->last = last;
	}
}

static void add_ports(struct listens *ls, const struct listen *where, const char *ports,
		      size_t len)
{
	struct listen *l = &ls->list[ls->n];
	const size_t host = strcspn(ports, ":");

	*l = *where;
	/* after the colon there are the guest's */
	l->ports = arena_strn(ls->mem, ports, host < len ? host : len);
	if (l->ports[0] == '\0' || strcmp(l->ports, "none") == 0)
		return;
	read_range(l);
	ls->n++;
}

/* The address and the link; what follows them. */
static const char *read_where(struct listens *ls, const char *value, struct listen *ret)
{
	const char *slash = strchr(value, '/');
	char *address, *link;

	if (!slash)
		return value;
	address = arena_strn(ls->mem, value, (size_t)(slash - value));
	link = strchr(address, '%');
	if (link)
		*link++ = '\0';
	ret->address = address[0] ? address : NULL;
	ret->link = link;
	return slash + 1;
}

static void add_value(struct listens *ls, bool udp, const char *value)
{
	struct listen where = { .udp = udp };

	value = read_where(ls, value, &where);
	while (*value && ls->n < LISTENS_MAX) {
		const size_t len = strcspn(value, ",");

		add_ports(ls, &where, value, len);
		value += len + (value[len] == ',');
	}
}

/* The elements of a list, as passt_words() joins them; NULL: it is not given. */
static const char *joined(const struct nic *nic, const char *key, struct arena *mem)
{
	const char *ret = NULL;

	for (unsigned i = 0; i < nic->options.n; i++) {
		const struct prop *prop = &nic->options.list[i];

		if (strcmp(prop->key, key) == 0)
			ret = ret ? arena_printf(mem, "%s,%s", ret, prop->value) : prop->value;
	}
	return ret;
}

/* The rest of a word that begins so; NULL: it does not. */
static const char *after(const char *word, const char *start)
{
	return word && strncmp(word, start, strlen(start)) == 0 ? word + strlen(start) : NULL;
}

/* "-t VALUE", "-tVALUE", "--tcp-ports VALUE" and "--tcp-ports=VALUE" of param. */
static void add_params(struct listens *ls, const struct nic *nic, bool udp)
{
	bool next = false;

	for (unsigned i = 0; i < nic->options.n; i++) {
		const struct prop *prop = &nic->options.list[i];
		const char *value;

		if (strcmp(prop->key, "param") != 0)
			continue;
		if (next && prop->value) {
			add_value(ls, udp, prop->value);
			next = false;
			continue;
		}
		value = after(prop->value, udp ? "--udp-ports" : "--tcp-ports");
		if (value && value[0] == '=')
			value++;
		else if (!value)
			value = after(prop->value, udp ? "-u" : "-t");
		next = value && value[0] == '\0';
		if (value && !next)
			add_value(ls, udp, value);
	}
}

const struct listen *passt_listens(const struct nic *nic, struct arena *mem, unsigned *ret_n)
{
	struct listens ls = { .mem = mem,
			      .list = arena_array(mem, LISTENS_MAX, sizeof(*ls.list)) };

	for (int udp = 0; udp < 2; udp++) {
		const char *value = joined(nic, udp ? "udp-ports" : "tcp-ports", mem);

		if (value)
			add_value(&ls, udp != 0, value);
		add_params(&ls, nic, udp != 0);
	}
	*ret_n = ls.n;
	return ls.list;
}
