/* test_passt_said.c - what passt means by what it says, in the words of 2023, 2025 and 2026 */
#include "config.h"

#include <errno.h>

#include "facts/passt_said.h"
#include "unit.h"

static const struct row {
	const char *name, *said;
	int port_err;
	enum diag_id id;
} rows[] = {
	{ "option", "/usr/bin/passt: unrecognized option '--vhost-user'", 0, DIAG_PASST_OPTION },
	{ "port: a word, 2023", "Invalid port specifier foo", 0, DIAG_PASST_OPTION },
	{ "port: a word, 2026", "Invalid port specifier 'foo'", 0, DIAG_PASST_OPTION },
	{ "port: twice, 2023", "Overlapping port specifier 22", 0, DIAG_PASST_OPTION },
	{ "port: twice, 2025", "Altering mapping of already mapped port number: 22; Failed to bind port 22 "
	  "(Address already in use) for option '-t 22'", 0, DIAG_PASST_OPTION },
	{ "port: twice, 2026", "Forwarding configuration conflict: TCP [*]:22  =>  22  versus TCP [*]:22  =>  22 ; "
	  "Unable to add rule TCP [*]:22  =>  22 ", 0, DIAG_PASST_OPTION },
	{ "port: in use, 2023", "Failed to bind any port for '-t 7000', exiting", EADDRINUSE, DIAG_PASST_PORT },
	{ "port: in use until now, 2023", "Failed to bind any port for '-t 7000', exiting", 0, DIAG_PASST_PORT },
	{ "port: in use, 2025", "Failed to bind port 7000 (Address already in use) for option '-t 7000'", 0,
	  DIAG_PASST_PORT },
	{ "port: in use, 2026", "Listen failed for HOST TCP port */7000: Address already in use; Couldn't listen on "
	  "requested ports", 0, DIAG_PASST_PORT },
	{ "port: low, 2023", "Failed to bind any port for '-t 80', exiting", EACCES, DIAG_PASST_PRIVILEGE },
	{ "port: low, 2025", "Failed to bind port 80 (Permission denied) for option '-t 80'", 0, DIAG_PASST_PRIVILEGE },
	{ "port: low, 2026", "Listen failed for HOST TCP port */80: Permission denied; Couldn't listen on requested "
	  "ports", 0, DIAG_PASST_PRIVILEGE },
	{ "port: not our address, 2023", "Failed to bind any port for '-t 198.51.100.1/7005', exiting", EADDRNOTAVAIL,
	  DIAG_PASST_INTERFACE },
	{ "port: not our address, 2025", "Failed to bind port 7005 (Cannot assign requested address) for option '-t "
	  "198.51.100.1/7005'", 0, DIAG_PASST_INTERFACE },
	{ "port: not our address, 2026", "Listen failed for HOST TCP port 198.51.100.1/7005: Cannot assign requested "
	  "address; Couldn't listen on requested ports", 0, DIAG_PASST_INTERFACE },
	{ "port: no such link, 2025", "Can't bind UDP flow socket socket for 0.0.0.0:7006 to nope, closing; Failed to "
	  "bind port 7006 (No such device) for option '-t %nope/7006'", 0, DIAG_PASST_INTERFACE },
	{ "port: another reason", "Failed to bind port 7006 (Some other reason) for option '-t 7006'", 0,
	  DIAG_PASST_FAILED },
	{ "link: none of that name", "Invalid interface name nope: No such device", 0, DIAG_PASST_INTERFACE },
	{ "link: none with a route, 2023", "No external routable interface for IPv4; External interface not usable", 0,
	  DIAG_PASST_INTERFACE },
	{ "value: address, 2023", "Invalid address: foo", 0, DIAG_PASST_OPTION },
	{ "value: address, 2026", "Invalid guest address: foo", 0, DIAG_PASST_OPTION },
	{ "value: netmask, 2026", "Invalid prefix length: 99", 0, DIAG_PASST_OPTION },
	{ "value: MTU, 2025", "MTU 99999999 too large (max 65521)", 0, DIAG_PASST_OPTION },
	{ "value: DNS", "Cannot use DNS address foo", 0, DIAG_PASST_OPTION },
	{ "value: both families off", "Options ipv4-only and ipv6-only are mutually exclusive", 0, DIAG_PASST_OPTION },
	{ "privilege: no CAP_SETGID", "Can't set GID to 65534: Operation not permitted", 0, DIAG_PASST_PRIVILEGE },
	{ "privilege: no CAP_SETUID", "Can't set UID to 65534: Operation not permitted", 0, DIAG_PASST_PRIVILEGE },
	{ "namespaces: 2023", "Couldn't create user namespace: Operation not permitted", 0, DIAG_PASST_NAMESPACE },
	{ "namespaces: 2025", "Failed to detach isolating namespaces: Operation not permitted", 0, DIAG_PASST_NAMESPACE },
	{ "resources: processes", "fork: Resource temporarily unavailable", 0, DIAG_PASST_RESOURCES },
	{ "resources: files, 2023", "/dev/null open: Too many open files", 0, DIAG_PASST_RESOURCES },
	{ "file: 2023", "PID file open: No such file or directory", 0, DIAG_PASST_FAILED },
	{ "file: 2025", "Couldn't open log file /nonexistent/x: No such file or directory", 0, DIAG_PASST_FAILED },
	{ "words that nobody knows", "The moon is full", 0, DIAG_PASST_FAILED },
	{ "nothing", "it said nothing", 0, DIAG_PASST_FAILED },
};

static void meaning(void **state)
{
	const struct row *row = *state;

	assert_string_equal(diag_name(passt_meaning(row->said, row->port_err).id), diag_name(row->id));
}

/* A reason that is not known asks for no retry. */
static void fallback(void **state)
{
	(void)state;
	assert_int_equal(diag_status(DIAG_PASST_FAILED), EXIT_HOST);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_LEN(rows) + 1] = {
		cmocka_unit_test(fallback),
	};

	UNIT_ROWS(tests + 1, rows, meaning);
	return UNIT_RUN(tests, argc, argv);
}
