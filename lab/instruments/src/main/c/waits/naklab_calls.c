/*
 * Times calls of functions of a running process by uprobes, and keeps a limit of what that costs. Reads the functions from its input, a line each, then
 * "go" sets the probes, and "start" begins to count; runs until the end of its input. Prints one JSON document on each line, the shapes of FunctionProbes.java.
 *
 *     naklab-calls PID LIMIT_PERMILLE
 *     NUMBER OFFSET PATH
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "naklab_calls.h"
#include "naklab_loader.h"

enum { INTERVAL_MS = 50, GAUGE_ROUNDS = 20, GAUGE_CALLS = 100 };

struct probe {
    struct bpf_link *entry;
    struct bpf_link *back;
    __u64 hits; /* at the last look */
};

static struct probe probes[MAX_FUNCTIONS];
static struct bpf_program *on_entry, *on_return;
static int hits_map;

static __u64 hits_of(__u32 function)
{
    __u64 hits = 0;
    bpf_map_lookup_elem(hits_map, &function, &hits);
    return hits;
}

static void detach(struct probe *probe)
{
    /* The entry first: a return without its entry is ignored. */
    bpf_link__destroy(probe->entry);
    bpf_link__destroy(probe->back);
    probe->entry = NULL;
    probe->back = NULL;
}

static int attach(__u32 function, int pid, const char *path, size_t offset, const char *name)
{
    LIBBPF_OPTS(bpf_uprobe_opts, options, .bpf_cookie = function, .func_name = name, .retprobe = true);
    struct probe *probe = &probes[function];
    probe->back = bpf_program__attach_uprobe_opts(on_return, pid, path, offset, &options);
    if (!probe->back)
        return -1;
    options.retprobe = false;
    probe->entry = bpf_program__attach_uprobe_opts(on_entry, pid, path, offset, &options);
    return probe->entry ? 0 : -1;
}

__attribute__((noinline, used)) void naklab_gauge(void)
{
    __asm__ volatile("");
}

/* The shortest of some rounds: in the others, somebody else may have had the processor. */
static unsigned long long time_calls(void)
{
    unsigned long long shortest_ns = ~0ULL;
    for (int round = 0; round < GAUGE_ROUNDS; round++) {
        unsigned long long begin_ns = now_ns();
        for (int i = 0; i < GAUGE_CALLS; i++)
            naklab_gauge();
        unsigned long long elapsed_ns = now_ns() - begin_ns;
        if (elapsed_ns < shortest_ns)
            shortest_ns = elapsed_ns;
    }
    return shortest_ns;
}

/* What a call costs with both probes, ns. */
static double measure(void)
{
    unsigned long long plain_ns = time_calls();
    if (attach(GAUGE, getpid(), "/proc/self/exe", 0, "naklab_gauge") != 0)
        fail("the kernel has no uprobes");
    unsigned long long probed_ns = time_calls();
    detach(&probes[GAUGE]);
    return probed_ns > plain_ns ? (double) (probed_ns - plain_ns) / GAUGE_CALLS : 0;
}

/*
 * Takes the probes from the function that is called most often, if the calls since the last look cost more than the limit. This program can lose its processor
 * between a look at the clock and one at the counts: the interval is from before the last look to after this one. Returns when this one began.
 */
static unsigned long long keep_limit(double cost_ns, double limit, unsigned long long looked_ns, unsigned long long begin_ns)
{
    unsigned long long at_ns = now_ns();
    double spent_ns = 0;
    __u64 most = 0;
    int worst = -1;
    for (__u32 i = 0; i < GAUGE; i++) {
        if (!probes[i].entry)
            continue;
        __u64 hits = hits_of(i), fresh = hits - probes[i].hits;
        probes[i].hits = hits;
        spent_ns += (double) fresh * cost_ns;
        if (fresh > most) {
            most = fresh;
            worst = (int) i;
        }
    }
    unsigned long long elapsed_ns = now_ns() - looked_ns;
    if (worst >= 0 && spent_ns > limit * (double) elapsed_ns) {
        detach(&probes[worst]);
        printf("{\"kind\":\"cut\",\"function\":%d,\"calls\":%llu,\"afterNs\":%llu}\n", worst, (unsigned long long) hits_of((__u32) worst),
            at_ns - begin_ns);
        fflush(stdout);
    }
    return at_ns;
}

static void read_functions(int pid)
{
    char line[8192], path[4096];
    while (fgets(line, sizeof line, stdin) && strcmp(line, "go\n") != 0) {
        unsigned int function;
        size_t offset;
        if (sscanf(line, "%u %zu %4095[^\n]", &function, &offset, path) != 3 || function >= GAUGE) {
            errno = EINVAL;
            fail("not a function");
        }
        if (attach(function, pid, path, offset, NULL) != 0) {
            printf("{\"kind\":\"refused\",\"function\":%u,\"message\":\"%s\"}\n", function, strerror(errno));
            detach(&probes[function]);
        }
    }
}

/* The time of calls that have not returned, as of now. */
static void add_open(int stacks, int sums, unsigned long long end_ns)
{
    __s32 tid, *last = NULL, next;
    while (bpf_map_get_next_key(stacks, last, &next) == 0) {
        struct stack stack;
        tid = next;
        last = &tid;
        if (bpf_map_lookup_elem(stacks, &next, &stack) != 0)
            continue;
        for (__u64 i = 0; i < stack.depth && i < MAX_DEPTH; i++) {
            struct frame *frame = &stack.frames[i];
            unsigned long long until_ns = i + 1 < stack.depth && i + 1 < MAX_DEPTH ? stack.frames[i + 1].entry_ns : end_ns;
            struct sum_key key = {.tid = next, .function = (__u32) frame->function};
            struct sum sum;
            if (bpf_map_lookup_elem(sums, &key, &sum) == 0 && until_ns > frame->entry_ns + frame->inner_ns) {
                sum.self_ns += until_ns - frame->entry_ns - frame->inner_ns;
                bpf_map_update_elem(sums, &key, &sum, BPF_ANY);
            }
        }
    }
}

static void print_sums(int sums)
{
    struct sum_key key, *last = NULL, next;
    while (bpf_map_get_next_key(sums, last, &next) == 0) {
        struct sum sum;
        key = next;
        last = &key;
        if (next.function != GAUGE && bpf_map_lookup_elem(sums, &next, &sum) == 0)
            printf("{\"kind\":\"calls\",\"tid\":%d,\"function\":%u,\"calls\":%llu,\"ns\":%llu}\n", next.tid, next.function,
                (unsigned long long) sum.calls, (unsigned long long) sum.self_ns);
    }
}

static void set_started(struct bpf_object *object, __u64 is_started)
{
    __u32 key = 0;
    bpf_map_update_elem(bpf_object__find_map_fd_by_name(object, "started"), &key, &is_started, BPF_ANY);
}

int main(int argc, char **argv)
{
    int pid = argc > 2 ? atoi(argv[1]) : 0;
    double limit = argc > 2 ? atoi(argv[2]) / 1000.0 : 0;
    struct bpf_object *object = open_programs("not root: uprobes need CAP_BPF and CAP_PERFMON");
    if (bpf_object__load(object) != 0)
        fail("the kernel refuses the BPF programs");
    on_entry = bpf_object__find_program_by_name(object, "on_entry");
    on_return = bpf_object__find_program_by_name(object, "on_return");
    hits_map = bpf_object__find_map_fd_by_name(object, "hits");
    double cost_ns = measure();
    read_functions(pid);
    printf("{\"kind\":\"ready\",\"costNs\":%.0f}\n", cost_ns);
    fflush(stdout);
    char line[16];
    unsigned long long begin_ns = 0, looked_ns = 0;
    if (fgets(line, sizeof line, stdin)) {
        begin_ns = now_ns();
        looked_ns = begin_ns;
        set_started(object, 1);
    }
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    while (poll(&input, 1, INTERVAL_MS) == 0)
        looked_ns = keep_limit(cost_ns, limit, looked_ns, begin_ns);
    set_started(object, 0);
    unsigned long long end_ns = now_ns();
    __u64 hits = 0;
    for (__u32 i = 0; i < GAUGE; i++) {
        detach(&probes[i]);
        hits += hits_of(i);
    }
    int sums = bpf_object__find_map_fd_by_name(object, "sums");
    add_open(bpf_object__find_map_fd_by_name(object, "stacks"), sums, end_ns);
    print_sums(sums);
    printf("{\"kind\":\"end\",\"elapsedNs\":%llu,\"calls\":%llu,\"lost\":%llu}\n", end_ns - begin_ns, (unsigned long long) hits,
        (unsigned long long) hits_of(MAX_FUNCTIONS));
    return 0;
}
