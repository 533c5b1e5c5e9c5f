/* The processes that are recorded. */
#ifndef NAKLAB_PROCESSES_H
#define NAKLAB_PROCESSES_H

#include <stdbool.h>
#include "naklab_kernel.h"

/* Only threads of this name have user stacks from now on, and others that were added so; false: too many. Before any process is added. */
bool add_name(const char *name);

bool has_names(void);

/* Tells the programs of the names. */
void put_names(void);

/* Without user stacks, no file of a process is read. */
/* How often the stack of a thread on a processor is sampled, ns of its processor time; 0: never. */
void set_samples(unsigned long long period_ns);

void set_user_stacks(bool wanted);

/* Answers with a message. */
void add_process(int pid);

void remove_process(int pid);

/* Another process may get the id of one that is gone. */
void remove_gone(void);

bool is_recorded(int pid);

void put_user_stack(const struct absence *absence);

/* After an exec. */
void forget_files(int pid);

#endif
