/*
 * Loads the programs, prints a line when they run, waits for the end of its input, and prints what they have counted: one JSON document on each
 * line, the shapes of SystemRecorder.java.
 *
 *     naklab-waits ROOT_PID
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "naklab_waits.h"
#include "naklab_loader.h"

static const char *const call_names[MAX_CALLS] = {
#include "names.h"
};

static void print_name(const char *name)
{
    for (; *name; name++) {
        if (*name == '"' || *name == '\\' || (unsigned char) *name < ' ' || (unsigned char) *name > '~')
            putchar('?');
        else
            putchar(*name);
    }
}

static void print_threads(int map)
{
    unsigned long long end_ns = now_ns();
    __s32 key, next;
    __s32 *last = NULL;
    while (bpf_map_get_next_key(map, last, &next) == 0) {
        struct thread thread;
        if (bpf_map_lookup_elem(map, &next, &thread) == 0) {
            if (!thread.ended && thread.part < PARTS && end_ns > thread.mark_ns)
                thread.ns[thread.part] += end_ns - thread.mark_ns;
            printf("{\"kind\":\"thread\",\"pid\":%d,\"tid\":%d,\"name\":\"", thread.pid, next);
            print_name(thread.name);
            printf("\",\"ns\":[");
            for (int i = 0; i < PARTS; i++)
                printf("%s%llu", i ? "," : "", (unsigned long long) thread.ns[i]);
            printf("]}\n");
        }
        key = next;
        last = &key;
    }
}

static void print_calls(int map)
{
    __s32 key, next;
    __s32 *last = NULL;
    while (bpf_map_get_next_key(map, last, &next) == 0) {
        struct call call;
        if (bpf_map_lookup_elem(map, &next, &call) == 0) {
            const char *name = next >= 0 && next < MAX_CALLS ? call_names[next] : NULL;
            printf("{\"kind\":\"call\",\"number\":%d,\"name\":\"%s\",\"calls\":%llu,\"errors\":%llu,\"totalNs\":%llu,\"longestNs\":%llu,\"awayNs\":%llu}\n",
                next, name ? name : "", (unsigned long long) call.calls, (unsigned long long) call.errors,
                (unsigned long long) call.total_ns, (unsigned long long) call.longest_ns, (unsigned long long) call.away_ns);
        }
        key = next;
        last = &key;
    }
}

int main(int argc, char **argv)
{
    char letter;
    __s32 root = argc > 1 ? atoi(argv[1]) : 0;
    struct bpf_object *object = open_programs("not root: BPF programs need CAP_BPF and CAP_PERFMON");
    struct bpf_map *constants = bpf_object__find_map_by_name(object, ".rodata");
    if (!constants || bpf_map__set_initial_value(constants, &root, sizeof root) != 0)
        fail("cannot set the root process");
    if (bpf_object__load(object) != 0)
        fail("the kernel refuses the BPF programs");
    struct bpf_program *program;
    bpf_object__for_each_program(program, object)
    {
        if (!bpf_program__attach(program))
            fail("cannot attach the BPF programs");
    }
    printf("{\"kind\":\"ready\"}\n");
    fflush(stdout);
    while (read(STDIN_FILENO, &letter, 1) > 0) {
    }
    print_threads(bpf_object__find_map_fd_by_name(object, "threads"));
    print_calls(bpf_object__find_map_fd_by_name(object, "calls"));
    __u32 key = 0;
    __u64 lost = 0;
    bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(object, "lost"), &key, &lost);
    printf("{\"kind\":\"end\",\"lost\":%llu}\n", (unsigned long long) lost);
    return 0;
}
