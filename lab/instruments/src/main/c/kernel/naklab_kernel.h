/* Records that the BPF programs send to the recorder. Times are CLOCK_MONOTONIC in ns; ids are those of the initial pid namespace. */
#ifndef NAKLAB_KERNEL_H
#define NAKLAB_KERNEL_H

#include "naklab_registers.h"

enum { COMM_LENGTH = 16, KERNEL_FRAMES = 32, PAGE = 4096, MAX_NAMES = 64, STACK_PAGES = 4, ADDRESS_LENGTH = 16 };

enum record_type {
    RECORD_ABSENCE = 1,
    RECORD_FAULT,
    RECORD_LIFE,
    RECORD_SPELL,
    RECORD_GAP,
    RECORD_INTERRUPT,
    RECORD_STEAL,
    RECORD_SHARED,
    RECORD_WAITS,
    RECORD_SAMPLE,
    RECORD_RECLAIM
};
/* RECORD_SAMPLE is a struct absence without a wait: time (end_ns), thread, and both stacks of a thread that is on a processor. */
/* INTERRUPT_TICK is the local timer's interrupt, INTERRUPT_TIMER one timer that expires in it. */
enum interrupt_kind { INTERRUPT_DEVICE, INTERRUPT_SOFT, INTERRUPT_TICK, INTERRUPT_RESCHEDULE, INTERRUPT_CALL, INTERRUPT_TIMER, INTERRUPT_KINDS };
enum absence_flag { ABSENCE_BEGAN_BEFORE = 1, ABSENCE_FREEZE_ASKED = 2, ABSENCE_OF_OTHER = 4 /* a thread that is not named */ };
enum fault_flag { FAULT_MAJOR = 1, FAULT_IN_KERNEL = 2 };
enum life_event { LIFE_FORK = 1, LIFE_EXEC, LIFE_EXIT };
enum loss { LOST_RECORDS, LOST_THREADS, LOST_DROPS, LOST_SENDERS, LOST_COUNTERS };

struct task {
    unsigned int pid;
    unsigned int tid;
    char comm[COMM_LENGTH];
};

struct fault {
    unsigned long long begin_ns;
    unsigned long long address;
    unsigned long long ip;
    unsigned int flags;
    unsigned int unused;
};

/* A time in which a thread did not sleep: it ran, or could not. */
struct spell {
    unsigned long long begin_ns; /* when it was woken; 0: none is under way */
    unsigned long long cpu_ns;
    unsigned long long runnable_ns; /* without a processor */
    unsigned long long fault_ns;    /* in state D, in a page fault */
};

/* Waits of a thread that are each too short for a record of their own, added up; the thread ran in between. */
struct waits_record {
    unsigned int type;
    unsigned int count;
    unsigned long long begin_ns; /* of the first; 0: there is none */
    unsigned long long end_ns;   /* of the last */
    unsigned long long blocked_ns;
    unsigned long long runnable_ns; /* without a processor */
    unsigned long long longest_ns;  /* blocked, of the wait that the rest tells of; 0: of none */
    struct task task;
    struct task waker;
    int kernel_bytes;
    unsigned int unused;
    unsigned long long kernel[KERNEL_FRAMES];
};

/* Times in which a thread reclaimed memory, which follow each other soon. */
struct reclaim_record {
    unsigned int type;
    unsigned int unused;
    unsigned long long begin_ns; /* 0: there is none */
    unsigned long long end_ns;
    unsigned long long reclaim_ns;
    struct task task;
};

struct absence {
    unsigned int type;
    unsigned int flags;
    unsigned long long begin_ns; /* 0: the thread is on a processor */
    unsigned long long wake_ns;
    unsigned long long end_ns;
    unsigned int state;        /* task_struct.__state when the thread left the processor; 0: it was preempted, or yielded */
    unsigned int wake_state;   /* the same when it was woken */
    unsigned long long due_ns; /* of the timer that woke it: the earliest time at which it was to expire; 0: no timer, or unknown */
    int begin_cpu;
    int end_cpu;
    struct task task;
    struct task waker;
    struct task next;    /* took the processor from the thread */
    struct task prev;    /* gave a processor to the thread; tid 0: unknown */
    struct task longest; /* ran longest on that processor while the thread was runnable; tid 0: unknown */
    unsigned long long longest_ns;
    struct fault fault;        /* that may have been under way; its kernel stack tells */
    struct task by;            /* of a stop: the thread that sent the signal; if traced: the tracer; tid 0: unknown */
    unsigned long long cgroup; /* of a freeze of version 2: the id of the group that was asked to freeze; 0: unknown */
    unsigned long long on_ns;  /* since when it is, or was, on a processor */
    unsigned long long ran_ns; /* its processor time when it left the processor; 0: unknown */
    struct spell spell;
    unsigned long long regs[REGISTERS]; /* user mode; all 0 for none */
    int kernel_bytes;
    int waker_bytes;
    unsigned int stack_bytes;
    unsigned int copying;
    unsigned long long stack_end; /* the page that is not there; 0: unknown */
    unsigned long long kernel[KERNEL_FRAMES];
    unsigned long long waker_kernel[KERNEL_FRAMES]; /* what the processor did that woke the thread */
    unsigned char stack[STACK_PAGES * PAGE];        /* from the user stack pointer upwards */
    /* The rest is not part of the record of an absence. */
    struct waits_record waits;
    unsigned long long reclaim_ns; /* since when it reclaims memory; 0: it does not */
    struct reclaim_record reclaim;
};

struct fault_record {
    unsigned int type;
    unsigned int unused;
    unsigned long long end_ns;
    struct task task;
    struct fault fault;
};

struct spell_record {
    unsigned int type;
    unsigned int unused;
    unsigned long long end_ns; /* when it went to sleep */
    struct task task;
    struct spell spell;
};

struct life_record {
    unsigned int type;
    unsigned int event;
    unsigned long long time_ns;
    struct task task;
    struct task parent; /* of a fork */
};

/* An interrupt of a recorded thread, which was on its processor; or a soft interrupt on the processor for which the thread waited. */
struct interrupt_record {
    unsigned int type;
    unsigned int kind;
    unsigned int number; /* of the device's interrupt, of the soft interrupt, or the vector */
    int cpu;
    unsigned long long begin_ns;
    unsigned long long end_ns;
    unsigned long long late_ns;  /* of a timer: how long after its latest time it expired; else 0 */
    unsigned long long function; /* of a timer */
    struct task task;            /* the thread that was interrupted, or waited */
};

/* The hypervisor took a processor from a recorded thread at some time between two ticks. */
struct steal_record {
    unsigned int type;
    int cpu;
    unsigned long long begin_ns;
    unsigned long long end_ns;
    unsigned long long stolen_ns;
    struct task task;
};

/* Another thread ran on the only processor on which a recorded thread may run. */
struct shared_record {
    unsigned int type;
    int cpu;
    unsigned long long begin_ns;
    unsigned long long end_ns;
    struct task task;
    struct task other;
};

/* From where to where a datagram goes. Addresses and ports in network order; of an IPv4 address, the first four bytes. */
struct flow {
    unsigned char source[ADDRESS_LENGTH];
    unsigned char destination[ADDRESS_LENGTH];
    unsigned int netns;
    unsigned short source_port; /* 0: a later fragment */
    unsigned short port;        /* of the destination; 0: a later fragment */
    unsigned char ipv6;
    unsigned char fragment;
    unsigned char unused[6];
};

struct drop_key {
    struct flow flow;
    unsigned long long location; /* in the kernel's code */
    unsigned long long inode;    /* of the socket that should have had it; 0: none, or unknown */
    unsigned int reason;
    unsigned int unused;
};

/* A socket at the watched port; the number of its network namespace tells it from one of another host's. */
struct delivery_key {
    unsigned long long inode;
    unsigned int netns;
    unsigned int unused;
};

struct drop_count {
    unsigned long long count;
    unsigned long long first_ns;
    unsigned long long last_ns;
};

/* A thread that takes the datagrams of a socket. */
struct receipt_key {
    unsigned long long inode;
    unsigned int tid;
    unsigned int unused;
};

struct receipts {
    unsigned long long last_ns;
    struct task task;
};

struct arrivals {
    unsigned long long count;
    unsigned long long bytes; /* with headers */
    unsigned long long first_ns;
    unsigned long long last_ns;
};

/* Between two datagrams of a sender. */
struct gap_record {
    unsigned int type;
    unsigned int unused;
    unsigned long long begin_ns;
    unsigned long long end_ns;
    struct flow flow;
};

#endif
