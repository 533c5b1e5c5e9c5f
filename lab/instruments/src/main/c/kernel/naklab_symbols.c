#define _GNU_SOURCE
#include "naklab_symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "naklab_json.h"

struct symbol {
    unsigned long long address;
    char *name;
};

static struct symbol *symbols;
static size_t symbol_count;

static int by_address(const void *left, const void *right)
{
    unsigned long long a = ((const struct symbol *) left)->address, b = ((const struct symbol *) right)->address;
    return a < b ? -1 : a > b;
}

void read_symbols(void)
{
    FILE *file = fopen("/proc/kallsyms", "re");
    if (!file)
        return;
    size_t capacity = 0;
    char *line = NULL;
    size_t length = 0;
    while (getline(&line, &length, file) > 0) {
        unsigned long long address;
        char kind, name[256];
        if (sscanf(line, "%llx %c %255s", &address, &kind, name) != 3 || (kind != 't' && kind != 'T' && kind != 'W' && kind != 'w') || address == 0)
            continue;
        if (symbol_count == capacity) {
            capacity = capacity ? capacity * 2 : 1 << 16;
            struct symbol *grown = realloc(symbols, capacity * sizeof *grown);
            if (!grown)
                break;
            symbols = grown;
        }
        symbols[symbol_count].address = address;
        symbols[symbol_count].name = strdup(name);
        symbol_count += symbols[symbol_count].name != NULL;
    }
    free(line);
    fclose(file);
    qsort(symbols, symbol_count, sizeof *symbols, by_address);
}

const char *kernel_symbol(unsigned long long address)
{
    size_t low = 0, high = symbol_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : symbols[low - 1].name;
}

/* The recorder's own program is on top of a stack that it takes of itself. */
static bool is_own(const char *symbol)
{
    return symbol && (strncmp(symbol, "bpf_prog_", 9) == 0 || strncmp(symbol, "bpf_trace_run", 13) == 0);
}

void put_kernel_stack(const char *name, const unsigned long long *frames, int bytes)
{
    printf(",\"%s\":[", name);
    const char *separator = "";
    for (int i = 0; i < bytes / (int) sizeof *frames && frames[i]; i++) {
        const char *symbol = kernel_symbol(frames[i] - 1);
        char number[32];
        if (is_own(symbol))
            continue;
        snprintf(number, sizeof number, "0x%llx", frames[i]);
        fputs(separator, stdout);
        put_string(symbol ? symbol : number);
        separator = ",";
    }
    putchar(']');
}

bool is_in_stack(const char *part, const unsigned long long *frames, int bytes)
{
    for (int i = 0; i < bytes / (int) sizeof *frames && frames[i]; i++) {
        const char *symbol = kernel_symbol(frames[i] - 1);
        if (symbol && strstr(symbol, part))
            return true;
    }
    return false;
}
