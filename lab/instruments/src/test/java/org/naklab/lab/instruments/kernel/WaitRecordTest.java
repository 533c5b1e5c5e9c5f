package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;

/** Compares recorded waits with what the threads that waited have measured. */
@Timeout(60)
class WaitRecordTest {
    /** Bounds the share of the wait in what the victim measured; the rest is its own work around the wait. */
    private static final double SHARE = 0.9;

    private static final RecorderSettings NOBODY = RecorderSettings.DEFAULT.ofThreads(List.of("nobody"));

    private static void assertExplains(Absence absence, Interval span) {
        assertThat(span.coveredBy(List.of(absence.interval(0)))).isGreaterThan(SHARE);
        assertThat(absence.blockedNs() + absence.runnableNs()).isEqualTo(absence.lengthNs());
    }

    @Test
    void shouldNameTheHolderOfALock() throws Exception {
        Recording recording = Recording.of("lock", RecorderSettings.DEFAULT, "lock");
        Absence absence = recording.longest("victim");
        Waking waking = Objects.requireNonNull(absence.waking());

        assertExplains(absence, recording.span());
        assertThat(absence.state()).isEqualTo(ThreadAbsence.State.SLEEPING);
        assertThat(absence.isIn("futex")).isTrue();
        assertThat(waking.waker().comm()).isEqualTo("reporter");
        assertThat(waking.waker().pid()).isEqualTo(recording.pid());
        assertThat(waking.byInterrupt()).isFalse();
        assertThat(absence.userStack())
                .extracting(frame -> frame.symbol().replaceFirst("^_+", ""))
                .containsSubsequence("pthread_mutex_lock", "Victim::handleMessage(int)", "main", "start");
        assertThat(absence.userStackCut()).isFalse();
    }

    @Test
    void shouldTellThatATimerWoke() throws Exception {
        Absence absence = Recording.of("lock", RecorderSettings.DEFAULT, "lock").longest("reporter");

        assertThat(absence.isIn("nanosleep")).isTrue();
        assertThat(Objects.requireNonNull(absence.waking()).byInterrupt()).isTrue();
    }

    @Test
    void shouldRecordOtherThreadsWithoutUserStacks() throws Exception {
        Recording recording = Recording.of("lock-named", RecorderSettings.DEFAULT.ofThreads(List.of("victim")), "lock");

        assertThat(recording.longest("reporter").isIn("nanosleep")).isTrue();
        assertThat(recording.longest("reporter").userStack()).isEmpty();
        assertThat(recording.longest("victim").userStack())
                .extracting(StackFrame::symbol)
                .contains("main");
    }

    @Test
    void shouldDeliverWhatWasDeferredInTheOrderOfTime() throws Exception {
        Recording recording = Recording.of("lock-deferred", RecorderSettings.DEFAULT.asDeferred(), "lock");

        assertThat(recording.longest("victim").userStack())
                .extracting(StackFrame::symbol)
                .contains("main");
        assertThat(recording.of(Absence.class).stream()
                        .filter(each -> !each.isOpen())
                        .map(Absence::timeNs))
                .hasSizeGreaterThan(1)
                .isSorted();
    }

    @Test
    void shouldNotReportOtherThreadsThatWokeNoneOfThoseNamed() throws Exception {
        Recording recording = Recording.of("lock-nobody", NOBODY, "lock");

        assertThat(recording.span().lengthNs()).isGreaterThan(200_000_000);
        assertThat(recording.of(KernelRecord.RecorderEnd.class))
                .singleElement()
                .extracting(KernelRecord.RecorderEnd::reason)
                .isEqualTo("");
        assertThat(recording.of(Absence.class)).allMatch(Absence::isOpen);
        assertThat(recording.of(BusySpell.class))
                .as("a thread that sleeps is not busy")
                .noneMatch(spell ->
                        recording.span().coveredBy(List.of(new Interval(spell.beginNs(), spell.endNs()))) > 1 - SHARE);
    }

    @Test
    void shouldNameTheThreadThatPreempted() throws Exception {
        Recording recording = Recording.of("spin", RecorderSettings.DEFAULT, "spin", "1");
        Absence absence = recording.longest("victim");

        assertExplains(absence, recording.span());
        assertThat(absence.state()).isEqualTo(ThreadAbsence.State.PREEMPTED);
        assertThat(absence.blockedNs()).isZero();
        assertThat(absence.runnableNs()).isEqualTo(absence.lengthNs());
        assertThat(Objects.requireNonNull(absence.next()).comm()).isEqualTo("hog");
        assertThat(absence.beginCpu()).isEqualTo(1);
        assertThat(recording.of(ProcessLife.class))
                .anyMatch(life -> life.event() == ProcessLife.Event.FORK && !life.isNewThread());
        assertThat(recording.of(KernelRecord.Shared.class))
                .filteredOn(shared -> shared.other().comm().equals("hog"))
                .allMatch(shared -> shared.cpu() == 1 && shared.task().comm().equals("victim"))
                .anyMatch(shared -> new Interval(shared.beginNs(), shared.endNs()).overlaps(recording.span()));
    }

    @Test
    void shouldRecordAPageFaultThatWaitsForUserSpace() throws Exception {
        Recording recording = Recording.of("uffd", RecorderSettings.DEFAULT, "uffd");
        long address = Long.parseLong(recording.measured().get(3));
        Absence absence = recording.longest("victim");

        assertThat(recording.of(PageFaultSpan.class))
                .filteredOn(fault -> fault.address() == address)
                .singleElement()
                .satisfies(fault -> {
                    Interval interval = new Interval(fault.beginNs(), fault.endNs());
                    assertThat(interval.coveredBy(List.of(recording.span()))).isGreaterThan(SHARE);
                    assertThat(recording.span().coveredBy(List.of(interval))).isGreaterThan(SHARE);
                    assertThat(Objects.requireNonNull(fault.code()).shortName()).isEqualTo("victim .text");
                });
        assertThat(Objects.requireNonNull(absence.fault()).address()).isEqualTo(address);
        assertThat(absence.isIn("handle_userfault")).isTrue();
        assertThat(absence.userStack()).extracting(StackFrame::symbol).contains("main", "_start");
    }

    @Test
    void shouldCountDroppedDatagramsByReason() throws Exception {
        Recording recording = Recording.of("udp", RecorderSettings.DEFAULT, "udp", "20321");

        assertThat(drops(recording, "SOCKET_RCVBUFF"))
                .isEqualTo(Long.parseLong(recording.measured().get(1)));
        assertThat(drops(recording, "UDP_CSUM"))
                .isEqualTo(Long.parseLong(recording.measured().get(2)));
    }

    private static long drops(Recording recording, String reason) {
        return recording.of(DatagramRecord.Drops.class).stream()
                .filter(drops -> drops.flow().port() == 20_321 && drops.reason().equals(reason))
                .filter(drops -> drops.flow().destination().equals("127.0.0.1"))
                .mapToLong(DatagramRecord.Drops::count)
                .sum();
    }
}
