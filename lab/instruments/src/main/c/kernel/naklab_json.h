/* Writes JSON to standard output. */
#ifndef NAKLAB_JSON_H
#define NAKLAB_JSON_H

#include "naklab_kernel.h"

/* Bytes that are not ASCII are written as Latin 1: names of threads need not be UTF-8. */
void put_string(const char *text);

/* A member that is not the first of its object. */
void put_named(const char *name, const char *text);

void put_task(const char *name, const struct task *task);

/* Says why nothing can be recorded, and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

#endif
