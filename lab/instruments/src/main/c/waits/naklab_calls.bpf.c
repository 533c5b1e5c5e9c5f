/*
 * SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
 *
 * Counts and times calls of functions by uprobes at their entry and return. A shadow stack of each thread gives the self time. The cookie of a probe is the
 * number of its function.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "naklab_calls.h"

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_STACKS);
    __type(key, __s32);
    __type(value, struct stack);
} stacks SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct stack);
} empty SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_SUMS);
    __type(key, struct sum_key);
    __type(value, struct sum);
} sums SEC(".maps");

/* Entries of each function; the last one are calls that found no room. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, MAX_FUNCTIONS + 1);
    __type(key, __u32);
    __type(value, __u64);
} hits SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} started SEC(".maps");

/* Functions are counted while all of them have their probes, which takes a while to set and to take away. */
static int is_counted(__u32 function)
{
    __u32 key = 0;
    __u64 *is_started = bpf_map_lookup_elem(&started, &key);
    return function == GAUGE || (is_started && *is_started);
}

static void hit(__u32 function)
{
    __u64 *count = bpf_map_lookup_elem(&hits, &function);
    if (count)
        __sync_fetch_and_add(count, 1);
}

static struct stack *stack_of(__s32 tid)
{
    struct stack *stack = bpf_map_lookup_elem(&stacks, &tid);
    if (stack)
        return stack;
    __u32 zero = 0;
    struct stack *none = bpf_map_lookup_elem(&empty, &zero);
    if (!none || bpf_map_update_elem(&stacks, &tid, none, BPF_NOEXIST) != 0)
        return 0;
    return bpf_map_lookup_elem(&stacks, &tid);
}

static void add(__s32 tid, __u32 function, __u64 calls, __u64 self_ns)
{
    struct sum_key key = {.tid = tid, .function = function};
    struct sum *sum = bpf_map_lookup_elem(&sums, &key);
    if (!sum) {
        struct sum first = {.calls = calls, .self_ns = self_ns};
        if (bpf_map_update_elem(&sums, &key, &first, BPF_NOEXIST) != 0)
            hit(MAX_FUNCTIONS);
        return;
    }
    sum->calls += calls;
    sum->self_ns += self_ns;
}

SEC("uprobe")
int on_entry(struct pt_regs *registers)
{
    __u32 function = (__u32) bpf_get_attach_cookie(registers);
    __s32 tid = (__s32) bpf_get_current_pid_tgid();
    if (!is_counted(function))
        return 0;
    struct stack *stack = stack_of(tid);
    hit(function);
    add(tid, function, 1, 0);
    if (!stack || stack->depth >= MAX_DEPTH) {
        hit(MAX_FUNCTIONS);
        return 0;
    }
    struct frame *frame = &stack->frames[stack->depth & (MAX_DEPTH - 1)];
    frame->function = function;
    frame->inner_ns = 0;
    stack->depth++;
    frame->entry_ns = bpf_ktime_get_ns();
    return 0;
}

/* Calls that longjmp or an exception has left lie above the one that returns: they end with it. */
SEC("uretprobe")
int on_return(struct pt_regs *registers)
{
    __u64 now_ns = bpf_ktime_get_ns();
    __u32 function = (__u32) bpf_get_attach_cookie(registers);
    __s32 tid = (__s32) bpf_get_current_pid_tgid();
    struct stack *stack = bpf_map_lookup_elem(&stacks, &tid);
    if (!stack || !is_counted(function))
        return 0;
    __u64 depth = stack->depth;
    for (int i = 0; i < MAX_DEPTH; i++) {
        if (depth == 0 || depth > MAX_DEPTH)
            return 0;
        depth--;
        struct frame *frame = &stack->frames[depth & (MAX_DEPTH - 1)];
        if (frame->function == function) {
            __u64 elapsed_ns = now_ns - frame->entry_ns;
            __u64 self_ns = elapsed_ns > frame->inner_ns ? elapsed_ns - frame->inner_ns : 0;
            add(tid, function, 0, self_ns);
            stack->depth = depth;
            if (depth > 0)
                stack->frames[(depth - 1) & (MAX_DEPTH - 1)].inner_ns += elapsed_ns;
            return 0;
        }
    }
    return 0;
}

char LICENSE[] SEC("license") = "GPL";
