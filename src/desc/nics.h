/* nics.h - "nics": the keys of a NIC, and which mode has which keys. Pure. */
#ifndef QH_DESC_NICS_H
#define QH_DESC_NICS_H

#include <stdint.h>

#include "desc/descriptor.h"
#include "desc/read.h"

/* Fill in the members nics and n_nics of ret, which is a struct desc. */
read_fn read_nics;

/*
 * An object of properties of -device. "driver" is no property of the list: *ret_driver is written
 * where it is given.
 */
int device_props_read(struct reader *r, const cJSON *item, const struct where *at,
		      struct props *ret, const char **ret_driver);

/* The name of key i of a NIC (enum nic_key), and of its "expect"; NULL after the last one. */
const char *nic_key_name(unsigned i);
const char *expect_key_name(unsigned i);

#endif
