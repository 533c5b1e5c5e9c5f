/*
 * The shared file of the profiler of library calls: who writes it may be killed at any time, who reads it is LibraryCallTable.java.
 * All numbers are little-endian; unnamed bytes are unused.
 *
 *     0                       4096                         4096 + 8192 * 256
 *     +-----------------------+----------------------------+-------------------------------
 *     | header                | functions, 256 bytes each  | threads, sizeof(struct thread) each
 *     +-----------------------+----------------------------+-------------------------------
 */
#ifndef NAKLAB_LIBPROF_H
#define NAKLAB_LIBPROF_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define NAKLAB_LIBPROF_MAGIC INT64_C(0x31464f5250424c4e)
#define NAKLAB_FUNCTIONS 8192
#define NAKLAB_THREADS 512
#define NAKLAB_DEPTH 500
#define NAKLAB_NAME_BYTES 184
#define NAKLAB_LIBRARY_BYTES 64

struct header {
    int64_t magic;
    _Atomic uint32_t functions; /* those that were given out; may be more than there are */
    _Atomic uint32_t threads;   /* likewise */
    _Atomic uint64_t lost;      /* calls of threads or functions for which there was no room */
    _Atomic uint64_t loads;     /* programs that have loaded the library */
    _Atomic uint64_t starts;    /* those of them that the dynamic linker has started */
    int64_t unused[507];
};

struct function {
    _Atomic uint32_t ready; /* 1: the names are complete; 2: counted, not timed, too */
    uint32_t unused;
    char name[NAKLAB_NAME_BYTES];
    char library[NAKLAB_LIBRARY_BYTES];
};

/* A call that has not returned. */
struct open_call {
    uint64_t stack_pointer;
    uint64_t function;
};

struct counter {
    uint64_t calls;
    uint64_t self_ns;
};

struct thread {
    int32_t process_id;
    int32_t thread_id;
    int64_t begin_ns;
    int64_t mark_ns;    /* until when the time is accounted */
    int64_t end_ns;     /* 0: the program has not ended by itself */
    uint64_t other_ns;  /* outside of all functions */
    uint64_t abandoned; /* calls that did not return, but were left by longjmp or an exception */
    uint32_t depth;     /* open calls */
    uint32_t shared;    /* threads that had this place before */
    uint32_t is_main;
    uint32_t busy;
    char name[16];
    uint64_t unused[6];
    struct open_call open[NAKLAB_DEPTH];
    struct counter counters[NAKLAB_FUNCTIONS];
};

struct table {
    struct header header;
    struct function functions[NAKLAB_FUNCTIONS];
    struct thread threads[NAKLAB_THREADS];
};

#define IS_AT(type, field, offset) _Static_assert(offsetof(struct type, field) == (offset), "layout is shared with LibraryCallTable.java")
IS_AT(header, functions, 8);
IS_AT(header, threads, 12);
IS_AT(header, lost, 16);
IS_AT(header, loads, 24);
IS_AT(header, starts, 32);
IS_AT(function, ready, 0);
IS_AT(function, name, 8);
IS_AT(function, library, 192);
IS_AT(thread, process_id, 0);
IS_AT(thread, thread_id, 4);
IS_AT(thread, begin_ns, 8);
IS_AT(thread, mark_ns, 16);
IS_AT(thread, end_ns, 24);
IS_AT(thread, other_ns, 32);
IS_AT(thread, abandoned, 40);
IS_AT(thread, depth, 48);
IS_AT(thread, shared, 52);
IS_AT(thread, is_main, 56);
IS_AT(thread, name, 64);
IS_AT(thread, open, 128);
IS_AT(open_call, function, 8);
IS_AT(counter, self_ns, 8);
_Static_assert(sizeof(struct header) == 4096, "layout is shared with LibraryCallTable.java");
_Static_assert(sizeof(struct function) == 256, "layout is shared with LibraryCallTable.java");
_Static_assert(sizeof(struct thread) == 128 + NAKLAB_DEPTH * 16 + NAKLAB_FUNCTIONS * 16, "layout is shared with LibraryCallTable.java");

#endif
