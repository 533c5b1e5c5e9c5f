/* Shared by the BPF programs and their loader. */
#ifndef NAKLAB_WAITS_H
#define NAKLAB_WAITS_H

#include <asm/unistd.h>
#include <linux/types.h>

enum part { PART_CPU, PART_RUNNABLE, PART_FAULT, PART_LOCK, PART_DISK, PART_POLL, PART_SLEEP, PART_OTHER, PARTS };

enum { MAX_THREADS = 65536, MAX_GROUPS = 32768, MAX_CALLS = 1024, MAX_LOCKS = 16384, NAME_LENGTH = 16, NO_CALL = -1 };

/* A thread; the time until the mark is accounted. */
struct thread {
    __u64 begin_ns;
    __u64 end_ns;
    __u64 mark_ns;
    __u64 ns[PARTS];
    __u64 away_ns; /* not on a processor, since it began */
    __u64 call_ns; /* when its system call began; 0: before the recording, and it is not counted */
    __u64 call_away_ns;
    __u64 futex;   /* the address of the word that it waits for; 0: for none */
    __s32 holder;  /* the thread that has the lock of the word; 0: unknown */
    __s32 waker;   /* the thread that woke it last; 0: an interrupt did, such as a timer's */
    __s32 is_lock; /* 0: the word is that of a condition, a semaphore, or the end of a thread */
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

/* The waits for one word that one thread held up. */
struct futex_key {
    __u64 address;
    __s32 pid;
    __s32 holder;
    __s32 is_lock;
    __s32 unused;
};

struct futex {
    __u64 waits;
    __u64 total_ns;
    __u64 longest_ns;
    __s32 longest_tid;
    __s32 unused;
};

/* What a thread waits for in a system call; outside of one, it waits for a page. aarch64 has no call that a later one does as well. */
static inline __u32 part_of_call(__s32 call, int is_uninterruptible)
{
    switch (call) {
    case NO_CALL:
        return is_uninterruptible ? PART_FAULT : PART_OTHER;
    case __NR_futex:
    case __NR_futex_waitv:
    case __NR_flock:
    case __NR_fcntl:
    case __NR_semop:
    case __NR_semtimedop:
        return PART_LOCK;
#ifdef __NR_poll
    case __NR_poll:
    case __NR_select:
    case __NR_epoll_wait:
#endif
    case __NR_ppoll:
    case __NR_pselect6:
    case __NR_epoll_pwait:
    case __NR_epoll_pwait2:
        return PART_POLL;
#ifdef __NR_pause
    case __NR_pause:
#endif
    case __NR_nanosleep:
    case __NR_clock_nanosleep:
        return PART_SLEEP;
    default:
        return is_uninterruptible ? PART_DISK : PART_OTHER;
    }
}

/* A process that is followed. */
struct group {
    __s32 direct; /* 1: the root has started it, and it has not become the program yet */
};

#endif
