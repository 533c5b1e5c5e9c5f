/* Unwinds user stacks of other processes from a copy of the stack's top and the registers, by .eh_frame, while they run on. */
#ifndef NAKLAB_UNWIND_H
#define NAKLAB_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include "naklab_foreign.h"
#include "naklab_kernel.h"

enum { USER_FRAMES = 64 };

struct frame {
    unsigned long long address;
    char symbol[512]; /* empty: unknown */
    unsigned long long offset;
    char module[256]; /* empty: no file is mapped there */
};

struct stack {
    size_t count;
    bool truncated; /* the copy ended before the stack did */
    struct frame frames[USER_FRAMES];
};

struct unwinder;

/* Who opens the files of other processes from now on. */
void unwinders_open_by(foreign_opener *opener);

/* NULL when the process is gone or may not be looked at. */
struct unwinder *unwinder_open(int pid);

/* The result is the unwinder's own, until the next call. */
const struct stack *unwinder_unwind(struct unwinder *unwinder, const struct absence *absence);

/* Whether a file that this program has mapped, or the file of its symbols, names such a function. */
bool resolves_own(const char *function);

/* Forgets what it knows of the process's files; after an exec. */
void unwinder_close(struct unwinder *unwinder);

#endif
