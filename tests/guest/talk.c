/*
 * talk.c - the guest's side of talk.h
 */
#include "talk.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static bool address(const char *word, struct sockaddr_in *ret)
{
	char host[64];
	const char *colon = strchr(word, ':');

	if (!colon || colon - word >= (long)sizeof(host))
		return false;
	memcpy(host, word, (size_t)(colon - word));
	host[colon - word] = '\0';
	*ret = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(colon + 1)) };
	return inet_pton(AF_INET, host, &ret->sin_addr) == 1;
}

/* A socket connected to where the word says, or -1. */
static int reach(const char *name, int type)
{
	const char *word = getenv(name);
	struct sockaddr_in to;
	int sock;

	if (!word)
		return -1;
	sock = address(word, &to) ? socket(AF_INET, type | SOCK_CLOEXEC, 0) : -1;
	if (sock < 0 || connect(sock, (struct sockaddr *)&to, sizeof(to)) < 0) {
		printf("guest: %s error %m\n", name + 6);
		(void)close(sock);
		return -1;
	}
	return sock;
}

static void ask(const char *name, int type)
{
	static const char line[] = "Lhello from the guest";
	struct pollfd pfd = { .events = POLLIN };
	char answer[128];
	ssize_t n = -1;

	pfd.fd = reach(name, type);
	/* a datagram may be lost */
	for (int try = 0; pfd.fd >= 0 && n < 0 && try < 5; try++) {
		(void)send(pfd.fd, line, strlen(line), 0);
		if (type == SOCK_STREAM)
			(void)shutdown(pfd.fd, SHUT_WR);
		if (poll(&pfd, 1, 2000) > 0)
			n = recv(pfd.fd, answer, sizeof(answer) - 1, 0);
	}
	if (pfd.fd < 0)
		return;
	answer[n > 0 ? n : 0] = '\0';
	printf("guest: %s said '%s'\n", name + 6, answer);
	(void)close(pfd.fd);
}

static void serve_one(void)
{
	const char *port = getenv("guest_listen");
	struct sockaddr_in at = { .sin_family = AF_INET };
	const int sock = port ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	char line[128];
	ssize_t n;
	int c;

	if (!port)
		return;
	at.sin_port = htons((unsigned short)atoi(port));
	if (bind(sock, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(sock, 1) < 0) {
		printf("guest: listen error %m\n");
		return;
	}
	printf("guest: listening\n");
	c = accept(sock, NULL, NULL);
	n = recv(c, line, sizeof(line) - 1, 0);
	line[n > 0 ? n : 0] = '\0';
	printf("guest: was asked '%s'\n", line);
	(void)send(c, "guest: ", 7, 0);
	(void)send(c, line + 1, n > 1 ? (size_t)n - 1 : 0, 0);
	/* the guest may be gone a moment later, and what is on the way with it: wait for the other's end */
	(void)shutdown(c, SHUT_WR);
	(void)setsockopt(c, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){ .tv_sec = 5 }, sizeof(struct timeval));
	while (recv(c, line, sizeof(line), 0) > 0)
		;
	(void)close(c);
	(void)close(sock);
}

static double now(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void bench(void)
{
	const double seconds = getenv("guest_seconds") ? atof(getenv("guest_seconds")) : 5;
	static char block[256 * 1024];
	double start, bytes = 0, echoes = 0;
	char byte = TALK_ECHO;
	int sock = reach("guest_bench", SOCK_STREAM);

	if (sock < 0)
		return;
	/* half a second for the windows to open is not counted */
	block[0] = TALK_SINK;
	for (start = now(); now() < start + 0.5;)
		(void)send(sock, block, sizeof(block), 0);
	for (start = now(); now() < start + seconds;) {
		const ssize_t n = send(sock, block, sizeof(block), 0);

		bytes += n > 0 ? (double)n : 0;
	}
	printf("guest: bench stream %.3f Mbit/s\n", bytes * 8 / (now() - start) / 1e6);
	(void)close(sock);
	sock = reach("guest_bench", SOCK_STREAM);
	(void)send(sock, &byte, 1, 0);
	for (start = now(); now() < start + seconds && send(sock, &byte, 1, 0) == 1 && recv(sock, &byte, 1, 0) == 1;)
		echoes++;
	printf("guest: bench echo %.1f /s\n", echoes / (now() - start));
	(void)close(sock);
}

void talk_run(void)
{
	ask("guest_tcp", SOCK_STREAM);
	ask("guest_udp", SOCK_DGRAM);
	serve_one();
	bench();
}
