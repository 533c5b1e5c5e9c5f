/* Prints the records of the BPF programs. */
#ifndef NAKLAB_RECORDS_H
#define NAKLAB_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Of a ring buffer. */
int on_record(void *context, void *data, size_t size);

/* Absences with user registers are kept until put_deferred: to unwind their stacks reads files of the processes. */
void defer_stacks(bool wanted);

void put_deferred(void);

/* Absences that are not over; at the end, with what their threads did before. */
void put_open(unsigned long long threshold_ns, bool is_end);

#endif
