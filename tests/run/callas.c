/*
 * callas.c - start a program under any name, as a shell's exec -a does and further
 *
 *   callas PROGRAM NAME [WORD]...       argv[0] is NAME, which may be empty
 *   callas PROGRAM                      argv is empty; Linux 5.18 and later put "" there
 */
#include "config.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	(void)execv(argv[1], argv + 2);
	perror(argv[1]);
	return 2;
}
