/*
 * Unwinds user stacks in a process of its own, the parser, which has no rights: it reads files that the recorded processes chose. Whoever takes it over can tell false stacks. It asks
 * the recorder for the files, which opens them for it.
 */
#ifndef NAKLAB_PARSER_H
#define NAKLAB_PARSER_H

#include "naklab_kernel.h"
#include "naklab_unwind.h"

/* Starts the parser; before the recorder has anything that the parser must not have. */
void parser_start(void);
/* Ends it; at the end of the recorder. */
void parser_stop(void);

/* The result is valid until the next call; NULL if there is none, because the process is gone or the parser has ended. */
const struct stack *parser_unwind(int pid, const struct absence *absence);

/* Forgets what is known of the process's files; after an exec. */
void parser_forget(int pid);

void parser_prioritize(int priority);

/* Returns how many system calls of the parser were refused since the last time. */
int parser_take_refusals(void);

/* Returns whether the parser has ended since the last time: from then on there are no user stacks. */
bool parser_take_end(void);

#endif
