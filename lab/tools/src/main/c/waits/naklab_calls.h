/* Shared by the BPF programs that time functions and their loader. */
#ifndef NAKLAB_CALLS_H
#define NAKLAB_CALLS_H

#include <linux/types.h>

enum { MAX_FUNCTIONS = 256, GAUGE = MAX_FUNCTIONS - 1, MAX_DEPTH = 32, MAX_STACKS = 4096, MAX_SUMS = 65536 };

/* A call that has not returned. */
struct frame {
    __u64 entry_ns;
    __u64 inner_ns;      /* of the calls that it made itself */
    __u64 stack_pointer; /* at the entry */
    __u64 return_address;
    __u64 function;
};

struct stack {
    __u64 depth;
    struct frame frames[MAX_DEPTH];
};

/* One function, all threads. */
struct total {
    __u64 traps;     /* entries since its probes were set, counted or not: each has a cost */
    __u64 calls;     /* those that were counted */
    __u64 lost;      /* those that found no room */
    __u64 abandoned; /* those that longjmp, an exception or the end of the thread has left */
};

struct sum_key {
    __s32 tid;
    __u32 function;
};

struct sum {
    __u64 calls;
    __u64 self_ns;
};

#endif
