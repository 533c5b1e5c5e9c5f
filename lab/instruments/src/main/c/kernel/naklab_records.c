#define _GNU_SOURCE
#include "naklab_records.h"

#include <bpf/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include "naklab_drops.h"
#include "naklab_json.h"
#include "naklab_processes.h"
#include "naklab_programs.h"
#include "naklab_symbols.h"
#include "naklab_time.h"
#include "naklab_wakers.h"

/* How many threads that wait for one another are followed: as many as the reader of the records follows. */
enum { MOST_DEFERRED = 4096, MOST_WAKERS = 4 };

/* Bits of task_struct.__state. */
enum { SLEEPING = 1, BLOCKED = 2, STOPPED = 4, TRACED = 8, IDLE = 0x400, LOCK_WAIT = 0x1000, FROZEN = 0x8000 };

/*
 * The freezer of cgroup version 1 freezes a thread that sleeps in its sleep. That of version 2 makes it sleep on its way to user mode, in a function
 * that may be compiled into get_signal.
 */
static const char *state_name(const struct absence *absence)
{
    unsigned int state = absence->state;
    if ((state | absence->wake_state) & FROZEN || (absence->flags & ABSENCE_FREEZE_ASKED && is_in_stack("get_signal", absence->kernel, absence->kernel_bytes))
        || is_in_stack("__refrigerator", absence->kernel, absence->kernel_bytes))
        return "frozen";
    if (state & SLEEPING)
        return "sleeping";
    if (state & (BLOCKED | LOCK_WAIT))
        return state & IDLE ? "idle" : "blocked";
    if (state & STOPPED)
        return "stopped";
    if (state & TRACED)
        return "traced";
    if (state)
        return "other";
    /* On its way back to user mode, a thread leaves by itself when it is told to; the kernel does not call that preemption. */
    return is_in_stack("sched_yield", absence->kernel, absence->kernel_bytes) ? "runnable" : "preempted";
}

static void put_fault(const struct task *task, const struct fault *fault, unsigned long long end_ns, bool major)
{
    printf("\"beginNs\":%llu,\"endNs\":%llu,\"address\":%lld,\"instruction\":%lld,\"major\":%s,\"inKernel\":%s", fault->begin_ns, end_ns, (long long) fault->address,
        (long long) fault->ip, major ? "true" : "false", fault->flags & FAULT_IN_KERNEL ? "true" : "false");
    put_task("task", task);
    putchar('}');
}

/* The system calls that wait for the lock of a file; its descriptor is their first argument. */
static void put_file_lock(const struct absence *absence)
{
    int call = (int) absence->regs[AT_CALL];
    if (absence->regs[AT_SP] == 0 || (call != SYS_fcntl && call != SYS_flock))
        return;
    if (is_in_stack("flock", absence->kernel, absence->kernel_bytes) || is_in_stack("fcntl_setlk", absence->kernel, absence->kernel_bytes)
        || is_in_stack("locks_lock_", absence->kernel, absence->kernel_bytes))
        printf(",\"fileLock\":{\"call\":\"%s\",\"descriptor\":%d}", call == SYS_flock ? "flock" : "fcntl", (int) absence->regs[AT_ARGUMENT]);
}

/* The system calls that wait for datagrams; the descriptor of a socket or of an epoll set is their first argument. */
static void put_socket_call(const struct absence *absence)
{
    if (absence->regs[AT_SP] == 0 || absence->state == 0)
        return;
    switch ((int) absence->regs[AT_CALL]) {
    case SYS_read:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
        if (!is_in_stack("__skb_wait_for_more_packets", absence->kernel, absence->kernel_bytes))
            return;
        break;
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
        break;
    default:
        return;
    }
    printf(",\"socketCall\":{\"descriptor\":%d}", (int) absence->regs[AT_ARGUMENT]);
}

/* Where the kernel enters an interrupt: the first two on x86-64, the others on aarch64. */
static const char *const INTERRUPTS[] = {"asm_sysvec_", "asm_common_interrupt", "el1h_64_irq", "el0t_64_irq"};

static void put_absence(const struct absence *absence)
{
    printf("{\"type\":\"absence\",\"beginNs\":%llu,\"endNs\":%llu,\"state\":\"%s\",\"beganBefore\":%s,\"beginCpu\":%d,\"endCpu\":%d", absence->begin_ns, absence->end_ns,
        state_name(absence), absence->flags & ABSENCE_BEGAN_BEFORE ? "true" : "false", absence->begin_cpu, absence->end_cpu);
    put_task("task", &absence->task);
    if (absence->wake_ns) {
        bool interrupt = false;
        for (size_t i = 0; i < sizeof INTERRUPTS / sizeof *INTERRUPTS; i++)
            interrupt = interrupt || is_in_stack(INTERRUPTS[i], absence->waker_kernel, absence->waker_bytes);
        printf(",\"waking\":{\"timeNs\":%llu,\"byInterrupt\":%s", absence->wake_ns, interrupt ? "true" : "false");
        if (absence->due_ns)
            printf(",\"dueNs\":%llu", absence->due_ns);
        put_task("waker", &absence->waker);
        put_kernel_stack("kernelStack", absence->waker_kernel, absence->waker_bytes);
        putchar('}');
    }
    if (!(absence->flags & ABSENCE_BEGAN_BEFORE))
        put_task("next", &absence->next);
    if (absence->end_ns && absence->prev.comm[0])
        put_task("previous", &absence->prev);
    if (absence->end_ns && absence->longest.tid) {
        put_task("longest", &absence->longest);
        printf(",\"longestNs\":%llu", absence->longest_ns);
    }
    if (absence->by.tid)
        put_task("by", &absence->by);
    if (absence->cgroup)
        printf(",\"cgroupId\":%llu", absence->cgroup);
    if (absence->fault.begin_ns && is_in_stack("exc_page_fault", absence->kernel, absence->kernel_bytes)) {
        printf(",\"fault\":{");
        put_fault(&absence->task, &absence->fault, absence->end_ns, false);
    }
    put_file_lock(absence);
    put_socket_call(absence);
    put_kernel_stack("kernelStack", absence->kernel, absence->kernel_bytes);
    put_user_stack(absence);
    puts("}");
}

static bool is_deferred;
static struct absence *deferred[MOST_DEFERRED];
static size_t deferred_count;

void defer_stacks(bool wanted)
{
    is_deferred = wanted;
}

void put_deferred(void)
{
    for (size_t i = 0; i < deferred_count; i++) {
        put_absence(deferred[i]);
        free(deferred[i]);
    }
    deferred_count = 0;
}

/* One for which there is no room has no user stack. */
static void defer(const struct absence *absence)
{
    static struct absence without;
    const size_t header = offsetof(struct absence, stack);
    /* Of its stack there is only what was copied. */
    struct absence *kept = deferred_count < MOST_DEFERRED ? malloc(header + absence->stack_bytes) : NULL;
    if (kept) {
        memcpy(kept, absence, header + absence->stack_bytes);
        deferred[deferred_count++] = kept;
        return;
    }
    memcpy(&without, absence, header);
    without.regs[AT_SP] = 0;
    put_absence(&without);
}

static void put_with_wakers(const struct absence *absence);

/* What the waker of a thread waited comes before the wait that it ended, and so on for the waker's own; each is taken once. */
static void put_wakers(const struct absence *absence)
{
    static unsigned int steps;
    if (!absence->wake_ns || absence->waker.tid == absence->task.tid || steps == MOST_WAKERS)
        return;
    steps++;
    take_absences(absence->waker.tid, absence->begin_ns, absence->wake_ns, put_with_wakers);
    steps--;
}

static void put_with_wakers(const struct absence *absence)
{
    put_wakers(absence);
    put_absence(absence);
}

/* Of threads that are not asked for, only what they waited before they woke another one matters. */
static void on_absence(const struct absence *absence)
{
    if (absence->flags & ABSENCE_OF_OTHER) {
        keep_absence(absence);
        return;
    }
    put_wakers(absence);
    if (is_deferred && absence->regs[AT_SP])
        defer(absence);
    else
        put_absence(absence);
}

static void put_fault_span(const struct fault_record *record)
{
    printf("{\"type\":\"fault\",");
    put_fault(&record->task, &record->fault, record->end_ns, record->fault.flags & FAULT_MAJOR);
    putchar('\n');
}

static void put_spell(const struct spell_record *record)
{
    const struct spell *spell = &record->spell;
    printf("{\"type\":\"spell\",\"beginNs\":%llu,\"endNs\":%llu,\"cpuNs\":%llu,\"runnableNs\":%llu,\"faultNs\":%llu", spell->begin_ns, record->end_ns, spell->cpu_ns,
        spell->runnable_ns, spell->fault_ns);
    put_task("task", &record->task);
    puts("}");
}

static void put_waits(const struct waits_record *waits)
{
    printf("{\"type\":\"waits\",\"beginNs\":%llu,\"endNs\":%llu,\"count\":%u,\"blockedNs\":%llu,\"runnableNs\":%llu", waits->begin_ns, waits->end_ns, waits->count,
        waits->blocked_ns, waits->runnable_ns);
    put_task("task", &waits->task);
    if (waits->waker.tid)
        put_task("waker", &waits->waker);
    put_kernel_stack("kernelStack", waits->kernel, waits->kernel_bytes);
    puts("}");
}

static void put_reclaim(const struct reclaim_record *reclaim)
{
    printf("{\"type\":\"reclaim\",\"beginNs\":%llu,\"endNs\":%llu,\"reclaimNs\":%llu", reclaim->begin_ns, reclaim->end_ns, reclaim->reclaim_ns);
    put_task("task", &reclaim->task);
    puts("}");
}

static void put_sample(const struct absence *sample)
{
    printf("{\"type\":\"sample\",\"timeNs\":%llu", sample->end_ns);
    put_task("task", &sample->task);
    put_kernel_stack("kernelStack", sample->kernel, sample->kernel_bytes);
    put_user_stack(sample);
    puts("}");
}

static void put_life(const struct life_record *record)
{
    static const char *events[] = {"", "fork", "exec", "exit"};
    printf("{\"type\":\"life\",\"event\":\"%s\",\"timeNs\":%llu", events[record->event], record->time_ns);
    put_task("task", &record->task);
    if (record->event == LIFE_FORK)
        put_task("parent", &record->parent);
    puts("}");
    if (record->event == LIFE_EXEC)
        forget_files((int) record->task.pid);
    if (record->event == LIFE_EXIT)
        end_waker(record->task.tid);
}

static const char *soft_interrupt_name(unsigned int number)
{
    static const char *names[] = {"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"};
    return number < sizeof names / sizeof *names ? names[number] : "";
}

static void put_interrupt(const struct interrupt_record *record)
{
    static const char *kinds[] = {"device", "soft", "tick", "reschedule", "call", "timer"};
    const char *name = "";
    if (record->kind == INTERRUPT_SOFT)
        name = soft_interrupt_name(record->number);
    else if (record->kind == INTERRUPT_TIMER)
        name = kernel_symbol(record->function);
    printf("{\"type\":\"interrupt\",\"kind\":\"%s\",\"number\":%u,\"cpu\":%d,\"beginNs\":%llu,\"endNs\":%llu,\"lateNs\":%llu", kinds[record->kind], record->number, record->cpu,
        record->begin_ns, record->end_ns, record->late_ns);
    put_named("name", name ? name : "");
    put_task("task", &record->task);
    puts("}");
}

static void put_steal(const struct steal_record *record)
{
    printf("{\"type\":\"steal\",\"cpu\":%d,\"beginNs\":%llu,\"endNs\":%llu,\"stolenNs\":%llu", record->cpu, record->begin_ns, record->end_ns, record->stolen_ns);
    put_task("task", &record->task);
    puts("}");
}

static void put_shared(const struct shared_record *record)
{
    printf("{\"type\":\"shared\",\"cpu\":%d,\"beginNs\":%llu,\"endNs\":%llu", record->cpu, record->begin_ns, record->end_ns);
    put_task("task", &record->task);
    put_task("other", &record->other);
    puts("}");
}

int on_record(void *context, void *data, size_t size)
{
    (void) context, (void) size;
    switch (*(unsigned int *) data) {
    case RECORD_ABSENCE:
        on_absence(data);
        break;
    case RECORD_FAULT:
        put_fault_span(data);
        break;
    case RECORD_LIFE:
        put_life(data);
        break;
    case RECORD_SPELL:
        put_spell(data);
        break;
    case RECORD_GAP:
        put_gap(data);
        break;
    case RECORD_INTERRUPT:
        put_interrupt(data);
        break;
    case RECORD_STEAL:
        put_steal(data);
        break;
    case RECORD_SHARED:
        put_shared(data);
        break;
    case RECORD_RECLAIM:
        put_reclaim(data);
        break;
    case RECORD_SAMPLE:
        put_sample(data);
        break;
    case RECORD_WAITS:
        put_waits(data);
        break;
    }
    return 0;
}

void put_open(unsigned long long threshold_ns, bool is_end)
{
    static struct absence absence;
    int map = map_of(threads);
    unsigned int key, previous = 0;
    for (int first = 1; bpf_map_get_next_key(map, first ? NULL : &previous, &key) == 0; previous = key, first = 0) {
        if (bpf_map_lookup_elem(map, &key, &absence) != 0 || !is_recorded((int) absence.task.pid))
            continue;
        if (is_end && absence.waits.begin_ns)
            put_waits(&absence.waits);
        if (is_end && absence.reclaim.begin_ns)
            put_reclaim(&absence.reclaim);
        if (absence.begin_ns && now_ns() - absence.begin_ns >= threshold_ns) {
            absence.end_ns = 0;
            absence.kernel_bytes = 0;
            put_absence(&absence);
        }
    }
}
