#include "naklab_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_UNAVAILABLE = 69 };

void put_string(const char *text)
{
    putchar('"');
    for (const unsigned char *c = (const unsigned char *) text; *c; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20 || *c >= 0x7f)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
    putchar('"');
}

void put_named(const char *name, const char *text)
{
    printf(",\"%s\":", name);
    put_string(text);
}

void put_task(const char *name, const struct task *task)
{
    printf(",\"%s\":{\"pid\":%u,\"tid\":%u", name, task->pid, task->tid);
    put_named("comm", task->comm);
    putchar('}');
}

void fail(const char *format, ...)
{
    char reason[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    printf("{\"type\":\"unavailable\"");
    put_named("reason", reason);
    puts("}");
    fflush(stdout);
    exit(EXIT_UNAVAILABLE);
}
