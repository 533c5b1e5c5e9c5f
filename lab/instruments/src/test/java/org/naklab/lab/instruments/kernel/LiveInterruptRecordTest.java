package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Records the interrupts of named threads, and the timers that wake them. */
@Matrix
@Timeout(120)
class LiveInterruptRecordTest extends VictimRecording {
    private static final long LEAST_NS = 1_000;
    private static final long MILLISECOND_NS = 1_000_000;

    /** The kernel wakes at the latest so long after the earliest time that was asked for. */
    private static final long TIMER_SLACK_NS = 50_000;

    @Test
    void shouldRecordTheTicksOfAThreadThatRuns() throws Exception {
        try (Victim victim = Victim.start(program, "busy");
                KernelRecorder recorder = record(RecorderSettings.ofShortTimes(LEAST_NS, List.of("worker")), victim)) {
            victim.go();
            Interval span = victim.span();
            end(recorder);

            assertThat(ticks()).isNotEmpty().anyMatch(tick -> span.contains(tick.beginNs()));
            assertThat(log.of(KernelRecord.Interrupt.class)).allSatisfy(interrupt -> {
                assertThat(interrupt.endNs()).isGreaterThanOrEqualTo(interrupt.beginNs());
                assertThat(interrupt.task().comm()).isEqualTo("worker");
                assertThat(Math.max(interrupt.endNs() - interrupt.beginNs(), interrupt.lateNs()))
                        .isGreaterThanOrEqualTo(LEAST_NS);
            });
            assertThat(ticks()).allMatch(tick -> log.of(Absence.class).stream()
                    .filter(absence -> absence.task().comm().equals("worker"))
                    .noneMatch(absence -> contains(absence, tick)));
        }
    }

    @Test
    void shouldRecordNoInterruptsUnlessAsked() throws Exception {
        int processor = Runtime.getRuntime().availableProcessors() - 1;
        RecorderSettings settings = new RecorderSettings(LEAST_NS, LEAST_NS, 0, false, List.of("victim"));
        try (Victim victim = Victim.start(program, "spin", Integer.toString(processor));
                KernelRecorder recorder = record(settings, victim)) {
            victim.go();
            Interval gap = victim.span();
            Absence absence = longestIn(recorder, gap, "victim");

            assertThat(absence.lengthNs()).isPositive();
            assertThat(log.of(KernelRecord.Interrupt.class)).isEmpty();
            assertThat(log.of(KernelRecord.Steal.class)).isEmpty();
        }
    }

    @Test
    void shouldTellForWhenATimerWasDue() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder =
                        record(RecorderSettings.ofShortTimes(LEAST_NS, List.of("victim", "reporter")), victim)) {
            victim.go();
            Interval span = victim.span();
            Absence slept = longestIn(recorder, span, "reporter");
            Absence waited = log.longestIn(span, "victim");

            Waking timer = Objects.requireNonNull(slept.waking());
            assertThat(timer.dueNs()).isBetween(slept.beginNs(), timer.timeNs());
            assertThat(timer.timeNs() - slept.beginNs()).isGreaterThan(LONG_NS - TIMER_SLACK_NS);
            assertThat(Objects.requireNonNull(waited.waking()).dueNs()).isZero();
        }
    }

    @Test
    void shouldRecordWhoElseRanOnTheOnlyProcessorOfAThread() throws Exception {
        int processor = Runtime.getRuntime().availableProcessors() - 1;
        try (Victim victim = Victim.start(program, "spin", Integer.toString(processor));
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval gap = victim.span();
            end(recorder);

            assertThat(log.of(KernelRecord.Shared.class))
                    .filteredOn(shared -> shared.other().comm().equals("hog"))
                    .isNotEmpty()
                    .allSatisfy(shared -> {
                        assertThat(shared.cpu()).isEqualTo(processor);
                        assertThat(shared.task().comm()).isEqualTo("victim");
                    })
                    .anyMatch(shared -> new Interval(shared.beginNs(), shared.endNs()).overlaps(gap));
        }
    }

    /** A thread that may run elsewhere shares no processor: the scheduler can move it. */
    @Test
    void shouldNotRecordWhoElseRanOnAProcessorOfAThreadThatMayRunElsewhere() throws Exception {
        try (Victim victim = Victim.start(program, "busy");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval span = victim.span();
            end(recorder);

            assertThat(span.lengthNs()).isPositive();
            assertThat(log.of(KernelRecord.Shared.class)).isEmpty();
        }
    }

    /** The soft interrupt began while another thread was on the processor: of the sleeper, it is what keeps it once it was woken. */
    @Test
    void shouldRecordTheSoftInterruptThatASleepingThreadFoundOnItsProcessor() throws Exception {
        int processor = Runtime.getRuntime().availableProcessors() - 1;
        AtomicBoolean isOver = new AtomicBoolean();
        try (KernelRecorder recorder = KernelRecorder.start(
                RecorderSource.BPF,
                List.of(ProcessHandle.current().pid()),
                RecorderSettings.ofShortTimes(LEAST_NS, List.of("sleeper")),
                log)) {
            Thread flooder = started("flooder", processor, () -> flood(isOver));
            Thread sleeper = started("sleeper", processor, () -> {
                while (!isOver.get()) {
                    LockSupport.parkNanos(MILLISECOND_NS);
                }
            });
            try {
                Await.until("a soft interrupt keeps the sleeper", () -> softInterrupts().stream()
                        .anyMatch(this::keptAWokenThread));
            } finally {
                isOver.set(true);
                flooder.join();
                sleeper.join();
            }
            end(recorder);
            assertThat(softInterrupts()).allSatisfy(interrupt -> {
                assertThat(interrupt.task().comm()).isEqualTo("sleeper");
                assertThat(interrupt.name()).isNotEmpty();
            });
        }
    }

    private boolean keptAWokenThread(KernelRecord.Interrupt interrupt) {
        return log.of(Absence.class).stream()
                .filter(absence -> absence.task().comm().equals("sleeper") && absence.waking() != null)
                .anyMatch(absence -> Objects.requireNonNull(absence.waking()).timeNs() <= interrupt.beginNs()
                        && interrupt.endNs() <= absence.endNs());
    }

    private List<KernelRecord.Interrupt> softInterrupts() {
        return log.of(KernelRecord.Interrupt.class).stream()
                .filter(interrupt -> interrupt.kind() == KernelRecord.InterruptKind.SOFT)
                .toList();
    }

    private static Thread started(String name, int processor, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    ThreadAffinity.pin(processor);
                    work.run();
                },
                name);
        thread.start();
        return thread;
    }

    /** The kernel receives a datagram of the loopback interface in a soft interrupt of the processor that sends it. */
    private static void flood(AtomicBoolean isOver) {
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket sender = new DatagramSocket()) {
            DatagramPacket packet = new DatagramPacket(new byte[1_000], 1_000, receiver.getLocalSocketAddress());
            while (!isOver.get()) {
                sender.send(packet);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<KernelRecord.Interrupt> ticks() {
        return log.of(KernelRecord.Interrupt.class).stream()
                .filter(interrupt -> interrupt.kind() == KernelRecord.InterruptKind.TICK)
                .toList();
    }

    /** A thread that is off its processor has no interrupts. */
    private static boolean contains(Absence absence, KernelRecord.Interrupt tick) {
        return absence.beginNs() < tick.beginNs() && tick.endNs() < absence.endNs();
    }
}
