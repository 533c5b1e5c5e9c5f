/* Prints the records of the BPF programs. */
#ifndef NAKLAB_RECORDS_H
#define NAKLAB_RECORDS_H

#include <stddef.h>

/* Of a ring buffer. */
int on_record(void *context, void *data, size_t size);

/* Absences that are not over. */
void put_open(unsigned long long threshold_ns);

#endif
