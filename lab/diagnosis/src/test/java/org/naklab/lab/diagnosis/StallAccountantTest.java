package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ShortWaits;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadAbsence.State;
import org.naklab.lab.core.timeline.ThreadAbsence.WakerWait;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.ThreadEvent.MemoryReclaim;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

/** A stall of 100 ms that begins at 1,000 ms, and what the sources say of it. */
final class StallAccountantTest {
    private static final String PROCESS = "receiver";
    private static final String THREAD = "feed";
    private static final double BEGIN_MS = 1_000;
    private static final double LENGTH_MS = 100;

    private final Incident incident = new Incident();
    private final TimelineEvent stall = event(TimelineEventType.STALL, BEGIN_MS, Map.of("durationMs", LENGTH_MS));

    @Test
    void shouldExplainNothingWithoutASource() {
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 unexplained");
    }

    /** The rest is not guessed: a thread that was not recorded may have waited as well as worked. */
    @ParameterizedTest
    @CsvSource({
        "true, 100.0 ms = 60.0 lock (woken by reporter) + 30.0 on CPU + 10.0 preempted (first by hog)",
        "false, 100.0 ms = 60.0 lock (woken by reporter) + 10.0 preempted (first by hog) + 30.0 unexplained"
    })
    void shouldPutTheRestOnACpuOnlyIfAllWasRecorded(boolean isRecorded, String expected) {
        absence(10, 80, 60, State.SLEEPING, "futex_wait_queue", wakened("reporter"));
        if (isRecorded) {
            add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        }
        assertThat(account().text()).isEqualTo(expected);
    }

    /** It is not known whether the thread that did not poll was on a CPU; it is known that the process was stopped. */
    @Test
    void shouldNotPutAnUnknownThreadOnACpu() {
        absence(10, 80, 60, State.SLEEPING, "futex_wait_queue", wakened("reporter"));
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        TimelineEvent ofUnknown = TimelineEvent.of(
                stall.timeNs(),
                stall.type(),
                PROCESS,
                "",
                Samples.whole(stall.type().form(), stall.details()));
        assertThat(new StallAccountant(incident.file(), ofUnknown).account().text())
                .isEqualTo("100.0 ms = 100.0 unexplained");

        add(TimelineEventType.THREAD_CONTINUED, 90, 70, Map.of("beganNs", ns(20)));
        assertThat(new StallAccountant(incident.file(), ofUnknown).account().text())
                .isEqualTo("100.0 ms = 70.0 stopped + 30.0 unexplained");
    }

    /** A hundred waits of 3 ms are no work of 300 ms. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "io_schedule,folio_wait_bit_common | '' | 60.0 disk (waits of under 5 ms, folio_wait_bit_common)",
                "futex_wait_queue,do_futex | reporter | 60.0 lock (waits of under 5 ms, woken by reporter)",
                "futex_wait_queue,do_futex | '' | 60.0 other wait (waits of under 5 ms, futex_wait_queue)"
            })
    void shouldNotCallWaitsWorkThatAreTooShortForARecord(String stack, String waker, String expected) {
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        shortWaits(0, 50, 30, 5, waker, List.of(stack.split(",", -1)));
        shortWaits(50, 100, 30, 5, waker, List.of(stack.split(",", -1)));
        assertThat(account().text()).isEqualTo("100.0 ms = " + expected + " + 30.0 on CPU + 10.0 preempted");
    }

    @Test
    void shouldNotExplainShortWaitsOfWhichNoStackIsKnown() {
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        shortWaits(-50, 50, 80, 0, "", List.of());
        assertThat(account().text()).isEqualTo("100.0 ms = 60.0 on CPU + 40.0 unexplained (waits without a record)");
    }

    /** A page fault of 3 ms is a short wait too, and has a record of its own. */
    @Test
    void shouldCountAPageFaultWithinShortWaitsOnce() {
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        shortWaits(0, 20, 8, 0, "", List.of("io_schedule", "folio_wait_bit_common"));
        Interval interval = new Interval(ns(4), ns(7));
        incident.add(new PageFault(PROCESS, THREAD, interval, true, "libc.so.6 .gnu.hash", "ld.so .text"));
        assertThat(account().text())
                .isEqualTo("100.0 ms = 92.0 on CPU + 5.0 disk (waits of under 5 ms, folio_wait_bit_common)"
                        + " + 3.0 page fault (libc.so.6 .gnu.hash)");
    }

    private void shortWaits(
            double fromMs, double toMs, double blockedMs, double runnableMs, String waker, List<String> stack) {
        incident.add(new ShortWaits(
                PROCESS,
                THREAD,
                new Interval(ns(fromMs), ns(toMs)),
                (long) (blockedMs * 1e6),
                (long) (runnableMs * 1e6),
                waker,
                !waker.isEmpty(),
                stack));
    }

    /** A tracer halts one thread, a signal all; another thread's samples are coarse. */
    @ParameterizedTest
    @CsvSource({
        "other, t, 100.0 ms = 100.0 lock (woken by reporter)",
        "other, T, 100.0 ms = 100.0 lock (woken by reporter)",
        "feed, t, 100.0 ms = 100.0 lock (woken by reporter)"
    })
    void shouldBelieveTheKernelsRecordBeforeSamplesOfAHalt(String thread, String state, String expected) {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", wakened("reporter"));
        halt(thread, state);
        assertThat(account().text()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "other, t, 100.0 ms = 100.0 unexplained",
        "other, T, 100.0 ms = 70.0 stopped + 30.0 unexplained",
        "feed, t, 100.0 ms = 70.0 traced + 30.0 unexplained"
    })
    void shouldBlameATracerForItsOwnThreadOnly(String thread, String state, String expected) {
        halt(thread, state);
        assertThat(account().text()).isEqualTo(expected);
    }

    private void halt(String thread, String state) {
        incident.add(TimelineEvent.of(
                ns(90),
                TimelineEventType.THREAD_CONTINUED,
                PROCESS,
                thread,
                Samples.whole(
                        TimelineEventType.THREAD_CONTINUED.form(),
                        Map.of("durationNs", 70_000_000L, "beganNs", ns(20), "state", state))));
    }

    @Test
    void shouldNameTheFileAndTheHolderOfItsLock() {
        absence(
                0,
                100,
                100,
                State.SLEEPING,
                "locks_lock_inode_wait,do_flock",
                absence -> absence.waitingFor("flock of /data/queue, held by writer (process 7)"));
        assertThat(account().text())
                .isEqualTo("100.0 ms = 100.0 file lock (flock of /data/queue, held by writer" + " (process 7))");
    }

    /** Whether the thread works for it, or waits in it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "60 | 100.0 ms = 60.0 reclaim (before it got a page) + 40.0 on CPU",
                "20 | 100.0 ms = 80.0 on CPU + 20.0 reclaim (before it got a page)"
            })
    void shouldMeasureTheReclaimOfMemory(long reclaimMs, String expected) {
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        Interval interval = new Interval(ns(10), ns(70));
        incident.add(new MemoryReclaim(PROCESS, THREAD, interval, reclaimMs * 1_000_000));
        assertThat(account().text()).isEqualTo(expected);
    }

    /** @param cpuMs by the JVM's account; none: it gives none */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "    |     | 100.0 ms = 99.0 GC (System.gc()) + 1.0 time to safepoint",
                "80  |     | 100.0 ms = 99.0 GC (System.gc()) + 1.0 time to safepoint",
                "5   |     | 100.0 ms = 99.0 VM operation (System.gc(), without CPU time) + 1.0 time to safepoint",
                "    | 80  | 100.0 ms = 99.0 GC (System.gc()) + 1.0 time to safepoint",
                "    | 5   | 100.0 ms = 99.0 VM operation (System.gc(), GC Thread#0 waited for a page) + 1.0 time to safepoint"
            })
    void shouldNotCallACollectionWhatUsedNoCpuTime(@Nullable Long cpuMs, @Nullable Long busyMs, String expected) {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", ThreadAbsences::atSafepoint);
        add(TimelineEventType.SAFEPOINT, 0, 100, Map.of("toSafepointNs", 1_000_000L));
        add(TimelineEventType.GC_PAUSE, 1, 99, Map.of("cause", "System.gc()", "gcId", 7L));
        if (cpuMs != null) {
            add(TimelineEventType.GC_CPU_TIME, 99, 0, Map.of("gcId", 7L, "cpuNs", cpuMs * 1_000_000));
            add(TimelineEventType.GC_CPU_TIME, 99, 0, Map.of("gcId", 8L, "cpuNs", 1_000_000_000L));
        }
        if (busyMs != null) {
            Interval busy = new Interval(ns(0), ns(100));
            long faultNs = busy.lengthNs() - busyMs * 1_000_000;
            incident.add(new ThreadBusy(PROCESS, "GC Thread#0", busy, busyMs * 1_000_000, 0, faultNs));
        }
        assertThat(account().text()).isEqualTo(expected);
    }

    /** A JVM whose log goes to a pipe that nobody reads: the thread that holds the pause waits there. It also waits for the threads that collect, as in any collection. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            98 | pipe_write,vfs_write          | VM_OPERATION    | 100.0 ms = 99.0 VM operation (System.gc(), VM Thread waited for a pipe in pipe_write) + 1.0 time to safepoint
            98 | futex_wait_queue,do_futex     | GC_OR_SAFEPOINT | 100.0 ms = 99.0 GC (System.gc()) + 1.0 time to safepoint
            20 | pipe_write,vfs_write          | GC_OR_SAFEPOINT | 100.0 ms = 99.0 GC (System.gc()) + 1.0 time to safepoint
            """)
    void shouldTellForWhatTheThreadThatHeldThePauseWaited(long waitMs, String stack, Cause cause, String expected) {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", absence -> ThreadAbsences.atSafepoint(absence)
                .afterWaitOfWaker(
                        new WakerWait(waitMs * 1_000_000, State.SLEEPING, "", List.of(stack.split(",", -1)))));
        add(TimelineEventType.SAFEPOINT, 0, 100, Map.of("toSafepointNs", 1_000_000L));
        add(TimelineEventType.GC_PAUSE, 1, 99, Map.of("cause", "System.gc()", "gcId", 7L));
        StallAccount account = account();
        assertThat(account.text()).isEqualTo(expected);
        assertThat(Cause.of(account.entries().get(0).kind())).isEqualTo(cause);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SLEEPING  | schedule,futex_wait_queue,futex_wait,do_futex               | lock
            SLEEPING  | do_nanosleep,hrtimer_nanosleep                              | sleep
            SLEEPING  | pipe_read,vfs_read                                          | pipe
            SLEEPING  | anon_pipe_write,vfs_write                                   | pipe
            SLEEPING  | wait_woken,n_tty_write,file_tty_write                       | terminal
            SLEEPING  | schedule_hrtimeout_range,ep_poll,do_epoll_wait              | socket
            SLEEPING  | __skb_wait_for_more_packets,__skb_recv_udp,udp_recvmsg      | socket
            SLEEPING  | locks_lock_inode_wait,fcntl_setlk                           | file-lock
            BLOCKED   | io_schedule,folio_wait_bit_common,filemap_fault,handle_mm_fault | page-fault
            BLOCKED   | io_schedule,do_swap_page,handle_mm_fault                    | swap
            BLOCKED   | percpu_rwsem_wait,__percpu_down_read,ext4_file_write_iter   | disk
            BLOCKED   | io_schedule,jbd2_log_wait_commit,ext4_sync_file,vfs_fsync_range | disk
            BLOCKED   | request_wait_answer,fuse_simple_request                     | disk
            BLOCKED   | schedule_timeout,reclaim_throttle,shrink_node,try_to_free_mem_cgroup_pages | reclaim
            BLOCKED   | do_mprotect_pkey                                        | other-wait
            SLEEPING  | __do_semtimedop,do_semtimedop                               | lock
            BLOCKED   | mem_cgroup_oom_synchronize,pagefault_out_of_memory,do_user_addr_fault | reclaim
            BLOCKED   | do_user_addr_fault,exc_page_fault                           | page-fault
            SLEEPING  | do_wait,kernel_wait4                                        | other-wait
            FROZEN    | futex_wait_queue                                            | frozen
            STOPPED   | do_signal_stop                                              | stopped
            TRACED    | ptrace_stop                                                 | traced
            PREEMPTED | ''                                                          | preempted
            """)
    void shouldNameAWaitByTheKernelStack(State state, String stack, String kind) {
        absence(0, 100, state == State.PREEMPTED ? 0 : 100, state, stack, UnaryOperator.identity());
        assertThat(account().share(AccountKind.of(kind))).as(account().text()).isCloseTo(1, within(0.001));
    }

    /** The kernel leaves the functions that wait for its locks out of a stack; that of the waker tells. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            do_mprotect_pkey,__x64_sys_mprotect                            | lock
            lock_mm_and_find_vma,exc_page_fault,asm_exc_page_fault         | lock
            exc_page_fault,asm_exc_page_fault                              | lock
            filemap_fault,__do_fault,handle_mm_fault,exc_page_fault        | page-fault
            ext4_buffered_write_iter,vfs_write                             | lock
            folio_wait_bit_common,ext4_buffered_write_iter,vfs_write       | disk
            percpu_rwsem_wait,vfs_write,ksys_write                         | disk
            """)
    void shouldKnowALockOfTheKernelByItsRelease(String stack, String kind) {
        absence(0, 100, 100, State.BLOCKED, stack, ThreadAbsence::endedByUnlock);
        assertThat(account().share(AccountKind.of(kind))).as(account().text()).isCloseTo(1, within(0.001));
    }

    /** A thread of the kernel that writes a journal to the disk holds locks of the file system meanwhile. */
    @Test
    void shouldTakeTheLockOfAThreadOfTheKernelForAPartOfItsWork() {
        absence(
                0,
                100,
                100,
                State.BLOCKED,
                "ext4_buffered_write_iter",
                absence -> absence.endedBy(ThreadAbsence.Ending.UNLOCK_BY_KERNEL));
        assertThat(account().share(AccountKind.DISK)).isCloseTo(1, within(0.001));
    }

    /** The kernel's stack is the same whatever kind of file it was. */
    @ParameterizedTest
    @CsvSource({
        "do_select, PIPE, pipe",
        "do_sys_poll, TERMINAL, terminal",
        "ep_poll, PIPE, pipe",
        "ep_poll, UNKNOWN, socket",
        "unix_stream_read_generic, PIPE, socket"
    })
    void shouldTakeForWhatAThreadPolledFromWhatEndedTheWait(String stack, ThreadAbsence.Ending ending, String kind) {
        absence(0, 100, 100, State.SLEEPING, stack, absence -> absence.endedBy(ending));
        assertThat(account().share(AccountKind.of(kind))).as(account().text()).isCloseTo(1, within(0.001));
    }

    /** Nobody released the lock: the time was up. */
    @Test
    void shouldCallALockThatATimerEndsASleep() {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", ThreadAbsences::byTimer);
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 sleep (in Parker::park)");
    }

    /** CPython looks every 5 ms whether another thread has released the interpreter lock. */
    @ParameterizedTest
    @CsvSource({
        "pthread_cond_timedwait, take_gil, 50.1, '100.0 ms = 99.9 lock (in take_gil, futex_wait_queue) + 0.1 unexplained'",
        "pthread_cond_timedwait, take_gil, 55, '100.0 ms = 95.0 sleep (in take_gil) + 5.0 unexplained'",
        "pthread_cond_timedwait, time_sleep, 50.1, 100.0 ms = 99.9 sleep (in time_sleep) + 0.1 unexplained",
        "pthread_cond_timedwait, Parker::park, 50.1, 100.0 ms = 99.9 sleep (in Parker::park) + 0.1 unexplained",
        "'', '', 50.1, 100.0 ms = 99.9 sleep + 0.1 unexplained"
    })
    void shouldCallAWaitThatIsRenewedAtOnceOneForTheLock(
            String library, String function, double againMs, String expected) {
        List<String> stack = library.isEmpty() ? List.of() : List.of(library, function);
        absence(0, 50, 50, State.SLEEPING, "futex_wait_queue", absence -> ThreadAbsences.timedOut(absence, stack));
        absence(
                againMs,
                100,
                50,
                State.SLEEPING,
                "futex_wait_queue",
                absence -> ThreadAbsences.timedOut(absence, stack));
        assertThat(account().text()).isEqualTo(expected);
    }

    /** A thread without a goroutine waits in a futex or in epoll, whatever its last goroutine waits for. */
    @ParameterizedTest
    @CsvSource({
        "futex_wait_queue, runtime.futexsleep, runtime.stopm",
        "do_epoll_wait, runtime.netpoll, runtime.findRunnable"
    })
    void shouldNotTakeTheWaitOfAnIdleGoThreadForThatOfTheGoroutine(String kernel, String first, String second) {
        absence(0, 100, 100, State.SLEEPING, kernel, absence -> ThreadAbsences.with(absence, first, second));
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 unexplained (no goroutine ran on this thread)");
    }

    @Test
    void shouldMeasureAPageFaultWithinAnAbsence() {
        absence(5, 95, 90, State.BLOCKED, "io_schedule,filemap_fault,handle_mm_fault", UnaryOperator.identity());
        Interval interval = new Interval(ns(4), ns(96));
        incident.add(new PageFault(PROCESS, THREAD, interval, true, "libc.so.6 .gnu.hash", "ld.so .text"));
        assertThat(account().text()).isEqualTo("100.0 ms = 92.0 page fault (libc.so.6 .gnu.hash) + 8.0 unexplained");
    }

    /** The page was there; the thread came to it only when another one had released the lock of the address space. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lock_mm_and_find_vma | 90.0 lock (a lock of the kernel in lock_mm_and_find_vma, woken by reporter)
            mem_cgroup_oom_synchronize,pagefault_out_of_memory | 90.0 reclaim (mem_cgroup_oom_synchronize)
            """)
    void shouldTellFromAPageWhatTheThreadWaitedForBeforeIt(String stack, String expected) {
        absence(5, 95, 90, State.BLOCKED, stack + ",do_user_addr_fault,exc_page_fault", absence -> wakened("reporter")
                .apply(absence)
                .endedByUnlock());
        Interval interval = new Interval(ns(4), ns(96));
        incident.add(new PageFault(PROCESS, THREAD, interval, false, "anonymous memory", "receiver .text"));
        assertThat(account().text())
                .isEqualTo("100.0 ms = " + expected + " + 2.0 page fault (anonymous memory) + 8.0 unexplained");
    }

    /** The path to a lock says nothing: what ended the wait does. A page that is being read is waited for, whoever unlocks it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rwsem_down_read_slowpath,ext4_file_read_iter | true  | 90.0 lock (a lock of the kernel in rwsem_down_read_slowpath, woken by writer)
            rwsem_down_read_slowpath,xfs_file_read_iter  | true  | 90.0 lock (a lock of the kernel in rwsem_down_read_slowpath, woken by writer)
            rwsem_down_read_slowpath,generic_file_read   | true  | 90.0 lock (a lock of the kernel in rwsem_down_read_slowpath, woken by writer)
            lock_sock_nested,udp_sendmsg                 | true  | 90.0 lock (a lock of the kernel in lock_sock_nested, woken by writer)
            ext4_da_write_begin                          | false | 90.0 disk (ext4_da_write_begin)
            io_schedule,folio_wait_bit_common,ext4_read  | true  | 90.0 disk (folio_wait_bit_common)
            """)
    void shouldTellALockOfTheKernelWhateverPathLedToIt(String stack, boolean isByUnlock, String expected) {
        absence(5, 95, 90, State.BLOCKED, stack, absence -> {
            ThreadAbsence woken = wakened("writer").apply(absence);
            return isByUnlock ? woken.endedByUnlock() : woken;
        });
        assertThat(account().text()).isEqualTo("100.0 ms = " + expected + " + 10.0 unexplained");
    }

    /** Only while the thread was runnable: a quota keeps nobody who waits for something else; and not if it kept the group for less. */
    @ParameterizedTest
    @CsvSource({
        "30, 100.0 ms = 40.0 lock (woken by reporter) + 40.0 throttled (/limited) + 20.0 preempted (first by hog)",
        "10, 100.0 ms = 60.0 preempted (first by hog) + 40.0 lock (woken by reporter)"
    })
    void shouldTellAQuotaFromAPreemption(long throttledMs, String expected) {
        absence(0, 100, 40, State.SLEEPING, "futex_wait_queue", wakened("reporter"));
        throttled(20, 60, throttledMs);
        assertThat(account().text()).isEqualTo(expected);
    }

    /** The quota is that of the whole process: the holder of the lock had no CPU because of it. Who was only preempted, or of another process, stays a holder. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            90 | PREEMPTED | 90 | 100.0 ms = 90.0 throttled (/limited, reporter was throttled) + 10.0 lock (woken by reporter, which had no CPU)
            0  | PREEMPTED | 90 | 100.0 ms = 100.0 lock (woken by reporter, which had no CPU)
            90 | PREEMPTED | 20 | 100.0 ms = 100.0 lock (woken by reporter, which had no CPU)
            90 | SLEEPING  | 90 | 100.0 ms = 100.0 lock (woken by reporter, which waited)
            """)
    void shouldTellThatTheHolderOfALockWasThrottled(
            long throttledMs, State ofHolder, long withoutCpuMs, String expected) {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", absence -> wakened("reporter")
                .apply(absence)
                .afterWaitOfWaker(new WakerWait(withoutCpuMs * 1_000_000, ofHolder, "", List.of())));
        throttled(5, 90, throttledMs);
        assertThat(account().text()).isEqualTo(expected);
    }

    /** The holder waited for something at first, was woken after 2 ms, and waited for a CPU from then on. */
    @ParameterizedTest
    @CsvSource({"95, had no CPU", "40, waited"})
    void shouldTellThatTheHolderOfALockWasWokenAndHadNoCpu(long runnableMs, String expected) {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", absence -> wakened("reporter")
                .apply(absence)
                .afterWaitOfWaker(new WakerWait(99_000_000, State.SLEEPING, "", List.of())));
        Interval busy = new Interval(ns(2), ns(101));
        incident.add(new ThreadBusy(PROCESS, "reporter", busy, 1_000_000, runnableMs * 1_000_000, 0));
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 lock (woken by reporter, which " + expected + ")");
    }

    /** A safepoint that waits for a thread without a CPU, and an operation whose thread has none. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0  | VM Thread | 0  | 100.0 ms = 60.0 time to safepoint (for java, which had no CPU) + 40.0 VM operation
            90 | VM Thread | 0  | 100.0 ms = 55.0 throttled (/limited, java was throttled) + 40.0 VM operation + 5.0 time to safepoint (for java, which had no CPU)
            90 | VM Thread | 38 | 100.0 ms = 55.0 throttled (/limited, java was throttled) + 35.0 throttled (/limited, VM Thread was throttled) + 5.0 time to safepoint (for java, which had no CPU) + 5.0 VM operation
            """)
    void shouldTellThatTheThreadOfASafepointWasThrottled(
            long throttledMs, String collector, long withoutCpuMs, String expected) {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", ThreadAbsences::atSafepoint);
        add(TimelineEventType.SAFEPOINT, 0, 100, Map.of("toSafepointNs", 60_000_000L));
        incident.add(new ThreadBusy(PROCESS, "java", new Interval(ns(0), ns(60)), 1_000_000, 59_000_000, 0));
        Interval held = new Interval(ns(60), ns(100));
        incident.add(new ThreadBusy(
                PROCESS, collector, held, held.lengthNs() - withoutCpuMs * 1_000_000, withoutCpuMs * 1_000_000, 0));
        throttled(5, 90, throttledMs);
        assertThat(account().text()).isEqualTo(expected);
    }

    private void throttled(double fromMs, double lengthMs, long throttledMs) {
        add(
                TimelineEventType.CPU_THROTTLED,
                fromMs,
                lengthMs,
                Map.of("cgroup", "/limited", "throttledNs", throttledMs * 1_000_000));
    }

    @Test
    void shouldTellTheKernelsInterruptsFromOtherThreads() {
        absence(0, 30, 0, State.PREEMPTED, "", absence -> insteadOf(absence, "ksoftirqd/1"));
        absence(30, 50, 0, State.PREEMPTED, "", UnaryOperator.identity());
        incident.add(TimelineEvent.of(
                ns(60),
                TimelineEventType.THREAD_INTERRUPTED,
                PROCESS,
                THREAD,
                Samples.whole(
                        TimelineEventType.THREAD_INTERRUPTED.form(),
                        Map.of("durationNs", 26_000_000L, "kind", "soft", "name", "NET_RX"))));
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        assertThat(account().text())
                .isEqualTo(
                        "100.0 ms = 30.0 interrupted (first by ksoftirqd/1) + 26.0 interrupted (by soft interrupt NET_RX)"
                                + " + 24.0 on CPU + 20.0 preempted (first by hog)");
    }

    /** The CPU was idle when the soft interrupt began, and the thread asleep: it was woken, and nobody ran instead of it. */
    @Test
    void shouldTellASoftInterruptThatBeganWhileTheThreadSleptFromPreemption() {
        absence(0, 90, 20, State.SLEEPING, "futex_wait_queue", absence -> insteadOf(absence, ""));
        incident.add(TimelineEvent.of(
                ns(20),
                TimelineEventType.THREAD_INTERRUPTED,
                PROCESS,
                THREAD,
                Samples.whole(
                        TimelineEventType.THREAD_INTERRUPTED.form(),
                        Map.of("durationNs", 65_000_000L, "kind", "soft", "name", "NET_RX"))));
        StallAccount account = account();
        assertThat(account.ms(AccountKind.INTERRUPTED)).isCloseTo(65, within(0.01));
        assertThat(account.ms(AccountKind.PREEMPTED)).isCloseTo(5, within(0.01));
    }

    /** The set says after the wait what it asks for then: a socket that another thread has armed again looks like one that always was. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7 | 7 | 100.0 ms = 100.0 not notified (edge-triggered or one-shot in its epoll set, ep_poll)",
                "7 | 8 | 100.0 ms = 100.0 not notified (not armed in its epoll set, ep_poll)",
                "8 | 8 | 100.0 ms = 100.0 socket (ep_poll)"
            })
    void shouldTellThatEpollDidNotReportTheDatagrams(long unread, long once, String text) {
        incident.add(new SocketEvent.Unread(
                new Interval(ns(2), ns(100)),
                PROCESS,
                new SocketEvent.Socket(unread, "127.0.0.1", 40_000, ""),
                0,
                65_536,
                1_000_000,
                false));
        absence(
                0,
                100,
                100,
                State.SLEEPING,
                "ep_poll",
                absence -> absence.waitingFor(
                        new ThreadAbsence.SocketWait(List.of(7L), once == 7 ? List.of(7L) : List.of())));
        assertThat(account().text()).isEqualTo(text);
    }

    /** A thread that waits between two samples has been told of all: the socket held datagrams before or after its wait. */
    @Test
    void shouldNotTakeAShortWaitForOneThatWasNotNotified() {
        incident.add(new SocketEvent.Unread(
                new Interval(ns(97), ns(100)),
                PROCESS,
                new SocketEvent.Socket(7, "127.0.0.1", 40_000, ""),
                0,
                65_536,
                1_000_000,
                false));
        absence(
                0,
                100,
                100,
                State.SLEEPING,
                "ep_poll",
                absence -> absence.waitingFor(new ThreadAbsence.SocketWait(List.of(7L), List.of())));
        assertThat(account().ms(AccountKind.NOT_NOTIFIED)).isZero();
    }

    /** The kernel knows nothing of a spin lock: the thread that went on together with the one that spun may have held it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pthread_spin_lock | -20 | 101 | in pthread_spin_lock, until actor slept",
                "pthread_spin_lock | -20 | 90 | in pthread_spin_lock",
                "compute | 1 | 99 | in compute, as long as actor slept",
                "compute | -20 | 101 | in compute"
            })
    void shouldTellWhatAnotherThreadDidAsLongAsOneSpun(String function, double beginMs, double endMs, String detail) {
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        for (int atMs = 5; atMs < 100; atMs += 10) {
            incident.add(new ThreadSample(PROCESS, THREAD, ns(atMs), List.of(), List.of(function, "main")));
        }
        incident.add(new ThreadAbsence(
                PROCESS,
                "actor",
                new Interval(ns(beginMs), ns(endMs)),
                ns(endMs) - ns(beginMs),
                State.SLEEPING,
                "",
                false,
                true,
                "",
                List.of("hrtimer_nanosleep"),
                List.of()));
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 on CPU (" + detail + ")");
    }

    /** The thread that was switched to first is not the one that had the CPU. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 100.0 ms = 100.0 preempted (first by hog)",
                "90 | 100.0 ms = 100.0 preempted (by hog)",
                "30 | 100.0 ms = 100.0 preempted (partly by hog)"
            })
    void shouldChargeAPreemptionToTheThreadThatRanLongest(long ranMs, String text) {
        absence(0, 100, 0, State.PREEMPTED, "", absence -> absence.whileRan("hog", ranMs * 1_000_000));
        assertThat(account().text()).isEqualTo(text);
    }

    private static ThreadAbsence insteadOf(ThreadAbsence absence, String next) {
        return new ThreadAbsence(
                absence.process(),
                absence.thread(),
                absence.interval(),
                absence.blockedNs(),
                absence.state(),
                "",
                false,
                false,
                next,
                absence.kernelStack(),
                absence.userStack());
    }

    @Test
    void shouldDivideASafepointIntoTheWayAndTheOperation() {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", ThreadAbsences::atSafepoint);
        add(TimelineEventType.SAFEPOINT, 10, 80, Map.of("toSafepointNs", 60_000_000L, "operation", "HeapDumper"));
        StallAccount account = account();
        assertThat(account.ms(AccountKind.TIME_TO_SAFEPOINT)).isCloseTo(60, within(0.01));
        assertThat(account.ms(AccountKind.VM_OPERATION)).isCloseTo(40, within(0.01));
        assertThat(account.ms(AccountKind.GC)).isZero();
    }

    /** A thread that holds others up at a safepoint is not kept by it. */
    @Test
    void shouldNotBlameASafepointForTheThreadThatIsLate() {
        absence(0, 100, 100, State.BLOCKED, "io_schedule,filemap_fault,handle_mm_fault", UnaryOperator.identity());
        add(TimelineEventType.SAFEPOINT, 0, 100, Map.of("toSafepointNs", 100_000_000L));
        assertThat(account().share(AccountKind.PAGE_FAULT)).isCloseTo(1, within(0.001));
    }

    @Test
    void shouldCallASafepointWithACollectionACollection() {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", ThreadAbsences::atSafepoint);
        add(TimelineEventType.SAFEPOINT, 0, 100, Map.of("toSafepointNs", 1_000_000L));
        add(TimelineEventType.GC_PAUSE, 1, 99, Map.of("cause", "System.gc()"));
        assertThat(account().text()).isEqualTo("100.0 ms = 99.0 GC (System.gc()) + 1.0 time to safepoint");
    }

    @Test
    void shouldNameWhoHaltedTheThread() {
        absence(0, 40, 40, State.FROZEN, "do_freezer_trap", absence -> absence.haltedBy("/sys/fs/cgroup/pool"));
        absence(40, 70, 30, State.STOPPED, "do_signal_stop", absence -> absence.haltedBy("sh (process 7)"));
        absence(70, 100, 30, State.TRACED, "ptrace_stop", absence -> absence.haltedBy("gdb (process 8)"));
        assertThat(account().text())
                .isEqualTo("100.0 ms = 40.0 frozen (by /sys/fs/cgroup/pool) + 30.0 stopped (by sh (process 7))"
                        + " + 30.0 traced (by gdb (process 8))");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SLEEPING | do_nanosleep,hrtimer_nanosleep | '' | slept",
                "BLOCKED | io_schedule,folio_wait_bit_common | kworker | waited for a disk in folio_wait_bit_common until kworker woke it",
                "SLEEPING | futex_do_wait,do_futex | other | waited for a lock until other woke it",
                "OTHER | '' | '' | waited",
                "STOPPED | do_signal_stop | '' | was stopped",
                "PREEMPTED | '' | '' | had no CPU"
            })
    void shouldTellForWhatTheHolderOfALockWaited(State state, String stack, String waker, String expected) {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", absence -> ThreadAbsences.wokenBy(absence, "reporter")
                .afterWaitOfWaker(
                        new WakerWait(90, state, waker, stack.isEmpty() ? List.of() : List.of(stack.split(",", -1)))));
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 lock (woken by reporter, which " + expected + ")");
    }

    /** The kernel did not count the fault; the absence in it knows the page. */
    @Test
    void shouldNameThePageOfAFaultThatWasNotCounted() {
        absence(
                0,
                100,
                100,
                State.BLOCKED,
                "io_schedule,filemap_fault,handle_mm_fault,exc_page_fault",
                absence -> absence.inFault(new ThreadAbsence.Fault(
                        "libc.so.6 .gnu.hash", new PageFault.Page("0x7f12", "/usr/lib/libc.so.6", ".gnu.hash"))));
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 page fault (libc.so.6 .gnu.hash)");
    }

    private static WakerWait holder(long afterMs, long ms, State state, String waker, String stack) {
        return new WakerWait(
                afterMs * 1_000_000,
                ms * 1_000_000,
                state,
                waker,
                ThreadAbsence.Ending.UNKNOWN,
                stack.isEmpty() ? List.of() : List.of(stack.split(",", -1)),
                null);
    }

    /** What the holder of the lock did not choose is not the lock's; what it did by itself, and who has the CPU, is. Less than half of the wait takes nothing. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            80 | BLOCKED   | io_schedule,folio_wait_bit_common    | DISK_WAIT      | 100.0 ms = 80.0 disk (for a lock held by writer, which waited for a disk in folio_wait_bit_common) + 20.0 lock (woken by writer, which waited for a disk in folio_wait_bit_common)
            49 | BLOCKED   | io_schedule,folio_wait_bit_common    | LOCK_WAIT      | 100.0 ms = 100.0 lock (woken by writer, which waited for a disk in folio_wait_bit_common)
            90 | BLOCKED   | io_schedule,do_swap_page             | MEMORY_PRESSURE | 100.0 ms = 90.0 swap (for a lock held by writer, which waited for a page from swap in do_swap_page) + 10.0 lock (woken by writer, which waited for a page from swap in do_swap_page)
            90 | TRACED    | ptrace_stop                          | PROCESS_TRACED | 100.0 ms = 90.0 traced (for a lock held by writer, which was traced) + 10.0 lock (woken by writer, which was traced)
            90 | SLEEPING  | hrtimer_nanosleep                    | LOCK_WAIT      | 100.0 ms = 100.0 lock (woken by writer, which slept)
            90 | SLEEPING  | pipe_write                           | LOCK_WAIT      | 100.0 ms = 100.0 lock (woken by writer, which waited for a pipe in pipe_write)
            90 | PREEMPTED | ''                                   | LOCK_WAIT      | 100.0 ms = 100.0 lock (woken by writer, which had no CPU)
            """)
    void shouldChargeTheWaitForALockToWhatKeptItsHolder(
            long ms, State state, String stack, Cause cause, String expected) {
        absence(0, 100, 100, State.SLEEPING, "futex_do_wait", absence -> wakened("writer")
                .apply(absence)
                .afterWaitOfWaker(holder(10, ms, state, "", stack)));
        StallAccount account = account();
        assertThat(account.text()).isEqualTo(expected);
        assertThat(new StallAttribution(incident.file(), stall).explain().cause())
                .isEqualTo(cause);
    }

    /** The lock of the first is held by a thread that waits for that of a second one, which reads from a disk. */
    @Test
    void shouldNameTheHoldersOfHoldersInTheirOrder() {
        WakerWait third = holder(5, 90, State.BLOCKED, "kworker", "io_schedule,folio_wait_bit_common");
        WakerWait second =
                holder(3, 94, State.SLEEPING, "reader", "futex_do_wait").after(third);
        WakerWait first =
                holder(0, 98, State.SLEEPING, "flusher", "futex_do_wait").after(second);
        absence(0, 100, 100, State.SLEEPING, "futex_do_wait", absence -> wakened("writer")
                .apply(absence)
                .afterWaitOfWaker(first));
        assertThat(account().entries().get(0).detail())
                .isEqualTo("for a lock held by writer, which waited for a lock held by flusher, which waited for a lock"
                        + " held by reader, which waited for a disk in folio_wait_bit_common until kworker woke it");
        assertThat(account().ms(AccountKind.DISK)).isCloseTo(90, within(0.01));
        assertThat(account().ms(AccountKind.LOCK)).isCloseTo(10, within(0.01));
    }

    /** The second holder was at the disk for a short part: the first one's wait for the file's lock is the last that covers most. */
    @Test
    void shouldChargeTheLastHolderWhoseWaitCoversMost() {
        WakerWait second = holder(30, 40, State.BLOCKED, "", "io_schedule,folio_wait_bit_common");
        WakerWait first = holder(10, 70, State.SLEEPING, "other", "locks_lock_inode_wait,do_flock")
                .after(second);
        absence(0, 100, 100, State.SLEEPING, "futex_do_wait", absence -> wakened("writer")
                .apply(absence)
                .afterWaitOfWaker(first));
        assertThat(account().ms(AccountKind.FILE_LOCK)).isCloseTo(70, within(0.01));
        assertThat(account().ms(AccountKind.DISK)).isZero();
        assertThat(account().entries().get(0).detail())
                .isEqualTo("for a lock held by writer, which waited for a file lock in locks_lock_inode_wait held by"
                        + " other, which waited for a disk in folio_wait_bit_common");
    }

    /** The holder was on the path to a file; who woke it released a lock of the kernel, and whoever held that slept. */
    @Test
    void shouldTakeTheLockOfAnInodeForNoDiskWhereAHolderWaitsForIt() {
        WakerWait first = new WakerWait(
                0,
                90_000_000,
                State.BLOCKED,
                "other",
                ThreadAbsence.Ending.UNLOCK,
                List.of("rwsem_down_write_slowpath", "ext4_file_write_iter"),
                null);
        absence(0, 100, 100, State.SLEEPING, "futex_do_wait", absence -> wakened("writer")
                .apply(absence)
                .afterWaitOfWaker(first));
        assertThat(account().text())
                .isEqualTo("100.0 ms = 100.0 lock (woken by writer, which waited for a lock until other woke it)");
    }

    /** Each wait has its own chain, and no part of the stall counts twice. */
    @Test
    void shouldChargeTwoWaitsOfOneStallEachToItsHolder() {
        absence(0, 40, 40, State.SLEEPING, "futex_do_wait", absence -> wakened("writer")
                .apply(absence)
                .afterWaitOfWaker(holder(0, 40, State.BLOCKED, "", "io_schedule,folio_wait_bit_common")));
        absence(50, 100, 50, State.SLEEPING, "futex_do_wait", absence -> wakened("mapper")
                .apply(absence)
                .afterWaitOfWaker(holder(0, 500, State.BLOCKED, "", "io_schedule,do_swap_page")));
        assertThat(account().text())
                .isEqualTo(
                        "100.0 ms = 50.0 swap (for a lock held by mapper, which waited for a page from swap in do_swap_page)"
                                + " + 40.0 disk (for a lock held by writer, which waited for a disk in folio_wait_bit_common)"
                                + " + 10.0 unexplained");
    }

    /** The JVM knows the line at which the thread waits for the lock, and not for what its holder waits. */
    @Test
    void shouldSayTheJavaLineOfAWaitThatIsChargedToTheHolder() {
        absence(0, 100, 100, State.SLEEPING, "futex_do_wait", absence -> wakened("writer")
                .apply(absence)
                .afterWaitOfWaker(holder(0, 100, State.BLOCKED, "", "io_schedule,folio_wait_bit_common")));
        javaWait(0, 99, "lock", "java.lang.Object, held by writer");
        assertThat(account().text())
                .isEqualTo("100.0 ms = 100.0 disk (at a.B.c:7, for a lock held by writer, which waited for a disk in"
                        + " folio_wait_bit_common)");
    }

    /** HotSpot waits for a monitor with a time limit, so that one wait is an absence that another thread ended and one that a timer ended. */
    @Test
    void shouldNameTheLockOfAJavaObjectAndItsHolder() {
        absence(0, 60, 60, State.SLEEPING, "futex_do_wait", wakened("reporter"));
        absence(60, 98, 38, State.SLEEPING, "hrtimer_nanosleep", UnaryOperator.identity());
        javaWait(0, 97, "lock", "java.lang.Object, held by reporter");
        assertThat(account().text())
                .isEqualTo("100.0 ms = 98.0 lock (at a.B.c:7, java.lang.Object, held by reporter) + 2.0 unexplained");
    }

    /** The virtual thread that receives waits for something, and its carrier for a virtual thread that can run: whoever ended that, it was no lock of the carrier. */
    @Test
    void shouldNotTellForWhatAVirtualThreadWaited() {
        absence(0, 100, 100, State.SLEEPING, "futex_do_wait", wakened("ForkJoinPool-1-"));
        javaWait(-1, 100, "sleep", "java.util.concurrent.ForkJoinPool");
        assertThat(account().text())
                .isEqualTo("100.0 ms = 100.0 unexplained (no task or virtual thread ran on this thread of a pool)");
    }

    /** A lock that the thread had before it slept is no reason for the sleep. */
    @Test
    void shouldNotCallASleepALockThatWasTakenBefore() {
        absence(20, 100, 80, State.SLEEPING, "hrtimer_nanosleep", UnaryOperator.identity());
        javaWait(0, 20, "lock", "java.lang.Object");
        assertThat(account().text()).isEqualTo("100.0 ms = 80.0 sleep + 20.0 lock (at a.B.c:7, java.lang.Object)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"false | 100.0 ms = 100.0 on CPU (in a.B.count:7)", "true | 100.0 ms = 100.0 on CPU"})
    void shouldNameTheJavaCodeThatRanOnTheCpu(boolean isNative, String expected) {
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        javaStack(-50, 40, false, "a.B.other:1");
        javaStack(20, 60, isNative, "a.B.count:7");
        assertThat(account().text()).isEqualTo(expected);
    }

    /** Samples are in different functions that the same one called. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hash,compute,on_datagram,main; mix,compute,on_datagram,main | 100.0 ms = 100.0 on CPU (in compute)",
                "hash,compute,main; hash,other,main; recv,main; hash,main | 100.0 ms = 100.0 on CPU (in main)",
                "[unknown] | 100.0 ms = 100.0 on CPU"
            })
    void shouldNameTheFunctionThatRanOnTheCpu(String stacks, String expected) {
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        double atMs = 5;
        for (String stack : stacks.split("; ", -1)) {
            sample(atMs, stack);
            atMs += 10;
        }
        sample(-20, "before,main");
        sample(120, "after,main");
        assertThat(account().text()).isEqualTo(expected);
    }

    /** The program only wrote to a page: the time went into clearing it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clear_page_erms,handle_mm_fault,exc_page_fault,asm_exc_page_fault | 100.0 ms = 100.0 on CPU (in fill, in the kernel in clear_page_erms)",
                "do_syscall_64,entry_SYSCALL_64_after_hwframe | 100.0 ms = 100.0 on CPU (in fill)"
            })
    void shouldNameWhatTheKernelDidOnTheCpu(String kernel, String expected) {
        add(TimelineEventType.KERNEL_RECORDED, 0, 5_000, Map.of());
        for (int atMs = 5; atMs < 100; atMs += 10) {
            sample(atMs, kernel, "fill,main");
        }
        assertThat(account().text()).isEqualTo(expected);
    }

    private void sample(double atMs, String stack) {
        sample(atMs, "", stack);
    }

    private void sample(double atMs, String kernel, String stack) {
        List<String> kernelStack = kernel.isEmpty() ? List.of() : List.of(kernel.split(",", -1));
        incident.add(new ThreadSample(PROCESS, THREAD, ns(atMs), kernelStack, List.of(stack.split(",", -1))));
    }

    private void javaStack(double beginMs, double lengthMs, boolean isNative, String where) {
        Map<String, Object> details = Map.of("durationNs", (long) (lengthMs * 1e6), "native", isNative, "where", where);
        incident.add(TimelineEvent.of(
                ns(beginMs),
                TimelineEventType.JAVA_STACK,
                PROCESS,
                THREAD,
                Samples.whole(TimelineEventType.JAVA_STACK.form(), details)));
    }

    /** The idle thread's timer was due 60 ms after the stall began. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "98 | 100.0 ms = 62.0 sleep + 38.0 stolen (an idle thread's timer was late as well)",
                "90 | 100.0 ms = 100.0 sleep"
            })
    void shouldNotCallASleepOwnThatTheMachineMadeLonger(double lateEndMs, String expected) {
        absence(0, 100, 100, State.SLEEPING, "hrtimer_nanosleep", UnaryOperator.identity());
        incident.add(TimelineEvent.of(
                ns(60), TimelineEventType.TIMER_LATE, "lab", "naklab-timer", Map.of("latenessNs", (long)
                        ((lateEndMs - 60) * 1e6))));
        assertThat(account().text()).isEqualTo(expected);
    }

    /** For the kernel, the thread is in a function of HotSpot. */
    @Test
    void shouldNameTheLineAtWhichAJavaThreadSleeps() {
        absence(0, 100, 100, State.SLEEPING, "futex_wait_queue", ThreadAbsences::byTimer);
        javaWait(0, 99, "sleep", "");
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 sleep (at a.B.c:7)");
    }

    /** What the kernel says of the wait stays; the line is the JVM's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "futex_wait_queue  | other-wait | 100.0 ms = 100.0 lock (at a.B.c:7, woken by feeder)",
                "pipe_write        | disk       | 100.0 ms = 100.0 pipe (at a.B.c:7, woken by feeder)",
                "folio_wait_bit    | sleep      | 100.0 ms = 100.0 disk (at a.B.c:7, folio_wait_bit)"
            })
    void shouldNameTheLineOfAJavaWaitFirst(String stack, String kind, String expected) {
        absence(
                0,
                100,
                100,
                State.SLEEPING,
                stack,
                absence -> ThreadAbsences.with(ThreadAbsences.wokenBy(absence, "feeder"), "Parker::park"));
        javaWait(0, 99, kind, "");
        assertThat(account().text()).isEqualTo(expected);
    }

    @Test
    void shouldNameTheLineThatCalledTheNativeCodeOfAWait() {
        absence(0, 100, 100, State.SLEEPING, "pipe_write", absence -> ThreadAbsences.with(absence, "writeBytes"));
        javaStack(20, 60, true, "a.B.log:7");
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 pipe (at a.B.log:7, in writeBytes, pipe_write)");
    }

    private void javaWait(double beginMs, double lengthMs, String kind, String object) {
        long durationNs = (long) (lengthMs * 1e6);
        Map<String, Object> details =
                Map.of("durationNs", durationNs, "kind", kind, "what", "waited", "object", object, "where", "a.B.c:7");
        incident.add(TimelineEvent.of(
                ns(beginMs),
                TimelineEventType.JAVA_WAIT,
                PROCESS,
                THREAD,
                Samples.whole(TimelineEventType.JAVA_WAIT.form(), details)));
    }

    @Test
    void shouldLeaveOutOtherThreads() {
        absence(
                0,
                100,
                100,
                State.SLEEPING,
                "futex_wait_queue",
                absence -> new ThreadAbsence(
                        PROCESS,
                        "other",
                        absence.interval(),
                        absence.blockedNs(),
                        absence.state(),
                        "",
                        false,
                        false,
                        "",
                        absence.kernelStack(),
                        List.of()));
        assertThat(account().text()).isEqualTo("100.0 ms = 100.0 unexplained");
    }

    /** Whatever the sources claim, and however it overlaps. */
    @Test
    void shouldAlwaysAddUpToTheStall() {
        Random random = new Random(1);
        State[] states = State.values();
        for (int run = 0; run < 200; run++) {
            StallAccountantTest test = new StallAccountantTest();
            for (int i = 0; i < 12; i++) {
                double beginMs = random.nextDouble() * 140 - 20;
                double lengthMs = random.nextDouble() * 60;
                double blockedMs = lengthMs * random.nextDouble();
                State state = states[random.nextInt(states.length)];
                test.absence(beginMs, beginMs + lengthMs, blockedMs, state, "futex_wait", UnaryOperator.identity());
                test.add(TimelineEventType.SAFEPOINT, beginMs, lengthMs, Map.of("toSafepointNs", 2_000_000L));
                test.add(TimelineEventType.CPU_THROTTLED, beginMs + 3, lengthMs, Map.of());
            }
            assertThat(test.account().totalMs()).as("run %d", run).isCloseTo(LENGTH_MS, within(0.05));
        }
    }

    private StallAccount account() {
        return new StallAccountant(incident.file(), stall).account();
    }

    /** @param blockedMs the first part, that the thread was not runnable */
    private void absence(
            double fromMs,
            double toMs,
            double blockedMs,
            State state,
            String kernelStack,
            UnaryOperator<ThreadAbsence> change) {
        Interval interval = new Interval(ns(fromMs), ns(toMs));
        long blockedNs = Math.min((long) (blockedMs * 1e6), interval.lengthNs());
        incident.add(change.apply(ThreadAbsences.of(PROCESS, THREAD, interval, blockedNs, state, kernelStack)));
    }

    private static UnaryOperator<ThreadAbsence> wakened(String waker) {
        return absence -> ThreadAbsences.wokenBy(absence, waker);
    }

    private void add(TimelineEventType type, double fromMs, double lengthMs, Map<String, Object> details) {
        Map<String, Object> all = new TreeMap<>(details);
        if (lengthMs > 0) {
            all.put("durationNs", (long) (lengthMs * 1e6));
        }
        incident.add(TimelineEvent.of(ns(fromMs), type, PROCESS, "", Samples.whole(type.form(), all)));
    }

    private static TimelineEvent event(TimelineEventType type, double atMs, Map<String, Object> details) {
        return TimelineEvent.of(Incident.ns(atMs), type, PROCESS, THREAD, Samples.whole(type.form(), details));
    }

    private static long ns(double afterBeginMs) {
        return Incident.ns(BEGIN_MS + afterBeginMs);
    }
}
