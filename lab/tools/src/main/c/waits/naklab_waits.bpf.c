/*
 * SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
 *
 * Accounts the wall time of each thread of the programs that a root process starts, or of a process that runs already, and their system calls. Every thread is in exactly one
 * part at each time: on a processor, ready to run, or waiting for what its system call says.
 */
#include <linux/bpf.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "naklab_waits.h"

#define RELOCATED __attribute__((preserve_access_index))

enum { TASK_UNINTERRUPTIBLE = 2, MAX_ERROR = 4095 };

/* Where struct pt_regs has the first three arguments of a system call, in words. */
#if defined(__TARGET_ARCH_x86)
enum { AT_FIRST = 14, AT_SECOND = 13, AT_THIRD = 12 };
#else
enum { AT_FIRST = 0, AT_SECOND = 1, AT_THIRD = 2 };
#endif

/* A mutex of glibc is 2 while threads wait for it, and has its holder two words behind. */
enum { GLIBC_CONTENDED = 2, GLIBC_OWNER_AT = 8 };

struct signal_struct {
    struct {
        int counter;
    } live;
} RELOCATED;

struct task_struct {
    int pid;
    int tgid;
    struct signal_struct *signal;
    char comm[NAME_LENGTH];
} RELOCATED;

struct linux_binprm {
    const char *filename;
} RELOCATED;

const volatile __s32 root = 0;

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_THREADS);
    __type(key, __s32);
    __type(value, struct thread);
} threads SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_GROUPS);
    __type(key, __s32);
    __type(value, struct group);
} groups SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_CALLS);
    __type(key, __s32);
    __type(value, struct call);
} calls SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} lost SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_LOCKS);
    __type(key, struct futex_key);
    __type(value, struct futex);
} futexes SEC(".maps");

static void count_lost(void)
{
    __u32 key = 0;
    __u64 *count = bpf_map_lookup_elem(&lost, &key);
    if (count)
        __sync_fetch_and_add(count, 1);
}

static void begin_thread(__s32 tid, __s32 pid, __u32 part)
{
    struct thread thread = {};
    thread.begin_ns = bpf_ktime_get_ns();
    thread.mark_ns = thread.begin_ns;
    thread.part = part;
    thread.call = NO_CALL;
    thread.pid = pid;
    if (bpf_map_update_elem(&threads, &tid, &thread, BPF_ANY) != 0)
        count_lost();
}

static void account(struct thread *thread, __u64 now_ns)
{
    __u64 elapsed_ns = now_ns - thread->mark_ns;
    if (thread->part < PARTS)
        thread->ns[thread->part] += elapsed_ns;
    if (thread->part != PART_CPU)
        thread->away_ns += elapsed_ns;
    thread->mark_ns = now_ns;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int state)
{
    __s32 tid = prev->pid;
    __u64 now_ns = bpf_ktime_get_ns();
    struct thread *thread = bpf_map_lookup_elem(&threads, &tid);
    if (thread && !thread->ended) {
        account(thread, now_ns);
        thread->part = preempt || state == 0 ? PART_RUNNABLE : part_of_call(thread->call, state & TASK_UNINTERRUPTIBLE);
    }
    tid = next->pid;
    thread = bpf_map_lookup_elem(&threads, &tid);
    if (thread && !thread->ended) {
        account(thread, now_ns);
        thread->part = PART_CPU;
    }
    return 0;
}

static void become_runnable(struct task_struct *task)
{
    __s32 tid = task->pid;
    struct thread *thread = bpf_map_lookup_elem(&threads, &tid);
    if (thread && !thread->ended && thread->part != PART_CPU && thread->part != PART_RUNNABLE) {
        account(thread, bpf_ktime_get_ns());
        thread->part = PART_RUNNABLE;
        if (thread->futex) {
            __s32 waker = (__s32) bpf_get_current_pid_tgid();
            struct thread *other = bpf_map_lookup_elem(&threads, &waker);
            thread->waker = other && other->pid == thread->pid ? waker : 0;
        }
    }
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
    become_runnable(task);
    return 0;
}

/* A thread can be woken while it still leaves its processor: the switch is seen after the waking then, and before the end of the wake-up. */
SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *task)
{
    become_runnable(task);
    return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
    __s32 pid = parent->tgid;
    __s32 child_pid = child->tgid;
    struct group group = {.direct = pid == root};
    if (!group.direct && !bpf_map_lookup_elem(&groups, &pid))
        return 0;
    if (pid == root && child_pid == root)
        return 0; /* a thread of the root */
    __s32 child_tid = child->pid;
    if (bpf_map_lookup_elem(&threads, &child_tid))
        count_lost(); /* of a thread that has ended, whose number is given again */
    if (child_pid != pid && bpf_map_update_elem(&groups, &child_pid, &group, BPF_ANY) != 0)
        count_lost();
    begin_thread(child->pid, child_pid, PART_RUNNABLE);
    return 0;
}

static bool is_helper(const char *filename)
{
    char name[128] = {};
    const char helper[] = "jspawnhelper";
    long length = bpf_probe_read_kernel_str(name, sizeof name, filename);
    if (length < (long) sizeof helper || length > (long) sizeof name)
        return false;
    for (int i = 0; i < (int) sizeof helper; i++) {
        unsigned int at = (unsigned int) (length - (long) sizeof helper + i);
        if (at >= sizeof name || name[at] != helper[i])
            return false;
    }
    return true;
}

/* What the root's child did before it became the program is not the program's. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid, struct linux_binprm *binary)
{
    __s32 pid = task->tgid;
    struct group *group = bpf_map_lookup_elem(&groups, &pid);
    if (!group || !group->direct || is_helper(BPF_CORE_READ(binary, filename)))
        return 0;
    group->direct = 0;
    begin_thread(task->pid, pid, PART_CPU);
    struct thread *thread = bpf_map_lookup_elem(&threads, &pid);
    if (thread) {
        thread->call = 59; /* execve */
        thread->call_ns = thread->mark_ns;
    }
    return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
    __s32 tid = task->pid;
    struct thread *thread = bpf_map_lookup_elem(&threads, &tid);
    if (thread && !thread->ended) {
        account(thread, bpf_ktime_get_ns());
        __builtin_memcpy(thread->name, task->comm, NAME_LENGTH);
        thread->end_ns = thread->mark_ns;
        thread->ended = 1;
    }
    __s32 pid = task->tgid;
    if (task->signal->live.counter == 0)
        bpf_map_delete_elem(&groups, &pid);
    return 0;
}

static __u64 register_at(const void *registers, int at)
{
    __u64 value = 0;
    bpf_probe_read_kernel(&value, sizeof value, (const __u64 *) registers + at);
    return value;
}

/* A number at the place of a holder is one if a thread of the process has it. */
static __s32 holder(struct thread *thread, __s32 tid)
{
    struct thread *other = bpf_map_lookup_elem(&threads, &tid);
    return other && !other->ended && other->pid == thread->pid ? tid : 0;
}

/* Locks have their holder in the word (with priority inheritance, robust, or of musl), or are mutexes of glibc. */
static void begin_futex(struct thread *thread, const void *registers)
{
    __u64 address = register_at(registers, AT_FIRST);
    __u32 operation = (__u32) register_at(registers, AT_SECOND) & FUTEX_CMD_MASK;
    __u32 expected = (__u32) register_at(registers, AT_THIRD);
    __u32 owner = 0;
    if (operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2) {
        bpf_probe_read_user(&owner, sizeof owner, (const void *) address);
        thread->is_lock = 1;
    } else if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) {
        owner = expected;
        thread->is_lock = (expected & FUTEX_WAITERS) != 0;
        if (expected == GLIBC_CONTENDED && operation == FUTEX_WAIT) {
            bpf_probe_read_user(&owner, sizeof owner, (const void *) (address + GLIBC_OWNER_AT));
            thread->is_lock = 1;
        }
    } else {
        return;
    }
    thread->holder = thread->is_lock ? holder(thread, (__s32) (owner & FUTEX_TID_MASK)) : 0;
    thread->waker = 0;
    thread->futex = address;
}

/* A wait for a lock counts however it ended, if the thread left its processor; one for a condition only if another thread ended it. */
static void end_futex(struct thread *thread, __s32 tid, long result)
{
    struct futex_key key = {.address = thread->futex, .pid = thread->pid, .is_lock = thread->is_lock};
    thread->futex = 0;
    if (thread->call_ns == 0 || thread->away_ns == thread->call_away_ns || (!key.is_lock && result != 0))
        return;
    key.holder = thread->holder ? thread->holder : thread->waker;
    struct futex *futex = bpf_map_lookup_elem(&futexes, &key);
    if (!futex) {
        struct futex none = {};
        bpf_map_update_elem(&futexes, &key, &none, BPF_NOEXIST);
        futex = bpf_map_lookup_elem(&futexes, &key);
        if (!futex) {
            count_lost();
            return;
        }
    }
    __u64 elapsed_ns = bpf_ktime_get_ns() - thread->call_ns;
    __sync_fetch_and_add(&futex->waits, 1);
    __sync_fetch_and_add(&futex->total_ns, elapsed_ns);
    if (elapsed_ns > futex->longest_ns) {
        futex->longest_ns = elapsed_ns;
        futex->longest_tid = tid;
    }
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, void *registers, long number)
{
    __s32 tid = (__s32) bpf_get_current_pid_tgid();
    struct thread *thread = bpf_map_lookup_elem(&threads, &tid);
    if (thread) {
        thread->call = (__s32) number;
        thread->call_ns = bpf_ktime_get_ns();
        thread->call_away_ns = thread->away_ns;
        if (number == __NR_futex)
            begin_futex(thread, registers);
    }
    return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_return, void *registers, long result)
{
    __u64 id = bpf_get_current_pid_tgid();
    __s32 tid = (__s32) id;
    __s32 pid = (__s32) (id >> 32);
    struct thread *thread = bpf_map_lookup_elem(&threads, &tid);
    if (!thread || thread->call == NO_CALL)
        return 0;
    struct group *group = bpf_map_lookup_elem(&groups, &pid);
    __s32 number = thread->call;
    thread->call = NO_CALL;
    if (!group || group->direct || thread->call_ns == 0)
        return 0;
    if (thread->futex)
        end_futex(thread, tid, result);
    struct call *call = bpf_map_lookup_elem(&calls, &number);
    if (!call) {
        struct call none = {};
        bpf_map_update_elem(&calls, &number, &none, BPF_NOEXIST);
        call = bpf_map_lookup_elem(&calls, &number);
        if (!call) {
            count_lost();
            return 0;
        }
    }
    __u64 elapsed_ns = bpf_ktime_get_ns() - thread->call_ns;
    __sync_fetch_and_add(&call->calls, 1);
    if (result < 0 && result >= -MAX_ERROR)
        __sync_fetch_and_add(&call->errors, 1);
    __sync_fetch_and_add(&call->total_ns, elapsed_ns);
    __sync_fetch_and_add(&call->away_ns, thread->away_ns - thread->call_away_ns);
    if (elapsed_ns > call->longest_ns)
        call->longest_ns = elapsed_ns;
    return 0;
}

char LICENSE[] SEC("license") = "GPL";
