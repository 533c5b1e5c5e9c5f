/*
 * The lazily bound yield: what Java sees of it (org.naklab.faults.binding.YieldLibrary), and what the two halves of the
 * library share.
 */
#ifndef NAKLAB_YIELD_H
#define NAKLAB_YIELD_H

#include <jni.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Layout of the direct buffer that yieldOnce() fills, in native byte order. Times are CLOCK_MONOTONIC.
 *
 *     0         8         16               24               32        40
 *     +---------+---------+----------------+----------------+---------+
 *     | begin   | end     | major faults   | minor faults   | thread  |
 *     | ns      | ns      | within         | within         | id      |
 *     +---------+---------+----------------+----------------+---------+
 */
struct naklab_yield_result {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t major_faults;
    int64_t minor_faults;
    int64_t thread_id;
};

_Static_assert(offsetof(struct naklab_yield_result, major_faults) == 16, "layout is shared with LazyYield.java");
_Static_assert(sizeof(struct naklab_yield_result) == 40, "layout is shared with LazyYield.java");

/* Pages that binding needs: those of this library, of libc and of the dynamic linker. */
struct naklab_segment {
    uintptr_t begin;
    size_t length_bytes;
    int writable;
    /* The object's first: its headers and symbol tables lie there, and on most machines no code. */
    int has_symbols;
};

typedef void (*naklab_segment_visitor)(const struct naklab_segment *segment, void *state);

/* Visits every readable segment of this library, libc and the dynamic linker. */
void naklab_visit_segments(naklab_segment_visitor visitor, void *state);

#endif
