/*
 * net.c - the host's side of talk.h
 *
 *	net serve PORT		TCP and UDP on every address, until killed; says "ready" first
 *	net ask ADDRESS PORT LINE	ask a line over TCP and print the answer
 */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "talk.h"

static char block[256 * 1024];

static int bound(int type, const char *port)
{
	const struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port)) };
	const int sock = socket(AF_INET, type | SOCK_CLOEXEC, 0), on = 1;

	(void)setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(sock, (const struct sockaddr *)&at, sizeof(at)) < 0 || (type == SOCK_STREAM && listen(sock, 8) < 0)) {
		perror("net");
		exit(1);
	}
	return sock;
}

static void answer_line(int c, size_t len)
{
	char answer[256];
	const int n = snprintf(answer, sizeof(answer), "server: %.*s", (int)len - 1, block + 1);

	(void)send(c, answer, (size_t)n, 0);
}

static void serve_tcp(int c)
{
	const int on = 1;
	ssize_t n;

	(void)setsockopt(c, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	n = recv(c, block, 1, 0);
	if (n == 1 && block[0] == TALK_LINE) {
		n = recv(c, block + 1, 200, 0);
		answer_line(c, (size_t)(n > 0 ? n + 1 : 1));
	} else if (n == 1 && block[0] == TALK_SINK) {
		while (recv(c, block, sizeof(block), MSG_TRUNC) > 0)
			;
	} else if (n == 1 && block[0] == TALK_ECHO) {
		while ((n = recv(c, block, sizeof(block), 0)) > 0)
			(void)send(c, block, (size_t)n, 0);
	}
	(void)close(c);
}

static void serve(const char *port)
{
	struct pollfd pfd[2] = { { .fd = bound(SOCK_STREAM, port), .events = POLLIN },
				 { .fd = bound(SOCK_DGRAM, port), .events = POLLIN } };

	(void)signal(SIGCHLD, SIG_IGN);
	(void)puts("ready");
	(void)fflush(stdout);
	while (poll(pfd, 2, -1) > 0) {
		struct sockaddr_in from;
		socklen_t len = sizeof(from);

		if (pfd[0].revents) {
			const int c = accept(pfd[0].fd, NULL, NULL);

			if (fork() == 0) {
				serve_tcp(c);
				_exit(0);
			}
			(void)close(c);
		}
		if (pfd[1].revents) {
			const ssize_t n = recvfrom(pfd[1].fd, block, 200, 0, (struct sockaddr *)&from, &len);
			char answer[256];
			const int m = snprintf(answer, sizeof(answer), "server: %.*s", n > 0 ? (int)n - 1 : 0, block + 1);

			(void)sendto(pfd[1].fd, answer, (size_t)m, 0, (struct sockaddr *)&from, len);
		}
	}
}

static int ask(const char *host, const char *port, const char *line)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port)) };
	const int sock = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const struct timeval limit = { .tv_sec = 20 };
	char text[256];
	ssize_t n;

	(void)setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (inet_pton(AF_INET, host, &to.sin_addr) != 1 || connect(sock, (struct sockaddr *)&to, sizeof(to)) < 0) {
		perror("net");
		return 1;
	}
	(void)snprintf(text, sizeof(text), "%c%s", TALK_LINE, line);
	(void)send(sock, text, strlen(text), 0);
	while ((n = recv(sock, text, sizeof(text), 0)) > 0)
		(void)fwrite(text, 1, (size_t)n, stdout);
	(void)putchar('\n');
	return n < 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "serve") == 0)
		serve(argv[2]);
	else if (argc == 5 && strcmp(argv[1], "ask") == 0)
		return ask(argv[2], argv[3], argv[4]);
	(void)fprintf(stderr, "usage: net serve PORT | net ask ADDRESS PORT LINE\n");
	return 2;
}
