/* What both loaders do: they are silent but for their own lines, and say why they fail in JSON. */
#ifndef NAKLAB_LOADER_H
#define NAKLAB_LOADER_H

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* PROC_PID_INIT_INO of the kernel. */
#define FIRST_PID_NAMESPACE 0xEFFFFFFCU

static int be_silent(enum libbpf_print_level level, const char *format, va_list arguments)
{
    (void) level;
    (void) format;
    (void) arguments;
    return 0;
}

static _Noreturn void fail(const char *what)
{
    printf("{\"kind\":\"error\",\"message\":\"%s%s%s\"}\n", what, errno == 0 ? "" : ": ", errno == 0 ? "" : strerror(errno));
    fflush(stdout);
    exit(1);
}

static unsigned long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long) now.tv_sec * 1000000000 + (unsigned long long) now.tv_nsec;
}

/* The kernel tells the numbers of processes of its first PID namespace; those of another one mean other processes. */
static void be_in_first_namespace(void)
{
    struct stat status;
    if (stat("/proc/self/ns/pid", &status) == 0 && status.st_ino != FIRST_PID_NAMESPACE) {
        errno = 0;
        fail("it has process numbers of its own (a container's PID namespace): run it on the host, or in a container with --pid=host");
    }
}

/* To be called before the programs are opened. */
static void begin_loading(const char *not_root)
{
    libbpf_set_print(be_silent);
    if (geteuid() != 0) {
        errno = EPERM;
        fail(not_root);
    }
    be_in_first_namespace();
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_MEMLOCK, &unlimited); /* Needed before Linux 5.11 alone; if refused, loading says why. */
}

#endif
