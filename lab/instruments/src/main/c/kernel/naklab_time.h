#ifndef NAKLAB_TIME_H
#define NAKLAB_TIME_H

#include <time.h>

/* CLOCK_MONOTONIC. */
static inline unsigned long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long) now.tv_sec * 1000000000ULL + (unsigned long long) now.tv_nsec;
}

#endif
