/* Shared by the BPF programs and their loader. */
#ifndef NAKLAB_WAITS_H
#define NAKLAB_WAITS_H

#include <linux/types.h>

enum part { PART_CPU, PART_RUNNABLE, PART_FAULT, PART_LOCK, PART_DISK, PART_POLL, PART_SLEEP, PART_OTHER, PARTS };

enum { MAX_THREADS = 4096, MAX_GROUPS = 1024, MAX_CALLS = 1024, NAME_LENGTH = 16, NO_CALL = -1 };

/* A thread; the time until the mark is accounted. */
struct thread {
    __u64 mark_ns;
    __u64 ns[PARTS];
    __u64 away_ns; /* not on a processor, since it began */
    __u64 call_ns; /* when its system call began */
    __u64 call_away_ns;
    __s32 call;
    __u32 part;
    __s32 pid;
    __s32 ended;
    char name[NAME_LENGTH];
};

struct call {
    __u64 calls;
    __u64 errors;
    __u64 total_ns;
    __u64 longest_ns;
    __u64 away_ns;
};

/* A process that is followed. */
struct group {
    __s32 direct; /* 1: the root has started it, and it has not become the program yet */
};

#endif
