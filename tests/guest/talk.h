/* talk.h - what the guest and net.c say to each other over TCP and UDP; the first byte says which */
#define TALK_LINE	'L'		/* a line; the answer is "server: " and the line */
#define TALK_SINK	'S'		/* bytes without end: they are thrown away */
#define TALK_ECHO	'E'		/* each byte comes back */

/*
 * In the guest. Words of the kernel's command line, each as ADDRESS:PORT, in this order:
 *	guest_tcp, guest_udp	ask a line and say what came back
 *	guest_listen=PORT	answer one TCP connection as the server would
 *	guest_bench		how many bytes, and how many echoes, in guest_seconds each (5)
 */
void talk_run(void);
