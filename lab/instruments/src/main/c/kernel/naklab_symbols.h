/* Names of kernel functions. */
#ifndef NAKLAB_SYMBOLS_H
#define NAKLAB_SYMBOLS_H

#include <stdbool.h>

void read_symbols(void);

/* The function that contains the address; NULL if unknown. */
const char *kernel_symbol(unsigned long long address);

void put_kernel_stack(const char *name, const unsigned long long *frames, int bytes);

/* Whether a function whose name contains the part is on the stack. */
bool is_in_stack(const char *part, const unsigned long long *frames, int bytes);

#endif
