/* What threads waited that woke a thread of interest. */
#ifndef NAKLAB_WAKERS_H
#define NAKLAB_WAKERS_H

#include "naklab_kernel.h"

/* Keeps an absence of a thread that may wake another one later. Absences of one thread come in their order. */
void keep_absence(const struct absence *absence);

/* Passes on, and forgets, what a thread waited in a time. */
void take_absences(unsigned int tid, unsigned long long begin_ns, unsigned long long end_ns, void (*put)(const struct absence *));

/* The thread has ended. What it woke may not have come back yet, so its absences are forgotten when others have ended after it. */
void end_waker(unsigned int tid);

#endif
