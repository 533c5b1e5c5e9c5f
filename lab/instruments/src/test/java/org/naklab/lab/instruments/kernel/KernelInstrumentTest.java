package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;

/** Compares the events that the instrument makes of a recorded stream with what the victim measured. */
@Timeout(60)
class KernelInstrumentTest {
    private final EventLog events = new EventLog();

    @Test
    void shouldTellForWhatTheHolderOfALockWaited() throws Exception {
        Recording recording = Recording.of("lock", RecorderSettings.DEFAULT, "lock");
        recording.toTimeline(new KernelInstrument.Subject(recording.pid(), "foreign", "victim", false), events);
        ThreadAbsence absence = events.of(TimelineEventType.THREAD_ABSENT).stream()
                .map(ThreadAbsence::of)
                .filter(each -> each.interval().overlaps(recording.span()))
                .max(Comparator.comparingLong(each -> each.interval().lengthNs()))
                .orElseThrow();

        assertThat(absence.interval()).isEqualTo(recording.longest("victim").interval(0));
        assertThat(absence.waker()).isEqualTo("reporter");
        assertThat(absence.wakerWait()).isNotNull();
        assertThat(absence.wakerWait().state()).isEqualTo(ThreadAbsence.State.SLEEPING);
        assertThat(absence.wakerWait().kernelStack()).anyMatch(function -> function.contains("nanosleep"));
        assertThat(absence.wakerWait().waker()).as("a timer").isEmpty();
        assertThat(absence.wakerWait().durationNs())
                .isBetween(absence.interval().lengthNs() / 2, absence.interval().lengthNs());
        assertThat(events.of(TimelineEventType.THREAD_ABSENT))
                .allMatch(event -> event.thread().equals("victim"));
        assertThat(events.of(TimelineEventType.KERNEL_RECORDED)).hasSize(1);
    }
}
