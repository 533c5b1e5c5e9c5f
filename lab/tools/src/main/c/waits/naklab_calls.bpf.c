/*
 * SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
 *
 * Counts and times calls of functions by uprobes at their entry and return. A shadow stack of each thread gives the self time. The cookie of a probe is the
 * number of its function.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "naklab_calls.h"

/* Further apart than this, two stack pointers are of different stacks, such as that of a signal handler. */
#define SAME_STACK_BYTES (1ULL << 20)

/* A call of x86-64 pushes the return address, and the return takes it away; a call of aarch64 has it in a register. */
#ifdef __TARGET_ARCH_x86
enum { PUSHED_BYTES = 8 };
#define READ_RETURN_ADDRESS(registers, to) bpf_probe_read_user(to, sizeof *(to), (void *) PT_REGS_SP(registers))
#else
enum { PUSHED_BYTES = 0 };
#define READ_RETURN_ADDRESS(registers, to) (*(to) = PT_REGS_RET(registers))
#endif

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

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, MAX_FUNCTIONS);
    __type(key, __u32);
    __type(value, struct total);
} totals SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} started SEC(".maps");

/* Since when a function has no probes; 0: it has them. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, MAX_FUNCTIONS);
    __type(key, __u32);
    __type(value, __u64);
} cuts SEC(".maps");

/* Functions are counted while all of them have their probes, which takes a while to set and to take away. */
static bool is_counted(__u32 function)
{
    __u32 key = 0;
    __u64 *is_started = bpf_map_lookup_elem(&started, &key);
    return function == GAUGE || (is_started && *is_started);
}

static __u64 cut_of(__u32 function)
{
    __u64 *cut_ns = bpf_map_lookup_elem(&cuts, &function);
    return cut_ns ? *cut_ns : 0;
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
        struct total *total = bpf_map_lookup_elem(&totals, &function);
        if (bpf_map_update_elem(&sums, &key, &first, BPF_NOEXIST) != 0 && total)
            __sync_fetch_and_add(&total->lost, 1);
        return;
    }
    sum->calls += calls;
    sum->self_ns += self_ns;
}

/* Takes the innermost call from the stack; that of a function without probes has ended when it lost them. */
static void close_innermost(struct stack *stack, __s32 tid, __u64 now_ns, bool is_abandoned)
{
    __u64 depth = stack->depth - 1;
    if (depth >= MAX_DEPTH)
        return;
    struct frame *frame = &stack->frames[depth & (MAX_DEPTH - 1)];
    __u32 function = (__u32) frame->function;
    struct total *total = bpf_map_lookup_elem(&totals, &function);
    __u64 cut_ns = cut_of(function);
    __u64 end_ns = cut_ns != 0 && cut_ns < now_ns ? cut_ns : now_ns;
    __u64 elapsed_ns = end_ns > frame->entry_ns ? end_ns - frame->entry_ns : 0;
    add(tid, function, 0, elapsed_ns > frame->inner_ns ? elapsed_ns - frame->inner_ns : 0);
    stack->depth = depth;
    if (depth > 0)
        stack->frames[(depth - 1) & (MAX_DEPTH - 1)].inner_ns += elapsed_ns;
    if (is_abandoned && cut_ns == 0 && total)
        __sync_fetch_and_add(&total->abandoned, 1);
}

/*
 * Calls that longjmp or an exception has left have their frames below the stack pointer of the next call. A function that jumps to the next one (a tail call)
 * has the same stack pointer and is not left: the kernel has replaced the return address that it had.
 */
static void close_abandoned(struct stack *stack, __s32 tid, __u32 function, __u64 stack_pointer, __u64 return_address, __u64 now_ns)
{
    for (int i = 0; i < MAX_DEPTH; i++) {
        __u64 depth = stack->depth - 1;
        if (depth >= MAX_DEPTH)
            return;
        struct frame *frame = &stack->frames[depth & (MAX_DEPTH - 1)];
        if (frame->stack_pointer > stack_pointer || stack_pointer - frame->stack_pointer > SAME_STACK_BYTES)
            return;
        if (frame->stack_pointer == stack_pointer && frame->function != function && frame->return_address != return_address)
            return;
        close_innermost(stack, tid, now_ns, true);
    }
}

SEC("uprobe")
int on_entry(struct pt_regs *registers)
{
    __u32 function = (__u32) bpf_get_attach_cookie(registers);
    __s32 tid = (__s32) bpf_get_current_pid_tgid();
    struct total *total = bpf_map_lookup_elem(&totals, &function);
    if (!total)
        return 0;
    __sync_fetch_and_add(&total->traps, 1);
    if (!is_counted(function) || cut_of(function) != 0)
        return 0;
    __sync_fetch_and_add(&total->calls, 1);
    add(tid, function, 1, 0);
    struct stack *stack = stack_of(tid);
    if (!stack) {
        __sync_fetch_and_add(&total->lost, 1);
        return 0;
    }
    __u64 stack_pointer = PT_REGS_SP(registers);
    __u64 return_address = 0;
    READ_RETURN_ADDRESS(registers, &return_address);
    close_abandoned(stack, tid, function, stack_pointer, return_address, bpf_ktime_get_ns());
    if (stack->depth >= MAX_DEPTH) {
        __sync_fetch_and_add(&total->lost, 1);
        return 0;
    }
    struct frame *frame = &stack->frames[stack->depth & (MAX_DEPTH - 1)];
    frame->function = function;
    frame->inner_ns = 0;
    frame->stack_pointer = stack_pointer;
    frame->return_address = return_address;
    stack->depth++;
    frame->entry_ns = bpf_ktime_get_ns();
    return 0;
}

static bool is_open(struct stack *stack, __u32 function, __u64 stack_pointer)
{
    for (int i = 0; i < MAX_DEPTH; i++) {
        if (i >= stack->depth)
            return false;
        if (stack->frames[i].function == function && stack->frames[i].stack_pointer == stack_pointer)
            return true;
    }
    return false;
}

/* Calls above this one were left by longjmp or an exception: they end with it. */
SEC("uretprobe")
int on_return(struct pt_regs *registers)
{
    __u64 now_ns = bpf_ktime_get_ns();
    __u32 function = (__u32) bpf_get_attach_cookie(registers);
    __s32 tid = (__s32) bpf_get_current_pid_tgid();
    __u64 stack_pointer = PT_REGS_SP(registers) - PUSHED_BYTES;
    struct stack *stack = bpf_map_lookup_elem(&stacks, &tid);
    if (!stack || !is_counted(function) || !is_open(stack, function, stack_pointer))
        return 0;
    for (int i = 0; i < MAX_DEPTH; i++) {
        __u64 depth = stack->depth - 1;
        if (depth >= MAX_DEPTH)
            return 0;
        struct frame *frame = &stack->frames[depth & (MAX_DEPTH - 1)];
        bool is_this = frame->function == function && frame->stack_pointer == stack_pointer;
        close_innermost(stack, tid, now_ns, !is_this);
        if (is_this)
            return 0;
    }
    return 0;
}

/* The calls of a thread that ends end with it. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, void *task)
{
    __s32 tid = (__s32) bpf_get_current_pid_tgid();
    struct stack *stack = bpf_map_lookup_elem(&stacks, &tid);
    if (!stack)
        return 0;
    __u64 now_ns = bpf_ktime_get_ns();
    for (int i = 0; i < MAX_DEPTH; i++) {
        if (stack->depth == 0 || stack->depth > MAX_DEPTH)
            break;
        close_innermost(stack, tid, now_ns, true);
    }
    bpf_map_delete_elem(&stacks, &tid);
    return 0;
}

char LICENSE[] SEC("license") = "GPL";
