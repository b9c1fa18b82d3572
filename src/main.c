/*
 * main.c - qemu-handoff: from a launch descriptor to a running QEMU
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		(void)puts(PACKAGE_STRING);
		return 0;
	}
	(void)fputs("usage: qemu-handoff --version\n", stderr);
	return 100;
}
