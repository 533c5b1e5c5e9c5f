#define _GNU_SOURCE
#include "naklab_wakers.h"

#include <search.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "naklab_json.h"

enum { MOST_KEPT = 16, MOST_ENDED = 64, WITHOUT_STACK = offsetof(struct absence, stack) };

struct kept {
    alignas(struct absence) unsigned char bytes[WITHOUT_STACK];
};

/* Each absence is longer than the later ones: a shorter one that came earlier cannot cover more of a wait that ends after both. */
struct waker {
    unsigned int tid;
    unsigned int count;
    struct kept *absences[MOST_KEPT];
};

static void *wakers; /* a tree by tid */

static int compare(const void *a, const void *b)
{
    unsigned int one = ((const struct waker *) a)->tid, other = ((const struct waker *) b)->tid;
    return (one > other) - (one < other);
}

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory)
        fail("there is no memory for %zu bytes", size);
    return memory;
}

static struct waker *find(unsigned int tid)
{
    struct waker key = {.tid = tid};
    struct waker **found = tfind(&key, &wakers, compare);
    return found ? *found : NULL;
}

static struct waker *find_or_add(unsigned int tid)
{
    struct waker *waker = find(tid);
    if (waker)
        return waker;
    waker = allocate(sizeof *waker);
    waker->tid = tid;
    if (!tsearch(waker, &wakers, compare))
        fail("there is no memory for one more thread");
    return waker;
}

static const struct absence *absence_of(const struct kept *kept)
{
    return (const struct absence *) kept->bytes;
}

static unsigned long long length_ns(const struct absence *absence)
{
    return absence->end_ns - absence->begin_ns;
}

void keep_absence(const struct absence *absence)
{
    struct waker *waker = find_or_add(absence->task.tid);
    struct kept *free_one = NULL;
    while (waker->count > 0 && length_ns(absence_of(waker->absences[waker->count - 1])) <= length_ns(absence)) {
        free(free_one);
        free_one = waker->absences[--waker->count];
    }
    if (waker->count == MOST_KEPT) {
        free_one = waker->absences[0];
        memmove(waker->absences, waker->absences + 1, --waker->count * sizeof *waker->absences);
    }
    if (!free_one)
        free_one = allocate(sizeof *free_one);
    memcpy(free_one->bytes, absence, WITHOUT_STACK);
    waker->absences[waker->count++] = free_one;
}

void take_absences(unsigned int tid, unsigned long long begin_ns, unsigned long long end_ns, void (*put)(const struct absence *))
{
    struct waker *waker = find(tid);
    struct kept *taken[MOST_KEPT];
    unsigned int left = 0, count = 0;
    for (unsigned int i = 0; waker && i < waker->count; i++) {
        const struct absence *absence = absence_of(waker->absences[i]);
        if (absence->begin_ns < end_ns && absence->end_ns > begin_ns)
            taken[count++] = waker->absences[i];
        else
            waker->absences[left++] = waker->absences[i];
    }
    if (waker)
        waker->count = left;
    for (unsigned int i = 0; i < count; i++) {
        put(absence_of(taken[i]));
        free(taken[i]);
    }
}

static void forget(unsigned int tid)
{
    struct waker *waker = find(tid);
    if (!waker)
        return;
    tdelete(waker, &wakers, compare);
    while (waker->count > 0)
        free(waker->absences[--waker->count]);
    free(waker);
}

void end_waker(unsigned int tid)
{
    static unsigned int ended[MOST_ENDED];
    static unsigned int next;
    if (!find(tid))
        return;
    forget(ended[next]);
    ended[next] = tid;
    next = (next + 1) % MOST_ENDED;
}
