/* ids.c - look up the ids that QEMU will run with */
#include "config.h"

#include "look/ids.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>

#include <linux/capability.h>

#include "sys/caps.h"

static bool unknown(struct ids_facts *ids, struct arena *mem, const struct id_wish *wish,
		    const char *key, int err)
{
	ids->unknown = wish->name ? wish->name : arena_printf(mem, "%u", wish->id);
	ids->unknown_key = key;
	ids->err = err;
	return false;
}

static bool find_user(const struct desc *desc, struct arena *mem, struct ids_facts *ids)
{
	const struct id_wish *wish = &desc->user;
	const struct passwd *pw = NULL;

	if (!wish->given)
		return true;
	ids->uid = wish->id;
	if (wish->name || !desc->group.given) {
		errno = 0;
		pw = wish->name ? getpwnam(wish->name) : getpwuid(wish->id);
		if (!pw && wish->name)
			return unknown(ids, mem, wish, "user", errno);
	}
	if (pw) {
		ids->uid = pw->pw_uid;
		ids->gid = pw->pw_gid;
	} else if (!desc->group.given) {
		return unknown(ids, mem, wish, "group", errno);
	}
	return true;
}

static bool find_group(const struct id_wish *wish, const char *key, struct arena *mem,
		       struct ids_facts *ids, unsigned *ret)
{
	const struct group *gr;

	if (!wish->given)
		return true;
	*ret = wish->id;
	if (!wish->name)
		return true;
	errno = 0;
	gr = getgrnam(wish->name);
	if (!gr)
		return unknown(ids, mem, wish, key, errno);
	*ret = gr->gr_gid;
	return true;
}

static bool same_groups(const struct facts *facts, const struct ids_facts *ids)
{
	if (facts->n_groups != ids->n_groups)
		return false;
	for (unsigned i = 0; i < ids->n_groups; i++) {
		unsigned j = 0;

		while (j < facts->n_groups && facts->groups[j] != ids->groups[i])
			j++;
		if (j == facts->n_groups)
			return false;
	}
	return true;
}

void ids_probe(const struct desc *desc, struct arena *mem, struct facts *ret)
{
	const uint64_t take = 1ULL << CAP_SETUID | 1ULL << CAP_SETGID;
	struct ids_facts ids = { .wanted = desc->user.given || desc->group.given ||
					   desc->has_groups,
				 .uid = ret->uid,
				 .gid = ret->gid };
	struct caps caps;
	unsigned *groups;
	bool known;

	if (!ids.wanted)
		return;
	groups = arena_array(mem, desc->n_groups, sizeof(*groups));
	known = find_user(desc, mem, &ids) &&
		find_group(&desc->group, "group", mem, &ids, &ids.gid);
	for (unsigned i = 0; known && i < desc->n_groups; i++)
		known = find_group(&desc->groups[i], "groups", mem, &ids, &groups[i]);
	ids.groups = groups;
	ids.n_groups = desc->n_groups;
	/* keeping one's own ids needs no privilege: supplementary groups stay if none are given */
	if (!desc->has_groups && ids.uid == ret->uid && ids.gid == ret->gid) {
		ids.groups = ret->groups;
		ids.n_groups = ret->n_groups;
	}
	ids.same = known && ids.uid == ret->uid && ids.gid == ret->gid && same_groups(ret, &ids);
	(void)caps_get(&caps);
	ids.can_take = (caps.effective & take) == take;
	ret->ids = ids;
}
