/*
 * SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
 *
 * Watches the threads of some processes from the scheduler's tracepoints. What happens at every switch is small: remember when and why
 * a thread left its processor, with its user registers and the top of its user stack. The kernel stack is taken when the thread
 * comes back, and only of an absence that is long enough to be reported: it has not changed meanwhile.
 */
#include <linux/bpf.h>
#include <stdbool.h>
#include <linux/types.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "naklab_kernel.h"

#define RELOCATED __attribute__((preserve_access_index))
#define BARRIER(x) asm volatile("" : "+r"(x))

enum {
    TASK_INTERRUPTIBLE = 1,
    TASK_UNINTERRUPTIBLE = 2,
    TASK_STOPPED = 4,
    TASK_TRACED = 8,
    TASK_DEAD_BITS = 0x80 | 0x10 | 0x20,
    JOBCTL_TRAP_FREEZE = 1 << 23,
    MAX_CGROUP_DEPTH = 16
};
enum { SIGNAL_CONT = 18, SIGNAL_STOP, SIGNAL_TSTP, SIGNAL_TTIN, SIGNAL_TTOU };
enum { IP = 0x0800, IP6 = 0x86dd, UDP = 17, FRAGMENT = 44, FRAGMENT_OFFSET = 0x1fff, MORE_FRAGMENTS = 0x2000, PEEK = 2 };
enum { MAX_THREADS = 2048, MAX_TARGETS = 256 };
enum { RING_BYTES = 8 << 20, WAKE_BYTES = RING_BYTES / 8 };

struct kernfs_node {
    __u64 id;
} RELOCATED;

struct cgroup_freezer_state {
    bool freeze;
} RELOCATED;

struct cgroup;

struct cgroup_subsys_state {
    struct cgroup *cgroup;
    struct cgroup_subsys_state *parent;
} RELOCATED;

struct cgroup {
    struct cgroup_subsys_state self;
    struct kernfs_node *kn;
    struct cgroup_freezer_state freezer;
} RELOCATED;

struct css_set {
    struct cgroup *dfl_cgrp;
} RELOCATED;

struct rq {
    __u64 prev_steal_time_rq;
} RELOCATED;

struct cfs_rq {
    struct rq *rq;
} RELOCATED;

struct sched_entity {
    __u64 sum_exec_runtime;
    struct cfs_rq *cfs_rq;
} RELOCATED;

struct timerqueue_node {
    __s64 expires;
} RELOCATED;

struct hrtimer {
    struct timerqueue_node node;
    __s64 _softexpires;
    void *function;
} RELOCATED;

struct task_struct {
    struct sched_entity se;
    int pid;
    int tgid;
    unsigned int __state;
    unsigned int ptrace;
    unsigned long jobctl;
    int nr_cpus_allowed;
    __u64 start_time;
    struct task_struct *parent;
    struct css_set *cgroups;
    char comm[COMM_LENGTH];
} RELOCATED;

struct ns_common {
    unsigned int inum;
} RELOCATED;

struct net {
    struct ns_common ns;
} RELOCATED;

typedef struct {
    struct net *net;
} RELOCATED possible_net_t;

struct net_device {
    possible_net_t nd_net;
} RELOCATED;

struct inode {
    unsigned long i_ino;
} RELOCATED;

struct socket {
    short type;
} RELOCATED;

struct socket_alloc {
    struct socket socket;
    struct inode vfs_inode;
} RELOCATED;

struct sock_common {
    possible_net_t skc_net;
    __u16 skc_num;
} RELOCATED;

struct sock {
    struct sock_common __sk_common;
    __u16 sk_protocol;
    struct socket *sk_socket;
} RELOCATED;

struct sk_buff {
    struct net_device *dev;
    struct sock *sk;
    unsigned int len;
    unsigned char *head;
    __u16 network_header;
    __u16 transport_header;
    __be16 protocol;
} RELOCATED;

struct iphdr {
    __u8 version_and_length;
    __u8 tos;
    __be16 length;
    __be16 id;
    __be16 fragment;
    __u8 ttl;
    __u8 protocol;
    __u16 check;
    __be32 source;
    __be32 destination;
};

struct ip6hdr {
    __u8 version_and_class[4];
    __be16 length;
    __u8 next;
    __u8 hops;
    __u8 source[ADDRESS_LENGTH];
    __u8 destination[ADDRESS_LENGTH];
};

/* The extension header of a fragment. */
struct ip6frag {
    __u8 next;
    __u8 reserved;
    __be16 offset;
    __be32 id;
};

struct pt_regs;
struct kernel_siginfo;

const volatile __u64 absence_ns = 5000000;
const volatile __u64 fault_ns = 1000000;
const volatile __u64 spell_ns = 10000000;
/* When the recorder began: what a thread did before is unknown. */
const volatile __u64 since_ns = 1;
/* Shorter gaps between datagrams of one sender are not reported. */
const volatile __u64 gap_ns = 20000000;
/* Shorter interrupts, and times without a processor that the hypervisor took, are not reported; 0: none are. */
const volatile __u64 interrupt_ns = 0;
const volatile __u32 stack_pages = 2;
/* A port of the destination, in network order, whose datagrams are counted when they come in; 0: none. It may change while the programs run. */
volatile __u32 watched_port = 0;
/* Whether only the threads with a name in "names" have user stacks, and page faults that are reported. */
const volatile __u32 named = 0;
/* Whether samples of running threads have no user stack: that of a JVM takes long to resolve. */
const volatile __u32 kernel_samples = 0;

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_TARGETS);
    __type(key, __u32);
    __type(value, __u8);
} targets SEC(".maps");

/* By process: who sent the last signal that stops. */
struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, MAX_TARGETS);
    __type(key, __u32);
    __type(value, struct task);
} stoppers SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_NAMES);
    __type(key, char[COMM_LENGTH]);
    __type(value, __u8);
} names SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_THREADS);
    __type(key, __u32);
    __type(value, struct absence);
} threads SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, MAX_THREADS);
    __type(key, __u32);
    __type(value, struct fault);
} faults SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 4096);
    __type(key, struct drop_key);
    __type(value, struct drop_count);
} drops SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 1024);
    __type(key, struct flow);
    __type(value, struct arrivals);
} arrivals SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 1024);
    __type(key, struct delivery_key);
    __type(value, struct drop_count);
} deliveries SEC(".maps");

/* The threads of the recorded processes, by socket: who receives is seen, not guessed. The one that has not received for longest makes room. */
struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, 1024);
    __type(key, struct receipt_key);
    __type(value, struct receipts);
} receipts SEC(".maps");

/* By processor: who received last, from which socket, and in which jiffy. */
struct last_receipt {
    struct sock *receiver;
    __u64 tick;
    __u32 tid;
    __u32 unused;
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct last_receipt);
} last_receipts SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, LOST_COUNTERS);
    __type(key, __u32);
    __type(value, __u64);
} lost SEC(".maps");

/* By processor and kind: the interrupt that is under way. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, INTERRUPT_KINDS);
    __type(key, __u32);
    __type(value, struct interrupt_record);
} interrupts SEC(".maps");

enum { PASSED = 8 }; /* a power of two */

/* Soft interrupts that began while no recorded thread was on the processor: one that is woken meanwhile has to wait for their end. */
struct passed {
    __u32 next;
    struct interrupt_record records[PASSED];
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct passed);
} passed_interrupts SEC(".maps");

/* By processor: what the hypervisor had taken until the last tick. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct steal_record);
} steals SEC(".maps");

/* By processor: the recorded thread that may run on this processor only, and since when another one runs there. */
struct core {
    __u64 since_ns;   /* 0: no other thread runs */
    struct task task; /* tid 0: none */
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct core);
} cores SEC(".maps");

enum { TURNS = 16, TURN_NS = 500000 }; /* a power of two; shorter turns do not keep a thread waiting */

struct turn {
    __u64 begin_ns;
    __u64 end_ns;
    struct task task;
};

/* By processor: the last times in which a thread ran for long at a time. */
struct turns {
    __u64 since_ns; /* the last switch */
    __u32 next;
    struct turn turns[TURNS];
};

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct turns);
} turns_of_core SEC(".maps");

/* By processor: the earliest time at which the timer that expires now was to expire; 0: none does. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} due SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, RING_BYTES);
} records SEC(".maps");

/* What a thread that is new begins with. */
static struct absence none;

static __always_inline void lose(__u32 what)
{
    __u64 *count = bpf_map_lookup_elem(&lost, &what);
    if (count)
        (*count)++;
}

/* A recorder that woke for each record would take of the processors that are watched, and cause the next one. It looks by itself often enough, unless very many come. */
static __always_inline void send(void *record, __u64 size)
{
    __u64 flags = bpf_ringbuf_query(&records, BPF_RB_AVAIL_DATA) >= WAKE_BYTES ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
    if (bpf_ringbuf_output(&records, record, size, flags))
        lose(LOST_RECORDS);
}

static __always_inline bool is_target(__u32 pid)
{
    return bpf_map_lookup_elem(&targets, &pid) != NULL;
}

static __always_inline bool is_named(struct task_struct *task)
{
    char name[COMM_LENGTH] = {};
    if (!named)
        return true;
    bpf_probe_read_kernel_str(name, sizeof name, task->comm);
    return bpf_map_lookup_elem(&names, name) != NULL;
}

static __always_inline bool is_current_named(void)
{
    char name[COMM_LENGTH] = {};
    if (!named)
        return true;
    bpf_get_current_comm(name, sizeof name);
    return bpf_map_lookup_elem(&names, name) != NULL;
}

static __always_inline void identify(struct task *id, struct task_struct *task)
{
    id->pid = task->tgid;
    id->tid = task->pid;
    bpf_probe_read_kernel(id->comm, sizeof id->comm, task->comm);
}

static __always_inline void identify_current(struct task *id)
{
    __u64 both = bpf_get_current_pid_tgid();
    id->pid = both >> 32;
    id->tid = (__u32) both;
    bpf_get_current_comm(id->comm, sizeof id->comm);
}

/* The innermost of the groups that were asked to freeze. */
static __always_inline __u64 frozen_group(struct task_struct *task)
{
    if (!bpf_core_field_exists(struct cgroup, freezer.freeze))
        return 0;
    struct cgroup *group = BPF_CORE_READ(task, cgroups, dfl_cgrp);
    for (int i = 0; group && i < MAX_CGROUP_DEPTH; i++) {
        if (BPF_CORE_READ(group, freezer.freeze))
            return BPF_CORE_READ(group, kn, id);
        struct cgroup_subsys_state *above = BPF_CORE_READ(group, self.parent);
        group = above ? BPF_CORE_READ(above, cgroup) : NULL;
    }
    return 0;
}

/* Who halts the thread, as far as that is known when it leaves its processor. */
static __always_inline void blame(struct absence *absence, struct task_struct *task)
{
    __u32 pid = task->tgid;
    absence->by.tid = 0;
    absence->cgroup = 0;
    if (absence->state & TASK_TRACED || (absence->state & TASK_STOPPED && task->ptrace)) {
        identify(&absence->by, task->parent);
    } else if (absence->state & TASK_STOPPED) {
        struct task *sender = bpf_map_lookup_elem(&stoppers, &pid);
        if (sender)
            absence->by = *sender;
    } else if (absence->flags & ABSENCE_FREEZE_ASKED) {
        absence->cgroup = frozen_group(task);
    }
}

/*
 * Copies by pages: the one above the stack's last is not there, and then nothing of a longer copy would be. To find that out takes a page fault,
 * so it is remembered until the next absence that is reported.
 */
static __always_inline void copy_stack(struct absence *absence)
{
    __u64 sp = absence->regs[AT_SP];
    __u32 length = PAGE - (sp & (PAGE - 1));
    absence->stack_bytes = 0;
    if (sp == 0 || stack_pages == 0 || bpf_probe_read_user(absence->stack, length, (void *) sp))
        return;
    absence->stack_bytes = length;
#pragma unroll
    for (__u32 page = 1; page < STACK_PAGES; page++) {
        __u64 from = sp + length + (page - 1) * PAGE;
        if (page >= stack_pages || from == absence->stack_end)
            return;
        if (bpf_probe_read_user(absence->stack + length + (page - 1) * PAGE, PAGE, (void *) from)) {
            absence->stack_end = from;
            return;
        }
        absence->stack_bytes = length + page * PAGE;
    }
}

/* A thread that is new to the recorder has not slept since it, or the recorder, began: one that sleeps is not new. */
static __always_inline void begin_first_spell(struct absence *absence, struct task_struct *task)
{
    __u64 begin_ns = task->start_time;
    if (begin_ns < since_ns)
        begin_ns = since_ns;
    absence->on_ns = begin_ns;
    absence->spell.begin_ns = begin_ns;
}

static __always_inline void end_spell(struct absence *absence, __u64 now_ns)
{
    if (absence->spell.begin_ns && now_ns - absence->spell.begin_ns >= spell_ns) {
        struct spell_record record = {.type = RECORD_SPELL, .end_ns = now_ns, .task = absence->task, .spell = absence->spell};
        send(&record, sizeof record);
    }
    absence->spell.begin_ns = 0;
}

/* When the thread comes back. A thread that is woken, and has no processor, does not sleep any more. */
static __always_inline void go_on(struct absence *absence, __u64 now_ns)
{
    struct spell *spell = &absence->spell;
    __u64 woken_ns = absence->state ? absence->wake_ns : absence->begin_ns;
    if (!woken_ns)
        woken_ns = now_ns;
    absence->on_ns = now_ns;
    if (spell->begin_ns == 0) {
        spell->begin_ns = woken_ns;
        spell->cpu_ns = 0;
        spell->runnable_ns = 0;
        spell->fault_ns = 0;
    }
    spell->runnable_ns += now_ns - woken_ns;
    if (absence->state & TASK_UNINTERRUPTIBLE && absence->fault.begin_ns >= spell->begin_ns)
        spell->fault_ns += woken_ns - absence->begin_ns;
}

static __always_inline void take_user_stack(struct absence *absence, struct task_struct *task)
{
    void *regs = (void *) bpf_task_pt_regs(task);
    if (bpf_probe_read_kernel(absence->regs, sizeof absence->regs, regs))
        absence->regs[AT_SP] = 0;
    absence->copying = 1;
    copy_stack(absence);
    absence->copying = 0;
}

static __always_inline void send_absence(struct absence *absence, __u64 end_ns)
{
    __u64 size = absence->stack_bytes;
    BARRIER(size);
    if (size > sizeof absence->stack)
        size = 0;
    absence->end_ns = end_ns;
    absence->end_cpu = bpf_get_smp_processor_id();
    send(absence, __builtin_offsetof(struct absence, stack) + size);
    absence->stack_end = 0;
}

/* What is shorter together is not worth a record; nor is it worth a stack if one wait is shorter. */
enum { WAITS_NS = 1000000, WAITS_SPAN_NS = 20000000 };

static __always_inline void end_waits(struct absence *absence)
{
    struct waits_record *waits = &absence->waits;
    if (waits->begin_ns && waits->blocked_ns + waits->runnable_ns >= WAITS_NS)
        send(waits, sizeof *waits);
    waits->begin_ns = 0;
}

/* Of a thread that is named, when it comes back from an absence that is too short for a record. */
static __always_inline void add_to_waits(struct absence *absence, struct task_struct *task, __u64 now_ns)
{
    struct waits_record *waits = &absence->waits;
    __u64 woken_ns = absence->state ? absence->wake_ns : absence->begin_ns;
    if (!woken_ns)
        woken_ns = now_ns;
    __u64 blocked_ns = woken_ns - absence->begin_ns;
    if (waits->begin_ns == 0) {
        waits->type = RECORD_WAITS;
        waits->task = absence->task;
        waits->begin_ns = absence->begin_ns;
        waits->count = 0;
        waits->blocked_ns = 0;
        waits->runnable_ns = 0;
        waits->longest_ns = 0;
        waits->kernel_bytes = 0;
        waits->waker.pid = waits->waker.tid = 0;
        waits->waker.comm[0] = 0;
    }
    waits->count++;
    waits->end_ns = now_ns;
    waits->blocked_ns += blocked_ns;
    waits->runnable_ns += now_ns - woken_ns;
    if (blocked_ns >= WAITS_NS && blocked_ns > waits->longest_ns) {
        waits->longest_ns = blocked_ns;
        if (absence->wake_ns)
            waits->waker = absence->waker;
        waits->kernel_bytes = bpf_get_task_stack(task, waits->kernel, sizeof waits->kernel, 0);
    }
    if (now_ns - waits->begin_ns >= WAITS_SPAN_NS)
        end_waits(absence);
}

/* Of threads without user stacks, only for what the waker of another thread waited is asked: shorter absences are not worth a record. */
static __always_inline __u64 least_ns(struct absence *absence)
{
    return absence->regs[AT_SP] ? absence_ns : spell_ns;
}

/*
 * Some switches are not traced: seen on a virtual machine, from threads of its process 1. If the thread leaves its processor again and has
 * not come back, it came back as long ago as it has run since. What it came from, and its kernel stack, are unknown.
 */
static __always_inline void come_back_untraced(struct absence *absence, struct task_struct *task, __u64 now_ns)
{
    __u64 back_ns = now_ns - (task->se.sum_exec_runtime - absence->ran_ns);
    if (absence->ran_ns == 0 || back_ns < absence->begin_ns || back_ns > now_ns)
        back_ns = absence->begin_ns;
    if (absence->wake_ns > back_ns)
        absence->wake_ns = back_ns;
    go_on(absence, back_ns);
    if (back_ns - absence->begin_ns >= least_ns(absence)) {
        absence->prev.pid = absence->prev.tid = 0;
        absence->prev.comm[0] = 0;
        absence->longest.tid = 0;
        absence->longest_ns = 0;
        absence->kernel_bytes = 0;
        send_absence(absence, back_ns);
    }
    absence->begin_ns = 0;
}

static __always_inline void leave(bool preempt, struct task_struct *prev, struct task_struct *next)
{
    __u32 tid = prev->pid;
    __u32 state = prev->__state;
    if (state & TASK_DEAD_BITS) {
        struct absence *ended = bpf_map_lookup_elem(&threads, &tid);
        if (ended)
            end_waits(ended);
        bpf_map_delete_elem(&threads, &tid);
        bpf_map_delete_elem(&faults, &tid);
        return;
    }
    struct absence *absence = bpf_map_lookup_elem(&threads, &tid);
    if (!absence) {
        bpf_map_update_elem(&threads, &tid, &none, BPF_NOEXIST);
        absence = bpf_map_lookup_elem(&threads, &tid);
        if (!absence) {
            lose(LOST_THREADS);
            return;
        }
        begin_first_spell(absence, prev);
    }
    if (absence->begin_ns)
        come_back_untraced(absence, prev, bpf_ktime_get_ns());
    absence->type = RECORD_ABSENCE;
    absence->flags = prev->jobctl & JOBCTL_TRAP_FREEZE ? ABSENCE_FREEZE_ASKED : 0;
    absence->wake_ns = 0;
    absence->wake_state = 0;
    absence->due_ns = 0;
    absence->waker_bytes = 0;
    absence->end_ns = 0;
    absence->ran_ns = prev->se.sum_exec_runtime;
    absence->state = preempt ? 0 : state;
    absence->begin_cpu = bpf_get_smp_processor_id();
    identify(&absence->task, prev);
    identify(&absence->next, next);
    blame(absence, prev);
    struct fault *fault = bpf_map_lookup_elem(&faults, &tid);
    if (fault)
        absence->fault = *fault;
    else
        absence->fault.begin_ns = 0;
    if (is_named(prev)) {
        take_user_stack(absence, prev);
    } else {
        absence->flags |= ABSENCE_OF_OTHER;
        absence->regs[AT_SP] = 0;
        absence->stack_bytes = 0;
    }
    __u64 now_ns = bpf_ktime_get_ns();
    absence->spell.cpu_ns += now_ns - absence->on_ns;
    if (absence->state & TASK_INTERRUPTIBLE && !(absence->flags & ABSENCE_FREEZE_ASKED))
        end_spell(absence, now_ns);
    /* A thread that ran for long in between is on its processor as long as no record says otherwise. */
    if (absence->waits.begin_ns && now_ns - absence->waits.end_ns >= absence_ns)
        end_waits(absence);
    absence->begin_ns = now_ns;
}

/* A thread that could run from woken_ns on, and had to wait until the soft interrupts of its processor were over. */
static __always_inline void report_passed(struct task_struct *task, __u64 woken_ns)
{
    __u32 first = 0;
    struct passed *passed = bpf_map_lookup_elem(&passed_interrupts, &first);
    if (!passed)
        return;
    for (__u32 i = 0; i < PASSED; i++) {
        struct interrupt_record *record = &passed->records[i];
        if (record->end_ns <= woken_ns)
            continue;
        if (record->begin_ns < woken_ns)
            record->begin_ns = woken_ns;
        identify(&record->task, task);
        send(record, sizeof *record);
        record->end_ns = 0;
    }
}

static __always_inline void end_turn(struct task_struct *prev)
{
    __u32 first = 0;
    struct turns *core = bpf_map_lookup_elem(&turns_of_core, &first);
    if (!core)
        return;
    __u64 now_ns = bpf_ktime_get_ns();
    if (prev->pid && core->since_ns && now_ns - core->since_ns >= TURN_NS) {
        struct turn *turn = &core->turns[core->next++ & (TURNS - 1)];
        turn->begin_ns = core->since_ns;
        turn->end_ns = now_ns;
        identify(&turn->task, prev);
    }
    core->since_ns = now_ns;
}

static __always_inline __u64 turn_since(const struct turn *turn, __u64 since_ns)
{
    if (turn->end_ns <= since_ns)
        return 0;
    return turn->end_ns - (turn->begin_ns > since_ns ? turn->begin_ns : since_ns);
}

/* Who kept the thread waiting is not the one that was switched to, but the one that ran for most of the time on the processor on which it comes back. */
static __always_inline void find_longest(struct absence *absence, __u64 woken_ns, __u64 now_ns)
{
    __u32 first = 0;
    absence->longest.tid = 0;
    absence->longest_ns = 0;
    if (!woken_ns || now_ns - woken_ns < TURN_NS)
        return;
    struct turns *core = bpf_map_lookup_elem(&turns_of_core, &first);
    if (!core)
        return;
    for (__u32 i = 0; i < TURNS; i++) {
        __u64 ran_ns = 0;
        if (turn_since(&core->turns[i], woken_ns) == 0 || core->turns[i].task.tid == absence->task.tid)
            continue;
        for (__u32 j = 0; j < TURNS; j++) {
            if (core->turns[j].task.tid == core->turns[i].task.tid)
                ran_ns += turn_since(&core->turns[j], woken_ns);
        }
        if (ran_ns > absence->longest_ns) {
            absence->longest_ns = ran_ns;
            absence->longest = core->turns[i].task;
        }
    }
}

static __always_inline void come_back(struct task_struct *prev, struct task_struct *next)
{
    __u32 tid = next->pid;
    struct absence *absence = bpf_map_lookup_elem(&threads, &tid);
    if (!absence || absence->begin_ns == 0)
        return;
    __u64 now_ns = bpf_ktime_get_ns();
    __u64 woken_ns = absence->state ? absence->wake_ns : absence->begin_ns;
    go_on(absence, now_ns);
    if (interrupt_ns && woken_ns && !(absence->flags & ABSENCE_OF_OTHER))
        report_passed(next, woken_ns);
    if (now_ns - absence->begin_ns >= least_ns(absence)) {
        end_waits(absence);
        identify(&absence->prev, prev);
        find_longest(absence, woken_ns, now_ns);
        absence->kernel_bytes = bpf_get_task_stack(next, absence->kernel, sizeof absence->kernel, 0);
        send_absence(absence, now_ns);
    } else if (!(absence->flags & ABSENCE_OF_OTHER)) {
        add_to_waits(absence, next, now_ns);
    }
    absence->begin_ns = 0;
}

enum { SHARED_NS = 100000 };

/* A thread that may run elsewhere too does not share a processor: the scheduler can move it. The idle thread leaves the processor to others. */
static __always_inline void watch_core(struct task_struct *prev, struct task_struct *next, bool is_recorded)
{
    __u32 first = 0;
    struct core *core = bpf_map_lookup_elem(&cores, &first);
    if (!core)
        return;
    if (is_recorded && (prev->nr_cpus_allowed == 1) && is_named(prev)) {
        identify(&core->task, prev);
    } else if (core->task.tid == 0) {
        return;
    } else if (core->task.tid == (__u32) prev->pid) {
        core->task.tid = 0; /* it may run elsewhere now */
        return;
    }
    __u64 now_ns = bpf_ktime_get_ns();
    if (core->since_ns && now_ns - core->since_ns >= SHARED_NS) {
        struct shared_record record = {.type = RECORD_SHARED, .cpu = bpf_get_smp_processor_id(), .begin_ns = core->since_ns, .end_ns = now_ns, .task = core->task};
        identify(&record.other, prev);
        send(&record, sizeof record);
    }
    bool is_other = next->pid && core->task.tid != (__u32) next->pid;
    core->since_ns = is_other ? now_ns : 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
    bool is_recorded = is_target(prev->tgid);
    if (is_recorded)
        leave(preempt, prev, next);
    end_turn(prev);
    if (next->pid)
        come_back(prev, next);
    watch_core(prev, next, is_recorded);
    return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
    __u32 tid = task->pid;
    struct absence *absence = bpf_map_lookup_elem(&threads, &tid);
    if (!absence || absence->begin_ns == 0 || absence->wake_ns != 0)
        return 0;
    absence->wake_ns = bpf_ktime_get_ns();
    absence->wake_state = task->__state;
    identify_current(&absence->waker);
    __u32 first = 0;
    __u64 *due_ns = bpf_map_lookup_elem(&due, &first);
    absence->due_ns = due_ns ? *due_ns : 0;
    /* Of a timer or a datagram, the interrupted thread is not the cause: the stack tells. */
    absence->waker_bytes = 0;
    if (absence->wake_ns - absence->begin_ns >= least_ns(absence))
        absence->waker_bytes = bpf_get_stack(ctx, absence->waker_kernel, sizeof absence->waker_kernel, 0);
    return 0;
}

/* The signal that lets a process go on makes one that was sent before, and did not stop it, undone. */
SEC("tp_btf/signal_generate")
int BPF_PROG(on_signal, int signal, struct kernel_siginfo *info, struct task_struct *task)
{
    __u32 pid = task->tgid;
    if (signal < SIGNAL_CONT || signal > SIGNAL_TTOU || !is_target(pid))
        return 0;
    if (signal == SIGNAL_CONT) {
        bpf_map_delete_elem(&stoppers, &pid);
        return 0;
    }
    struct task sender;
    identify_current(&sender);
    bpf_map_update_elem(&stoppers, &pid, &sender, BPF_ANY);
    return 0;
}

static __always_inline int begin_fault(__u64 address, struct pt_regs *regs, __u32 flags)
{
    __u64 both = bpf_get_current_pid_tgid();
    if (!is_target(both >> 32))
        return 0;
    __u32 tid = (__u32) both;
    struct fault fault = {.begin_ns = bpf_ktime_get_ns(), .address = address, .flags = flags};
    bpf_probe_read_kernel(&fault.ip, sizeof fault.ip, (__u64 *) regs + AT_IP);
    if (bpf_map_update_elem(&faults, &tid, &fault, BPF_ANY))
        lose(LOST_THREADS);
    return 0;
}

SEC("tp_btf/page_fault_user")
int BPF_PROG(on_user_fault, unsigned long address, struct pt_regs *regs)
{
    return begin_fault(address, regs, 0);
}

/* The kernel touches a page for the thread, as in recvmsg to a mapped file. */
SEC("tp_btf/page_fault_kernel")
int BPF_PROG(on_kernel_fault, unsigned long address, struct pt_regs *regs)
{
    __u32 tid = (__u32) bpf_get_current_pid_tgid();
    struct absence *absence = bpf_map_lookup_elem(&threads, &tid);
    if (absence && absence->copying)
        return 0; /* the recorder itself */
    return begin_fault(address, regs, FAULT_IN_KERNEL);
}

static __always_inline int end_fault(__u32 flags)
{
    __u32 tid = (__u32) bpf_get_current_pid_tgid();
    struct fault *fault = bpf_map_lookup_elem(&faults, &tid);
    if (!fault || fault->begin_ns == 0)
        return 0;
    __u64 now_ns = bpf_ktime_get_ns();
    if (now_ns - fault->begin_ns >= fault_ns && is_current_named()) {
        struct fault_record record = {.type = RECORD_FAULT, .end_ns = now_ns, .fault = *fault};
        record.fault.flags |= flags;
        identify_current(&record.task);
        send(&record, sizeof record);
    }
    fault->begin_ns = 0;
    return 0;
}

/* The kernel counts a fault when it is over. */
SEC("perf_event")
int on_major_fault(void *context)
{
    return end_fault(FAULT_MAJOR);
}

SEC("perf_event")
int on_minor_fault(void *context)
{
    return end_fault(0);
}

/* The clock of a thread's own processor time: nothing happens while it waits. The thread's stack is not in use, as it is not away. */
SEC("perf_event")
int on_sample(void *context)
{
    struct task_struct *task = bpf_get_current_task_btf();
    __u32 tid = task->pid;
    if (!is_target(task->tgid) || !is_named(task))
        return 0;
    struct absence *absence = bpf_map_lookup_elem(&threads, &tid);
    if (!absence) {
        bpf_map_update_elem(&threads, &tid, &none, BPF_NOEXIST);
        absence = bpf_map_lookup_elem(&threads, &tid);
        if (!absence) {
            lose(LOST_THREADS);
            return 0;
        }
        begin_first_spell(absence, task);
    }
    if (absence->begin_ns)
        return 0;
    absence->type = RECORD_SAMPLE;
    identify(&absence->task, task);
    if (kernel_samples) {
        absence->regs[AT_SP] = 0;
        absence->stack_bytes = 0;
    } else {
        take_user_stack(absence, task);
    }
    absence->kernel_bytes = bpf_get_stack(context, absence->kernel, sizeof absence->kernel, 0);
    send_absence(absence, bpf_ktime_get_ns());
    return 0;
}

static __always_inline void end_reclaims(struct absence *absence)
{
    struct reclaim_record *reclaim = &absence->reclaim;
    if (reclaim->begin_ns && reclaim->reclaim_ns >= fault_ns)
        send(reclaim, sizeof *reclaim);
    reclaim->begin_ns = 0;
}

static __always_inline struct absence *current_thread(void)
{
    __u64 both = bpf_get_current_pid_tgid();
    __u32 tid = (__u32) both;
    return is_target(both >> 32) && is_current_named() ? bpf_map_lookup_elem(&threads, &tid) : NULL;
}

static __always_inline int begin_reclaim(void)
{
    struct absence *absence = current_thread();
    if (absence)
        absence->reclaim_ns = bpf_ktime_get_ns();
    return 0;
}

static __always_inline int end_reclaim(void)
{
    struct absence *absence = current_thread();
    if (!absence || absence->reclaim_ns == 0)
        return 0;
    struct reclaim_record *reclaim = &absence->reclaim;
    __u64 begin_ns = absence->reclaim_ns, now_ns = bpf_ktime_get_ns();
    absence->reclaim_ns = 0;
    if (reclaim->begin_ns && begin_ns - reclaim->end_ns >= absence_ns)
        end_reclaims(absence);
    if (reclaim->begin_ns == 0) {
        reclaim->type = RECORD_RECLAIM;
        reclaim->begin_ns = begin_ns;
        reclaim->reclaim_ns = 0;
        identify_current(&reclaim->task);
    }
    reclaim->end_ns = now_ns;
    reclaim->reclaim_ns += now_ns - begin_ns;
    if (now_ns - reclaim->begin_ns >= WAITS_SPAN_NS)
        end_reclaims(absence);
    return 0;
}

/* For the machine. */
SEC("tp_btf/mm_vmscan_direct_reclaim_begin")
int BPF_PROG(on_reclaim)
{
    return begin_reclaim();
}

SEC("tp_btf/mm_vmscan_direct_reclaim_end")
int BPF_PROG(on_reclaim_end)
{
    return end_reclaim();
}

/* For a cgroup. */
SEC("tp_btf/mm_vmscan_memcg_reclaim_begin")
int BPF_PROG(on_group_reclaim)
{
    return begin_reclaim();
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_end")
int BPF_PROG(on_group_reclaim_end)
{
    return end_reclaim();
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
    if (!is_target(parent->tgid))
        return 0;
    struct life_record record = {.type = RECORD_LIFE, .event = LIFE_FORK, .time_ns = bpf_ktime_get_ns()};
    identify(&record.task, child);
    identify(&record.parent, parent);
    send(&record, sizeof record);
    return 0;
}

static __always_inline int report_life(__u32 event)
{
    if (!is_target(bpf_get_current_pid_tgid() >> 32))
        return 0;
    struct life_record record = {.type = RECORD_LIFE, .event = event, .time_ns = bpf_ktime_get_ns()};
    identify_current(&record.task);
    send(&record, sizeof record);
    return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec)
{
    return report_life(LIFE_EXEC);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit)
{
    return report_life(LIFE_EXIT);
}

/* ---- Interrupts of the threads that are named ---- */

static __always_inline struct task_struct *recorded_task(void)
{
    struct task_struct *task = bpf_get_current_task_btf();
    return task->pid && is_target(task->tgid) && is_named(task) ? task : NULL;
}

static __always_inline struct interrupt_record *begin_interrupt(__u32 kind, __u32 number)
{
    struct interrupt_record *record = bpf_map_lookup_elem(&interrupts, &kind);
    if (!record)
        return NULL;
    record->begin_ns = 0;
    struct task_struct *task = recorded_task();
    if (!task && kind != INTERRUPT_SOFT)
        return NULL;
    record->type = RECORD_INTERRUPT;
    record->kind = kind;
    record->number = number;
    record->late_ns = 0;
    record->function = 0;
    record->task.tid = 0;
    if (task)
        identify(&record->task, task);
    record->begin_ns = bpf_ktime_get_ns();
    return record;
}

/* Keeps the latest ones. */
static __always_inline void pass(struct interrupt_record *record)
{
    __u32 first = 0;
    struct passed *passed = bpf_map_lookup_elem(&passed_interrupts, &first);
    if (passed)
        passed->records[passed->next++ & (PASSED - 1)] = *record;
}

/* A timer that was late is reported however short it is: what made it late may be over. */
static __always_inline int end_interrupt(__u32 kind)
{
    struct interrupt_record *record = bpf_map_lookup_elem(&interrupts, &kind);
    if (!record || record->begin_ns == 0)
        return 0;
    record->end_ns = bpf_ktime_get_ns();
    if (record->end_ns - record->begin_ns >= interrupt_ns || record->late_ns >= interrupt_ns) {
        record->cpu = bpf_get_smp_processor_id();
        if (record->task.tid)
            send(record, sizeof *record);
        else
            pass(record);
    }
    record->begin_ns = 0;
    return 0;
}

/* The scheduler's own account of it, which it brings up to date at each tick and each switch. */
static __always_inline void account_steal(void)
{
    __u32 first = 0;
    struct task_struct *task = bpf_get_current_task_btf();
    struct steal_record *steal = bpf_map_lookup_elem(&steals, &first);
    if (!steal || !bpf_core_field_exists(struct rq, prev_steal_time_rq))
        return;
    __u64 total_ns = BPF_CORE_READ(task, se.cfs_rq, rq, prev_steal_time_rq);
    __u64 last_ns = steal->stolen_ns, now_ns = bpf_ktime_get_ns();
    if (last_ns && total_ns - last_ns >= interrupt_ns && total_ns > last_ns && recorded_task()) {
        struct steal_record record = {.type = RECORD_STEAL, .cpu = bpf_get_smp_processor_id(), .begin_ns = steal->end_ns, .end_ns = now_ns, .stolen_ns = total_ns - last_ns};
        identify(&record.task, task);
        send(&record, sizeof record);
    }
    steal->stolen_ns = total_ns;
    steal->end_ns = now_ns;
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(interrupt_device, int irq)
{
    begin_interrupt(INTERRUPT_DEVICE, irq);
    return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(interrupt_device_end)
{
    return end_interrupt(INTERRUPT_DEVICE);
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(interrupt_soft, unsigned int number)
{
    begin_interrupt(INTERRUPT_SOFT, number);
    return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(interrupt_soft_end)
{
    return end_interrupt(INTERRUPT_SOFT);
}

SEC("tp_btf/local_timer_entry")
int BPF_PROG(interrupt_tick, int vector)
{
    begin_interrupt(INTERRUPT_TICK, vector);
    return 0;
}

SEC("tp_btf/local_timer_exit")
int BPF_PROG(interrupt_tick_end)
{
    account_steal();
    return end_interrupt(INTERRUPT_TICK);
}

SEC("tp_btf/reschedule_entry")
int BPF_PROG(interrupt_reschedule, int vector)
{
    begin_interrupt(INTERRUPT_RESCHEDULE, vector);
    return 0;
}

SEC("tp_btf/reschedule_exit")
int BPF_PROG(interrupt_reschedule_end)
{
    return end_interrupt(INTERRUPT_RESCHEDULE);
}

SEC("tp_btf/call_function_entry")
int BPF_PROG(interrupt_call, int vector)
{
    begin_interrupt(INTERRUPT_CALL, vector);
    return 0;
}

SEC("tp_btf/call_function_exit")
int BPF_PROG(interrupt_call_end)
{
    return end_interrupt(INTERRUPT_CALL);
}

SEC("tp_btf/call_function_single_entry")
int BPF_PROG(interrupt_call_single, int vector)
{
    begin_interrupt(INTERRUPT_CALL, vector);
    return 0;
}

SEC("tp_btf/call_function_single_exit")
int BPF_PROG(interrupt_call_single_end)
{
    return end_interrupt(INTERRUPT_CALL);
}

/* A thread that sleeps until a time has the kernel wake it at an earliest time, and at the latest a slack later. */
SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(interrupt_timer, struct hrtimer *timer, __s64 *clock_ns)
{
    __u32 first = 0;
    __u64 *due_ns = bpf_map_lookup_elem(&due, &first);
    __s64 now_ns;
    if (bpf_probe_read_kernel(&now_ns, sizeof now_ns, clock_ns))
        return 0;
    if (due_ns)
        *due_ns = bpf_ktime_get_ns() - (now_ns - timer->_softexpires);
    struct interrupt_record *record = begin_interrupt(INTERRUPT_TIMER, 0);
    if (record) {
        record->late_ns = now_ns > timer->node.expires ? now_ns - timer->node.expires : 0;
        record->function = (__u64) timer->function;
    }
    return 0;
}

SEC("tp_btf/hrtimer_expire_exit")
int BPF_PROG(interrupt_timer_end)
{
    __u32 first = 0;
    __u64 *due_ns = bpf_map_lookup_elem(&due, &first);
    if (due_ns)
        *due_ns = 0;
    return end_interrupt(INTERRUPT_TIMER);
}

/* ---- Datagrams ---- */

static __always_inline bool read_ports(struct flow *flow, void *header)
{
    __be16 ports[2];
    if (bpf_probe_read_kernel(ports, sizeof ports, header))
        return false;
    flow->source_port = ports[0];
    flow->port = ports[1];
    return true;
}

static __always_inline bool read_ip(struct flow *flow, unsigned char *network)
{
    struct iphdr ip;
    if (bpf_probe_read_kernel(&ip, sizeof ip, network) || ip.protocol != UDP)
        return false;
    __builtin_memcpy(flow->source, &ip.source, sizeof ip.source);
    __builtin_memcpy(flow->destination, &ip.destination, sizeof ip.destination);
    flow->fragment = (ip.fragment & bpf_htons(FRAGMENT_OFFSET | MORE_FRAGMENTS)) != 0;
    if (!(ip.fragment & bpf_htons(FRAGMENT_OFFSET)))
        read_ports(flow, network + (ip.version_and_length & 15) * 4);
    return true;
}

static __always_inline bool read_ip6(struct flow *flow, unsigned char *network)
{
    struct ip6hdr ip;
    struct ip6frag fragment = {};
    if (bpf_probe_read_kernel(&ip, sizeof ip, network))
        return false;
    flow->ipv6 = 1;
    __builtin_memcpy(flow->source, ip.source, sizeof ip.source);
    __builtin_memcpy(flow->destination, ip.destination, sizeof ip.destination);
    if (ip.next == UDP)
        return read_ports(flow, network + sizeof ip);
    if (ip.next != FRAGMENT || bpf_probe_read_kernel(&fragment, sizeof fragment, network + sizeof ip) || fragment.next != UDP)
        return false;
    flow->fragment = 1;
    /* The offset stands above three other bits. */
    if (!(fragment.offset & bpf_htons(0xfff8)))
        read_ports(flow, network + sizeof ip + sizeof fragment);
    return true;
}

/* Ports are 0 where the packet has no UDP header: in a later fragment. */
static __always_inline bool read_flow(struct flow *flow, struct sk_buff *skb)
{
    unsigned char *network = skb->head + skb->network_header;
    if (skb->protocol == bpf_htons(IP))
        return read_ip(flow, network);
    return skb->protocol == bpf_htons(IP6) && read_ip6(flow, network);
}

/*
 * Between two namespaces of a host a datagram keeps the socket of its sender until IP receives it: the device tells where it is. While a socket
 * has the datagram, the field of the device holds something else, which is no address of the kernel's.
 */
static __always_inline __u32 netns_of(struct sk_buff *skb, struct sock *receiver)
{
    if (receiver)
        return receiver->__sk_common.skc_net.net->ns.inum;
    struct net_device *device = skb->dev;
    if ((long) device < 0)
        return device->nd_net.net->ns.inum;
    struct sock *sender = skb->sk;
    return sender ? sender->__sk_common.skc_net.net->ns.inum : 0;
}

static __always_inline __u64 inode_of(struct sock *receiver)
{
    struct socket *socket = receiver ? receiver->sk_socket : NULL;
    return socket ? BPF_CORE_READ((struct socket_alloc *) socket, vfs_inode.i_ino) : 0;
}

static __always_inline int count_drop(struct sk_buff *skb, void *location, __u32 reason, struct sock *receiver)
{
    struct drop_key key = {.reason = reason, .location = (__u64) location, .inode = inode_of(receiver)};
    if (!read_flow(&key.flow, skb))
        return 0;
    key.flow.netns = netns_of(skb, receiver);
    struct drop_count *count = bpf_map_lookup_elem(&drops, &key);
    __u64 now_ns = bpf_ktime_get_ns();
    if (count) {
        __sync_fetch_and_add(&count->count, 1);
        count->last_ns = now_ns;
        return 0;
    }
    struct drop_count first = {.count = 1, .first_ns = now_ns, .last_ns = now_ns};
    if (bpf_map_update_elem(&drops, &key, &first, BPF_NOEXIST)) {
        count = bpf_map_lookup_elem(&drops, &key);
        if (count)
            __sync_fetch_and_add(&count->count, 1);
        else
            lose(LOST_DROPS);
    }
    return 0;
}

/* Before Linux 6.11, the tracepoint does not tell the socket. One of these two is loaded. */
SEC("tp_btf/kfree_skb")
int BPF_PROG(on_drop, struct sk_buff *skb, void *location, __u32 reason)
{
    return count_drop(skb, location, reason, NULL);
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(on_drop_of_socket, struct sk_buff *skb, void *location, __u32 reason, struct sock *receiver)
{
    return count_drop(skb, location, reason, receiver);
}

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(on_receive, struct sk_buff *skb)
{
    struct flow flow = {};
    __u32 port = watched_port;
    if (port == 0 || !read_flow(&flow, skb) || flow.port != port)
        return 0;
    flow.netns = netns_of(skb, NULL);
    flow.fragment = 0; /* A sender's short and long datagrams are one flow. */
    __u64 now_ns = bpf_ktime_get_ns();
    struct arrivals *known = bpf_map_lookup_elem(&arrivals, &flow);
    if (known) {
        __u64 last_ns = known->last_ns;
        known->last_ns = now_ns;
        __sync_fetch_and_add(&known->count, 1);
        __sync_fetch_and_add(&known->bytes, skb->len);
        if (now_ns > last_ns && now_ns - last_ns >= gap_ns) {
            struct gap_record gap = {.type = RECORD_GAP, .begin_ns = last_ns, .end_ns = now_ns, .flow = flow};
            send(&gap, sizeof gap);
        }
        return 0;
    }
    struct arrivals first = {.count = 1, .bytes = skb->len, .first_ns = now_ns, .last_ns = now_ns};
    if (bpf_map_update_elem(&arrivals, &flow, &first, BPF_NOEXIST)) {
        known = bpf_map_lookup_elem(&arrivals, &flow);
        if (known)
            __sync_fetch_and_add(&known->count, 1);
        else
            lose(LOST_SENDERS);
    }
    return 0;
}

/* A datagram is in the queue of a socket. */
SEC("tp_btf/sk_data_ready")
int BPF_PROG(on_delivery, struct sock *receiver)
{
    __u32 port = watched_port;
    if (port == 0 || receiver->__sk_common.skc_num != bpf_ntohs(port) || receiver->sk_protocol != UDP)
        return 0;
    struct delivery_key key = {.inode = inode_of(receiver), .netns = receiver->__sk_common.skc_net.net->ns.inum};
    __u64 now_ns = bpf_ktime_get_ns();
    struct drop_count *known = bpf_map_lookup_elem(&deliveries, &key);
    if (known) {
        __sync_fetch_and_add(&known->count, 1);
        known->last_ns = now_ns;
        return 0;
    }
    struct drop_count first = {.count = 1, .first_ns = now_ns, .last_ns = now_ns};
    if (bpf_map_update_elem(&deliveries, &key, &first, BPF_NOEXIST)) {
        known = bpf_map_lookup_elem(&deliveries, &key);
        if (known)
            __sync_fetch_and_add(&known->count, 1);
        else
            lose(LOST_SENDERS);
    }
    return 0;
}

/*
 * A thread has received from a socket, by whatever call. It is only loaded if all threads of a process are recorded. Who receives is asked, not how much: of the datagrams
 * that a thread takes in a jiffy, the first one tells.
 */
SEC("tp_btf/sock_recv_length")
int BPF_PROG(on_receipt, struct sock *receiver, int length, int flags)
{
    if (length < 0 || flags & PEEK || receiver->sk_protocol != UDP)
        return 0;
    __u32 first = 0;
    __u64 both = bpf_get_current_pid_tgid();
    __u64 tick = bpf_jiffies64();
    struct last_receipt *last = bpf_map_lookup_elem(&last_receipts, &first);
    if (!last || (last->receiver == receiver && last->tid == (__u32) both && last->tick == tick))
        return 0;
    last->receiver = receiver;
    last->tid = (__u32) both;
    last->tick = tick;
    if (!is_target(both >> 32))
        return 0;
    struct receipt_key key = {.inode = inode_of(receiver), .tid = (__u32) both};
    struct receipts now = {.last_ns = bpf_ktime_get_ns()};
    identify_current(&now.task);
    bpf_map_update_elem(&receipts, &key, &now, BPF_ANY);
    return 0;
}

char LICENSE[] SEC("license") = "GPL";
