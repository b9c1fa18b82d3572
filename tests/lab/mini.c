/*
 * mini.c - the lab's small guest: receives frames as fast as it can and counts them
 *
 * No kernel and no libc: QEMU starts it through its PVH entry in 32-bit protected mode, and it is up
 * where a Linux guest would still unpack itself. It drives the first virtio network card of bus 0 with
 * all the queue pairs that the device has, by polling, through the legacy interface (the virtio
 * specification, 4.1.4.10; the card must sit on the root bus to have one). What it says, on COM1:
 *
 *	mini: pairs=2
 *	mini: second=1 rx=1200,1100	(frames received so far on each queue)
 *
 * It never ends. Every descriptor points to the same buffer: nobody looks at what arrives.
 */
#include <stddef.h>
#include <stdint.h>

enum { PAIRS_MAX = 8, RING_MAX = 1024, PAGE = 4096 };

/* the legacy registers, from the I/O BAR on; without MSI-X the card's own begin at 20 */
enum {
	DEVICE_FEATURES = 0, DRIVER_FEATURES = 4, QUEUE_PFN = 8, QUEUE_SIZE = 12, QUEUE_SELECT = 14,
	QUEUE_NOTIFY = 16, STATUS = 18, NET_MAX_PAIRS = 20 + 8,
};
enum { F_STATUS = 1 << 16, F_CTRL_VQ = 1 << 17, F_MQ = 1 << 22 };
enum { NEXT = 1, WRITE = 2 };			/* flags of a descriptor */
enum { CTRL_MQ = 4 };

struct desc {
	uint64_t addr;
	uint32_t len;
	uint16_t flags, next;
};

struct queue {
	uint16_t index, size, posted, taken;
	uint32_t frames;
	struct desc *desc;
	volatile uint16_t *avail, *used;	/* flags, index, then the ring */
};

static uint8_t rings[(2 * PAIRS_MAX + 1) * 8 * PAGE] __attribute__((aligned(PAGE)));
static uint8_t buffer[2048];
static struct queue rx[PAIRS_MAX], tx, ctrl;
static size_t rings_used;
static uint16_t io;

static inline void out8(uint16_t port, uint8_t v) { __asm__ volatile("outb %0, %1" :: "a"(v), "Nd"(port)); }
static inline void out16(uint16_t port, uint16_t v) { __asm__ volatile("outw %0, %1" :: "a"(v), "Nd"(port)); }
static inline void out32(uint16_t port, uint32_t v) { __asm__ volatile("outl %0, %1" :: "a"(v), "Nd"(port)); }
static inline uint8_t in8(uint16_t port) { uint8_t v; __asm__ volatile("inb %1, %0" : "=a"(v) : "Nd"(port)); return v; }
static inline uint16_t in16(uint16_t port) { uint16_t v; __asm__ volatile("inw %1, %0" : "=a"(v) : "Nd"(port)); return v; }
static inline uint32_t in32(uint16_t port) { uint32_t v; __asm__ volatile("inl %1, %0" : "=a"(v) : "Nd"(port)); return v; }
static inline void barrier(void) { __asm__ volatile("lock; addl $0, (%%esp)" ::: "memory", "cc"); }

/* --- words ----------------------------------------------------------------------------------------- */

static void say(const char *s)
{
	for (; *s; s++) {
		while (!(in8(0x3fd) & 0x20))
			;
		out8(0x3f8, (uint8_t)*s);
	}
}

static void say_number(uint32_t n)
{
	char text[11], *p = text + 10;

	*p = '\0';
	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	say(p);
}

static void stop(const char *why)
{
	say("mini: error ");
	say(why);
	say("\n");
	for (;;)
		__asm__ volatile("hlt");
}

/* --- queues ------------------------------------------------------------------------------------------ */

static void queue_make(struct queue *q, uint16_t index)
{
	uint32_t used, size;

	out16(io + QUEUE_SELECT, index);
	q->index = index;
	q->size = in16(io + QUEUE_SIZE);
	used = (uint32_t)(q->size * 18 + 6 + PAGE - 1) / PAGE * PAGE;
	size = (used + q->size * 8U + 6 + PAGE - 1) / PAGE * PAGE;
	if (q->size == 0 || q->size > RING_MAX || rings_used + size > sizeof(rings))
		stop("queue");
	q->desc = (void *)(rings + rings_used);
	q->avail = (void *)(rings + rings_used + q->size * 16);
	q->used = (void *)(rings + rings_used + used);
	q->avail[0] = 1;			/* no interrupts */
	out32(io + QUEUE_PFN, (uint32_t)q->desc / PAGE);
	rings_used += size;
}

static void queue_post(struct queue *q, uint16_t desc)
{
	q->avail[2 + q->posted++ % q->size] = desc;
}

static void queue_kick(struct queue *q)
{
	barrier();
	q->avail[1] = q->posted;
	barrier();
	if (!(q->used[0] & 1))
		out16(io + QUEUE_NOTIFY, q->index);
}

static void rx_fill(struct queue *q)
{
	for (uint16_t i = 0; i < q->size; i++) {
		q->desc[i] = (struct desc){ (uint32_t)buffer, sizeof(buffer), WRITE, 0 };
		queue_post(q, i);
	}
	queue_kick(q);
}

/* Count what has arrived, and give the buffers back. */
static void rx_take(struct queue *q)
{
	uint16_t n = 0;

	for (; q->used[1] != q->taken && n < 64; n++) {
		const volatile uint32_t *element = (const volatile uint32_t *)(q->used + 2) + 2 * (q->taken++ % q->size);

		queue_post(q, (uint16_t)*element);
	}
	q->frames += n;
	if (n > 0)
		queue_kick(q);
}

/* --- the card ---------------------------------------------------------------------------------------- */

static uint32_t pci(uint32_t slot, uint32_t reg)
{
	out32(0xcf8, 0x80000000U | slot << 11 | reg);
	return in32(0xcfc);
}

static void card_find(void)
{
	uint32_t slot = 0;

	while (slot < 32 && pci(slot, 0) != 0x10001af4U)	/* virtio-net, transitional */
		slot++;
	if (slot == 32)
		stop("no network card");
	io = (uint16_t)(pci(slot, 0x10) & ~3U);
	(void)pci(slot, 4);
	out32(0xcfc, 5);					/* I/O ports, bus master */
}

static void set_pairs(uint16_t n)
{
	static struct { uint8_t class, command; uint16_t pairs; uint8_t ack; } __attribute__((packed)) order;

	order.class = CTRL_MQ;
	order.pairs = n;
	order.ack = 0xff;
	ctrl.desc[0] = (struct desc){ (uint32_t)&order, 2, NEXT, 1 };
	ctrl.desc[1] = (struct desc){ (uint32_t)&order + 2, 2, NEXT, 2 };
	ctrl.desc[2] = (struct desc){ (uint32_t)&order + 4, 1, WRITE, 0 };
	queue_post(&ctrl, 0);
	queue_kick(&ctrl);
	while (ctrl.used[1] == 0)
		__asm__ volatile("pause" ::: "memory");
	if (*(volatile uint8_t *)&order.ack != 0)
		stop("queue pairs refused");
}

static uint16_t card_start(void)
{
	uint32_t features;
	uint16_t pairs;

	out8(io + STATUS, 0);
	out8(io + STATUS, 3);
	features = in32(io + DEVICE_FEATURES) & (F_STATUS | F_CTRL_VQ | F_MQ);
	out32(io + DRIVER_FEATURES, features);
	pairs = features & F_MQ ? in16(io + NET_MAX_PAIRS) : 1;
	if (pairs > PAIRS_MAX)
		stop("too many queue pairs");
	for (uint16_t i = 0; i < pairs; i++) {
		queue_make(&rx[i], 2 * i);
		queue_make(&tx, 2 * i + 1);
	}
	if (features & F_CTRL_VQ)
		queue_make(&ctrl, 2 * pairs);
	out8(io + STATUS, 7);
	for (uint16_t i = 0; i < pairs; i++)
		rx_fill(&rx[i]);
	if (pairs > 1)
		set_pairs(pairs);
	return pairs;
}

static uint8_t clock_seconds(void)
{
	out8(0x70, 0);
	return in8(0x71);
}

static void report(uint32_t second, uint16_t pairs)
{
	say("mini: second=");
	say_number(second);
	for (uint16_t i = 0; i < pairs; i++) {
		say(i == 0 ? " rx=" : ",");
		say_number(rx[i].frames);
	}
	say("\n");
}

__attribute__((noreturn, used)) static void run(void)
{
	uint8_t before = clock_seconds();
	uint32_t second = 0;
	uint16_t pairs;

	card_find();
	pairs = card_start();
	say("\nmini: pairs=");
	say_number(pairs);
	say("\n");
	for (uint32_t round = 1;; round++) {
		for (uint16_t i = 0; i < pairs; i++)
			rx_take(&rx[i]);
		/* reading the clock leaves the emulated processor: not each time */
		if (round % 1024 != 0 || clock_seconds() == before)
			continue;
		before = clock_seconds();
		report(++second, pairs);
	}
}

__asm__(".section .note.pvh, \"a\", @note\n"
	".long 4, 4, 18\n.asciz \"Xen\"\n.long entry\n"		/* XEN_ELFNOTE_PHYS32_ENTRY */
	".text\n.globl entry\nentry: movl $stack_end, %esp\n jmp run\n"
	".bss\n.align 16\n.skip 16384\nstack_end:\n.text\n");
