package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.testing.Matrix;

/** Compares the events of the timeline with what a foreign process measures by itself. */
@Matrix
@Timeout(120)
class LiveKernelInstrumentTest extends VictimRecording {
    private final EventLog events = new EventLog();

    @Test
    void shouldTellForWhatTheHolderOfALockWaited() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelInstrument instrument = KernelInstrument.start(
                        List.of(new KernelInstrument.Subject(victim.pid(), "foreign", "victim", false)), events)) {
            victim.go();
            Interval span = victim.span();
            instrument.finish();
            ThreadAbsence absence = longestIn(span);

            assertThat(absence.waker()).isEqualTo("reporter");
            assertThat(absence.wakerWait()).isNotNull();
            assertThat(absence.wakerWait().state()).isEqualTo(ThreadAbsence.State.SLEEPING);
            assertThat(absence.wakerWait().kernelStack()).anyMatch(function -> function.contains("nanosleep"));
            assertThat(absence.wakerWait().waker()).as("a timer").isEmpty();
            assertThat(absence.wakerWait().durationNs())
                    .isLessThanOrEqualTo(absence.interval().lengthNs())
                    .isGreaterThan(absence.interval().lengthNs() / 2);
            assertThat(events.of(TimelineEventType.THREAD_ABSENT))
                    .allMatch(event -> event.thread().equals("victim"));
        }
    }

    private ThreadAbsence longestIn(Interval span) {
        return events.of(TimelineEventType.THREAD_ABSENT).stream()
                .map(ThreadAbsence::of)
                .filter(absence -> absence.interval().overlaps(span))
                .max(Comparator.comparingLong(absence -> absence.interval().lengthNs()))
                .orElseThrow();
    }
}
