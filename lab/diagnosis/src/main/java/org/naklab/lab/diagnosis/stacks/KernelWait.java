package org.naklab.lab.diagnosis.stacks;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.ThreadAbsence;

/**
 * Tells from a kernel stack what a thread waits for. The names are those of functions of Linux 5.10 to 6.18; a name stands for all functions that begin
 * with it. Functions of the scheduler, and those that wait for a lock of the kernel, are not on the stacks that the kernel gives.
 */
public final class KernelWait {
    /** Tells what a function on the stack stands for. */
    private record Rule(AccountKind kind, List<String> functions) {
        boolean fits(List<String> stack) {
            return stack.stream().anyMatch(function -> functions.stream().anyMatch(function::startsWith));
        }
    }

    /** From the most to the least specific: a page fault that waits for a disk has functions of both on its stack. */
    private static final List<Rule> RULES = new ArrayList<>();

    /** The way into a page fault, the last on aarch64. Before {@code handle_mm_fault}, the kernel does not look for the page yet; after it, no longer. */
    private static final List<String> FAULT_ENTRY =
            List.of("do_user_addr_fault", "exc_page_fault", "asm_exc_page_fault", "do_mem_abort");

    private static final Rule DEVICE = new Rule(
            AccountKind.DISK,
            List.of(
                    "io_schedule",
                    "folio_wait_",
                    "wait_on_page",
                    "wait_on_buffer",
                    "submit_bio_wait",
                    "blk_",
                    "rq_qos_"));

    /** Who thaws a file system releases a lock, which is none that threads hold while they work. */
    private static final Rule FREEZE =
            new Rule(AccountKind.DISK, List.of("sb_start_", "__sb_start_", "percpu_rwsem_wait", "mnt_want_write"));

    private static final Rule ANY_DESCRIPTOR = new Rule(
            AccountKind.SOCKET,
            List.of("ep_poll", "do_epoll", "do_sys_poll", "do_poll", "do_select", "core_sys_select"));

    private static final Rule PAGE = new Rule(AccountKind.PAGE_FAULT, List.of("handle_mm_fault", "faultin_page"));

    static {
        add(AccountKind.TRACED, List.of("ptrace_"));
        add(AccountKind.STOPPED, List.of("do_signal_stop", "do_jobctl_trap"));
        add(AccountKind.FROZEN, List.of("__refrigerator", "do_freezer_trap"));
        add(AccountKind.SWAP, List.of("do_swap_page", "swap_read", "swapin_"));
        add(
                AccountKind.RECLAIM,
                List.of(
                        "try_to_free_",
                        "shrink_",
                        "mem_cgroup_handle_over_high",
                        "reclaim_throttle",
                        "throttle_direct_reclaim",
                        "mem_cgroup_oom_",
                        "mem_cgroup_out_of_memory",
                        "pagefault_out_of_memory"));
        add(
                AccountKind.FILE_LOCK,
                List.of("fcntl_setlk", "posix_lock_", "flock_", "locks_lock_", "__break_lease", "do_flock"));
        RULES.add(PAGE);
        add(AccountKind.PIPE, List.of("pipe_", "anon_pipe_", "fifo_open", "wait_for_partner"));
        add(AccountKind.TERMINAL, List.of("n_tty_", "tty_", "pty_", "file_tty_", "iterate_tty_"));
        RULES.add(ANY_DESCRIPTOR);
        add(
                AccountKind.SOCKET,
                List.of(
                        "__skb_wait_for_more_packets",
                        "unix_",
                        "udp_",
                        "tcp_",
                        "inet_",
                        "sk_wait_",
                        "sk_stream_wait",
                        "sock_"));
        add(
                AccountKind.DISK,
                List.of(
                        "io_schedule",
                        "folio_wait_",
                        "wait_on_page",
                        "wait_on_buffer",
                        "submit_bio_wait",
                        "blk_",
                        "rq_qos_",
                        "balance_dirty_pages",
                        "vfs_fsync",
                        "ksys_sync",
                        "sb_start_",
                        "__sb_start_",
                        "percpu_rwsem_wait",
                        "jbd2_",
                        "ext4_",
                        "xfs_",
                        "btrfs_",
                        "f2fs_",
                        "nfs",
                        "fuse_",
                        "__fuse_",
                        "request_wait_answer",
                        "mnt_want_write"));
        add(AccountKind.LOCK, List.of("futex_", "__futex", "do_futex", "do_semtimedop", "__do_semtimedop"));
        add(
                AccountKind.SLEEP,
                List.of("hrtimer_nanosleep", "do_nanosleep", "common_nsleep", "do_sigtimedwait", "timerfd_"));
        add(AccountKind.PAGE_FAULT, FAULT_ENTRY);
    }

    private static void add(AccountKind kind, List<String> functions) {
        RULES.add(new Rule(kind, functions));
    }

    /** Functions that say only that a thread waits. */
    private static final Set<String> SCHEDULER = Set.of(
            "__schedule",
            "schedule",
            "preempt_schedule",
            "schedule_timeout",
            "schedule_hrtimeout_range",
            "schedule_hrtimeout_range_clock",
            "__cond_resched",
            "schedule_preempt_disabled",
            "io_schedule",
            "wait_woken");

    /** By a tail call, the second takes the place of the first. */
    private static final Set<String> THROTTLING = Set.of("throttle_cfs_rq_work", "task_work_run");

    private KernelWait() {}

    /**
     * Returns what the stack stands for; {@link AccountKind#OTHER_WAIT} if none of its functions is known.
     *
     * @param stack functions, innermost first
     */
    public static AccountKind of(List<String> stack) {
        return RULES.stream()
                .filter(rule -> rule.fits(stack))
                .map(Rule::kind)
                .findFirst()
                .orElse(AccountKind.OTHER_WAIT);
    }

    /** Returns whether the thread waited in poll, select or epoll. */
    public static boolean isForAnyDescriptor(List<String> stack) {
        return ANY_DESCRIPTOR.fits(stack);
    }

    /** Returns whether the thread waited for a device, for a page that a device reads or writes, or for a file system that is frozen, whatever for. */
    public static boolean isForDevice(List<String> stack) {
        return DEVICE.fits(stack) || FREEZE.fits(stack);
    }

    /** Returns whether the thread was in a page fault, whatever it waited for there. */
    public static boolean isInFault(List<String> stack) {
        return new Rule(AccountKind.PAGE_FAULT, FAULT_ENTRY).fits(stack);
    }

    /** Returns whether the thread was in a page fault, and the kernel did not look for the page yet, or no longer. */
    public static boolean isBeforePage(List<String> stack) {
        return isInFault(stack) && !PAGE.fits(stack);
    }

    /**
     * Returns whether the scheduler took a runnable thread off the CPU because the quota of its cgroup was used up. Linux 6.18 and later do that on
     * the way to user mode, by a task work; on that way a thread that is only preempted calls the scheduler without one.
     */
    public static boolean isThrottled(ThreadAbsence absence) {
        return absence.state().isWithoutCpu()
                && absence.kernelStack().stream()
                        .findFirst()
                        .filter(THROTTLING::contains)
                        .isPresent();
    }

    /** Returns the innermost function that is none of the scheduler's; empty if there is none. */
    public static String function(List<String> stack) {
        return stack.stream()
                .filter(function -> !SCHEDULER.contains(function))
                .findFirst()
                .orElse("");
    }
}
