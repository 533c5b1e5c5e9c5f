package org.naklab.lab.tools.jitter.reason;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.jvm.safepoint.SafepointLog;
import org.naklab.lab.instruments.kernel.Absence;
import org.naklab.lab.instruments.kernel.KernelRecord;
import org.naklab.lab.instruments.kernel.KernelRecord.InterruptKind;
import org.naklab.lab.instruments.kernel.LostRecords;
import org.naklab.lab.instruments.kernel.PageFaultSpan;
import org.naklab.lab.instruments.kernel.TaskId;
import org.naklab.lab.instruments.kernel.Waking;

/** Each case has one time of 100 us in which the thread was late. */
@Timeout(60)
class OutlierAccountantTest {
    private static final TaskId THREAD = new TaskId(7, 8, "jitter-consumer");
    private static final TaskId VM_THREAD = new TaskId(7, 9, "VM Thread");
    private static final TaskId IDLE = new TaskId(0, 0, "swapper/1");
    private static final TaskId OTHER = new TaskId(70, 70, "burner");
    private static final Interval LATE = new Interval(1_000_000, 1_100_000);

    private final KernelTrace trace = new KernelTrace(List.of(THREAD.comm()));

    @Test
    void shouldNameTheOperationOfASafepoint() {
        assertParts(
                account("[1090000ns][safepoint] Safepoint \"Cleanup\", Reaching safepoint: 20 ns, Total: 90000 ns"),
                new Part(Reason.SAFEPOINT, 90, "Cleanup"),
                new Part(Reason.UNEXPLAINED, 10, ""));
    }

    @Test
    void shouldNameACollection() {
        assertParts(
                account(
                        "[1090000ns][gc] GC(3) Pause Young (Allocation Failure) 6M->0M(365M) 0.030ms",
                        "[1100000ns][safepoint] Safepoint \"X\", Reaching safepoint: 20 ns, Total: 100000 ns"),
                new Part(Reason.GC, 100, "Pause Young (Allocation Failure)"));
    }

    /** The thread waits in a futex meanwhile, which says less. */
    @Test
    void shouldPreferTheSafepointToTheWaitForIt() {
        trace.onRecord(absence(
                1_000_000, 1_100_000, ThreadAbsence.State.SLEEPING, woken(1_080_000, VM_THREAD, 0), OTHER, OTHER));
        assertParts(
                account("[1080000ns][safepoint] Safepoint \"Cleanup\", Reaching safepoint: 20 ns, Total: 80000 ns"),
                new Part(Reason.SAFEPOINT, 80, "Cleanup"),
                new Part(Reason.RUN_QUEUE, 20, "burner"));
    }

    @Test
    void shouldNameTheThreadThatHadTheCpu() {
        trace.onRecord(absence(990_000, 1_100_000, ThreadAbsence.State.PREEMPTED, null, OTHER, OTHER));
        assertParts(account(), new Part(Reason.RUN_QUEUE, 100, "burner"));
    }

    @Test
    void shouldTellTheKernelsOwnThreadOfSoftInterrupts() {
        TaskId kernel = new TaskId(20, 20, "ksoftirqd/1");
        trace.onRecord(absence(1_000_000, 1_100_000, ThreadAbsence.State.PREEMPTED, null, kernel, kernel));
        assertParts(account(), new Part(Reason.SOFT_INTERRUPT, 100, "ksoftirqd/1"));
    }

    @Test
    void shouldTellALateTimerFromASleepAndFromTheRunQueue() {
        trace.onRecord(absence(
                900_000, 1_100_000, ThreadAbsence.State.SLEEPING, woken(1_070_000, IDLE, 1_010_000), IDLE, IDLE));
        assertParts(
                account(),
                new Part(Reason.TIMER, 60, "the timer of its sleep was late"),
                new Part(Reason.RUN_QUEUE, 30, "the CPU was idle"),
                new Part(Reason.WAIT, 10, "sleep"));
    }

    @Test
    void shouldNameInterrupts() {
        trace.onRecord(interrupt(InterruptKind.DEVICE, 32, "", 1_000_000, 1_060_000, 0));
        trace.onRecord(interrupt(InterruptKind.SOFT, 3, "NET_RX", 1_060_000, 1_090_000, 0));
        assertParts(
                account(),
                new Part(Reason.INTERRUPT, 60, "irq 32"),
                new Part(Reason.SOFT_INTERRUPT, 30, "NET_RX"),
                new Part(Reason.UNEXPLAINED, 10, ""));
    }

    @Test
    void shouldTellThatATimerWasLate() {
        trace.onRecord(interrupt(InterruptKind.TIMER, 0, "tick_nohz_handler", 1_080_000, 1_100_000, 80_000));
        assertParts(
                account(),
                new Part(Reason.TIMER, 80, "tick_nohz_handler was late"),
                new Part(Reason.INTERRUPT, 20, "local timer"));
    }

    /** When between two ticks is not known: it claims what is left, then what it made late or long. */
    @Test
    void shouldClaimTheTimeThatTheHypervisorTook() {
        trace.onRecord(interrupt(InterruptKind.TICK, 236, "", 1_080_000, 1_100_000, 0));
        trace.onRecord(new KernelRecord.Steal(1, 900_000, 1_200_000, 90_000, THREAD));
        assertParts(
                account(),
                new Part(Reason.STEAL, 90, "steal time of the CPU"),
                new Part(Reason.INTERRUPT, 10, "local timer"));
    }

    @Test
    void shouldNameWhoStoppedTheProcess() {
        trace.onRecord(absence(1_000_000, 1_100_000, ThreadAbsence.State.STOPPED, null, OTHER, OTHER));
        assertParts(account(), new Part(Reason.STOPPED, 100, "by burner"));
    }

    @Test
    void shouldNamePageFaults() {
        trace.onRecord(new PageFaultSpan(THREAD, 1_000_000, 1_080_000, 0, 0, true, false, null, null));
        assertParts(account(), new Part(Reason.PAGE_FAULT, 80, "major"), new Part(Reason.UNEXPLAINED, 20, ""));
    }

    @Test
    void shouldNotExplainWhatNobodySaw() {
        trace.onRecord(absence(1_100_001, 1_200_000, ThreadAbsence.State.PREEMPTED, null, OTHER, OTHER));
        trace.onRecord(absence(800_000, 999_999, ThreadAbsence.State.PREEMPTED, null, OTHER, OTHER));
        List<Part> parts = account();
        assertParts(parts, new Part(Reason.UNEXPLAINED, 100, ""));
        assertThat(OutlierAccountant.main(parts).reason()).isEqualTo(Reason.UNEXPLAINED);
    }

    /** Half of the time is enough for a name. */
    @Test
    void shouldNameTheLongestPartUnlessMostIsUnexplained() {
        assertThat(OutlierAccountant.main(List.of(
                                new Part(Reason.TIMER, 30, ""),
                                new Part(Reason.STEAL, 20, ""),
                                new Part(Reason.UNEXPLAINED, 50, "")))
                        .reason())
                .isEqualTo(Reason.TIMER);
        assertThat(OutlierAccountant.main(List.of(new Part(Reason.TIMER, 49, ""), new Part(Reason.UNEXPLAINED, 51, "")))
                        .reason())
                .isEqualTo(Reason.UNEXPLAINED);
    }

    @Test
    void shouldFindALongAbsenceBehindManyShortRecords() {
        trace.onRecord(absence(100_000, 1_100_000, ThreadAbsence.State.PREEMPTED, null, OTHER, OTHER));
        for (int i = 0; i < 1_000; i++) {
            trace.onRecord(interrupt(InterruptKind.TICK, 236, "", 50_000 - i, 50_001 - i, 0));
        }
        assertParts(account(), new Part(Reason.RUN_QUEUE, 100, "burner"));
    }

    @Test
    void shouldTellThatRecordsAreMissing() {
        assertThat(trace.incomplete()).isEmpty();
        trace.onRecord(new LostRecords("records", 3, 0));
        assertThat(trace.incomplete()).startsWith("3 ");
    }

    private List<Part> account(String... log) {
        List<Part> parts = new OutlierAccountant(SafepointLog.of(List.of(log)), trace).account(THREAD.comm(), LATE);
        assertThat(parts.stream().mapToDouble(Part::us).sum()).isEqualTo(LATE.lengthNs() / 1e3);
        return parts;
    }

    private static void assertParts(List<Part> parts, Part... expected) {
        assertThat(parts).containsExactly(expected);
    }

    private static Waking woken(long timeNs, TaskId waker, long dueNs) {
        return new Waking(timeNs, waker, dueNs > 0, dueNs, List.of());
    }

    private static KernelRecord interrupt(
            InterruptKind kind, int number, String name, long beginNs, long endNs, long lateNs) {
        return new KernelRecord.Interrupt(kind, number, name, 1, beginNs, endNs, lateNs, THREAD);
    }

    private static Absence absence(
            long beginNs,
            long endNs,
            ThreadAbsence.State state,
            @Nullable Waking waking,
            TaskId next,
            TaskId previous) {
        return new Absence(
                THREAD,
                beginNs,
                endNs,
                state,
                false,
                1,
                1,
                waking,
                next,
                previous,
                null,
                0,
                state == ThreadAbsence.State.STOPPED ? OTHER : null,
                0,
                "",
                null,
                null,
                null,
                List.of(),
                List.of(),
                false);
    }
}
