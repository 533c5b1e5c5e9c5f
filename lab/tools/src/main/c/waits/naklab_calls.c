/*
 * Times calls of functions of a running process by uprobes, and keeps a limit of what that costs. Reads the functions from its input, a line each, then
 * "go" sets the probes, and "start" begins to count; runs until the end of its input. Prints one JSON document on each line, the shapes of FunctionProbes.java.
 *
 *     naklab-calls PID LIMIT_PERMILLE DURATION_MS
 *     NUMBER OFFSET PATH
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "naklab_calls.h"
#include "naklab_loader.h"
#include "naklab_calls.skel.h"

/* The kernel takes probes away in some milliseconds: to look more often than that would not keep the limit better. */
enum { INTERVAL_MS = 5, GAUGE_ROUNDS = 20, GAUGE_CALLS = 100 };

/* A burst of calls may cost what a second of them may cost at most. */
#define BURST_NS 1e9

struct probe {
    struct bpf_link *entry;
    struct bpf_link *back;
    pthread_t endings[2]; /* they take the probes away */
    int is_ending[2];
};

/*
 * What the probes may cost. A part of it may be spent at once, and the rest in even shares until the end. A function that has lost its probes may have cost more
 * than that: what is left is shared out again, so that the other functions do not lose theirs for it.
 */
struct budget {
    double cost_ns;     /* of one call */
    double limit_ns;    /* of the whole time */
    double duration_ns; /* the whole time */
    unsigned long long begin_ns;
    double own_begin_ns; /* time of this program on a processor */
    double shared_at_ns; /* since the begin: when the rest was shared out */
    double spent_then_ns;
};

static struct probe probes[MAX_FUNCTIONS];
static struct bpf_program *on_entry, *on_return;
static int totals_map, cuts_map;
static __u32 functions; /* more than the largest number of those that have probes, or had them */

static struct total total_of(__u32 function)
{
    struct total total = {0};
    bpf_map_lookup_elem(totals_map, &function, &total);
    return total;
}

static unsigned long long cut_of(__u32 function)
{
    __u64 cut_ns = 0;
    bpf_map_lookup_elem(cuts_map, &function, &cut_ns);
    return cut_ns;
}

static void *destroy(void *link)
{
    bpf_link__destroy(link);
    return NULL;
}

/* Takes both probes away at the same time: the kernel stops the traps at once, and then waits for a grace period, some 0.1 s. */
static void begin_detach(struct probe *probe)
{
    struct bpf_link *links[] = {probe->entry, probe->back};
    for (int i = 0; i < 2; i++) {
        probe->is_ending[i] = links[i] && pthread_create(&probe->endings[i], NULL, destroy, links[i]) == 0;
        if (links[i] && !probe->is_ending[i])
            bpf_link__destroy(links[i]);
    }
    probe->entry = NULL;
    probe->back = NULL;
}

static void end_detach(struct probe *probe)
{
    for (int i = 0; i < 2; i++) {
        if (probe->is_ending[i])
            pthread_join(probe->endings[i], NULL);
        probe->is_ending[i] = 0;
    }
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
    begin_detach(&probes[GAUGE]);
    end_detach(&probes[GAUGE]);
    return probed_ns > plain_ns ? (double) (probed_ns - plain_ns) / GAUGE_CALLS : 0;
}

static double own_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3;
}

/* All traps, also those before the count and after it, and the time of this program. */
static double spent_ns(const struct budget *budget)
{
    double spent = own_ns() - budget->own_begin_ns;
    for (__u32 i = 0; i < functions; i++)
        spent += (double) total_of(i).traps * budget->cost_ns;
    return spent;
}

static double allowed_ns(const struct budget *budget, double elapsed_ns)
{
    double rest_ns = budget->duration_ns - budget->shared_at_ns;
    double burst_ns = rest_ns / 2 < BURST_NS ? rest_ns / 2 : BURST_NS;
    double share = rest_ns > 0 ? (elapsed_ns - budget->shared_at_ns + burst_ns) / rest_ns : 1;
    return budget->spent_then_ns + (budget->limit_ns - budget->spent_then_ns) * (share < 1 ? share : 1);
}

/* The function with the most entries, of those that have probes; -1 if none was entered. */
static int most_entered(void)
{
    __u64 most = 0;
    int worst = -1;
    for (__u32 i = 0; i < functions; i++) {
        __u64 traps = probes[i].entry ? total_of(i).traps : 0;
        if (traps > most) {
            most = traps;
            worst = (int) i;
        }
    }
    return worst;
}

/* Takes the probes from the function that is called most often, if they have cost more than they may. counted_ns: when the count began; 0: not yet. */
static void keep_limit(struct budget *budget, unsigned long long counted_ns)
{
    double spent = spent_ns(budget);
    if (spent <= allowed_ns(budget, (double) (now_ns() - budget->begin_ns)))
        return;
    int worst = most_entered();
    if (worst < 0)
        return;
    __u32 function = (__u32) worst;
    unsigned long long at_ns = now_ns();
    bpf_map_update_elem(cuts_map, &function, &at_ns, BPF_ANY);
    begin_detach(&probes[function]);
    budget->shared_at_ns = (double) (now_ns() - budget->begin_ns);
    budget->spent_then_ns = spent_ns(budget);
    printf("{\"kind\":\"cut\",\"function\":%d,\"calls\":%llu,\"afterNs\":%llu}\n", worst, (unsigned long long) total_of(function).calls, counted_ns == 0 ? 0 : at_ns - counted_ns);
    fflush(stdout);
}

static void read_functions(int pid, struct budget *budget)
{
    char line[8192], path[4096];
    while (fgets(line, sizeof line, stdin) && strcmp(line, "go\n") != 0) {
        unsigned int function;
        size_t offset;
        if (sscanf(line, "%u %zu %4095[^\n]", &function, &offset, path) != 3 || function >= GAUGE) {
            errno = EINVAL;
            fail("not a function");
        }
        functions = function < functions ? functions : function + 1;
        if (attach(function, pid, path, offset, NULL) != 0) {
            printf("{\"kind\":\"refused\",\"function\":%u,\"message\":\"%s\"}\n", function, strerror(errno));
            begin_detach(&probes[function]);
        }
        keep_limit(budget, 0);
    }
}

/* The time of calls that have not returned, as of now; of a function without probes, as of when it lost them. */
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
            unsigned long long cut_ns = cut_of((__u32) frame->function);
            unsigned long long until_ns = i + 1 < stack.depth && i + 1 < MAX_DEPTH ? stack.frames[i + 1].entry_ns : end_ns;
            struct sum_key key = {.tid = next, .function = (__u32) frame->function};
            struct sum sum;
            if (cut_ns != 0 && cut_ns < until_ns)
                until_ns = cut_ns;
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
            printf("{\"kind\":\"calls\",\"tid\":%d,\"function\":%u,\"calls\":%llu,\"ns\":%llu}\n", next.tid, next.function, (unsigned long long) sum.calls,
                (unsigned long long) sum.self_ns);
    }
}

static void print_end(const struct budget *budget, unsigned long long counted_ns)
{
    struct total all = {0};
    for (__u32 i = 0; i < functions; i++) {
        struct total total = total_of(i);
        all.traps += total.traps;
        all.calls += total.calls;
        all.lost += total.lost;
        all.abandoned += total.abandoned;
    }
    printf("{\"kind\":\"end\",\"elapsedNs\":%llu,\"calls\":%llu,\"lost\":%llu,\"abandoned\":%llu,\"traps\":%llu,\"ownNs\":%.0f,\"probedNs\":%llu}\n", counted_ns,
        (unsigned long long) all.calls, (unsigned long long) all.lost, (unsigned long long) all.abandoned, (unsigned long long) all.traps, own_ns() - budget->own_begin_ns,
        now_ns() - budget->begin_ns);
}

static void set_started(const struct naklab_calls_bpf *programs, __u64 is_started)
{
    __u32 key = 0;
    bpf_map_update_elem(bpf_map__fd(programs->maps.started), &key, &is_started, BPF_ANY);
}

static struct naklab_calls_bpf *load(void)
{
    begin_loading("not root: uprobes need CAP_BPF and CAP_PERFMON");
    struct naklab_calls_bpf *programs = naklab_calls_bpf__open();
    if (!programs)
        fail("cannot read the BPF programs");
    if (naklab_calls_bpf__load(programs) != 0)
        fail("the kernel refuses the BPF programs");
    on_entry = programs->progs.on_entry;
    on_return = programs->progs.on_return;
    totals_map = bpf_map__fd(programs->maps.totals);
    cuts_map = bpf_map__fd(programs->maps.cuts);
    if (!bpf_program__attach(programs->progs.on_exit))
        fail("the kernel does not say when a thread ends");
    return programs;
}

int main(int argc, char **argv)
{
    int pid = argc > 3 ? atoi(argv[1]) : 0;
    double limit = argc > 3 ? atoi(argv[2]) / 1000.0 : 0;
    double duration_ns = argc > 3 ? atof(argv[3]) * 1e6 : 0;
    setsid(); /* A terminal's Ctrl-C is for the lab, which then ends the input. */
    struct naklab_calls_bpf *programs = load();
    struct budget budget = {.cost_ns = measure(), .limit_ns = limit * duration_ns, .duration_ns = duration_ns};
    /* Under load, this program must not come too late to keep the limit. Without the right, it is as late as others. */
    setpriority(PRIO_PROCESS, 0, -20);
    budget.begin_ns = now_ns();
    budget.own_begin_ns = own_ns();
    read_functions(pid, &budget);
    printf("{\"kind\":\"ready\",\"costNs\":%.0f}\n", budget.cost_ns);
    fflush(stdout);
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    while (poll(&input, 1, INTERVAL_MS) == 0)
        keep_limit(&budget, 0);
    char line[16];
    unsigned long long begin_ns = 0;
    if (fgets(line, sizeof line, stdin)) {
        begin_ns = now_ns();
        set_started(programs, 1);
        printf("{\"kind\":\"started\"}\n");
        fflush(stdout);
    }
    while (poll(&input, 1, INTERVAL_MS) == 0)
        keep_limit(&budget, begin_ns);
    set_started(programs, 0);
    unsigned long long end_ns = now_ns();
    for (__u32 i = 0; i < functions; i++) {
        if (probes[i].entry)
            begin_detach(&probes[i]);
    }
    for (__u32 i = 0; i < functions; i++)
        end_detach(&probes[i]);
    int sums = bpf_map__fd(programs->maps.sums);
    add_open(bpf_map__fd(programs->maps.stacks), sums, end_ns);
    print_sums(sums);
    print_end(&budget, end_ns - begin_ns);
    return 0;
}
