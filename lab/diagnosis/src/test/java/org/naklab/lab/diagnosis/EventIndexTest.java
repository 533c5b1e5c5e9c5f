package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EventIndexTest {
    /** A look at all events of one type for each stall would hand out 60 and more for each event of the smallest file. */
    private static final int MOST_PER_EVENT = 8;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldFindTheSameAsALookAtAllEvents(long seed) {
        CaseFile file = SyntheticCase.dense(seed, 1_500);
        List<TimelineEvent> events = file.events();
        for (TimelineEvent stall : file.of(TimelineEventType.STALL)) {
            Interval span = stall.interval();
            for (TimelineEventType type : TimelineEventType.values()) {
                List<TimelineEvent> near = events.stream()
                        .filter(event -> event.type() == type && isNear(event, span))
                        .toList();
                List<TimelineEvent> ofProcess = near.stream()
                        .filter(event -> event.process().equals(stall.process()))
                        .toList();
                List<TimelineEvent> ofThread = ofProcess.stream()
                        .filter(event -> event.thread().equals(stall.thread()))
                        .toList();
                // A socket's depth has more times than its event.
                if (type != TimelineEventType.SOCKET_DEPTH_RISE) {
                    assertThat(file.near(span, type)).isEqualTo(near);
                    assertThat(file.near(span, stall.process(), type)).isEqualTo(ofProcess);
                    assertThat(file.index()
                                    .group(type, stall.process(), stall.thread())
                                    .near(span))
                            .isEqualTo(ofThread);
                }
                assertThat(file.near(span, type)).containsAll(near);
            }
        }
    }

    private static boolean isNear(TimelineEvent event, Interval span) {
        Interval lasting = event.interval();
        long beginNs = Math.min(event.timeNs(), lasting.beginNs());
        long endNs = Math.max(event.timeNs(), lasting.endNs());
        return beginNs <= span.endNs() && endNs >= span.beginNs();
    }

    @Test
    void shouldKeepTheEventsInTheirOrder() {
        CaseFile file = SyntheticCase.dense(4, 500);

        assertThat(file.events()).isEqualTo(List.copyOf(file.events()));
        for (TimelineEventType type : TimelineEventType.values()) {
            assertThat(file.of(type))
                    .isEqualTo(file.events().stream()
                            .filter(event -> event.type() == type)
                            .toList());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, 10_000, 20_000})
    void shouldLookAtEachEventAFewTimes(int events) {
        CaseFile file = SyntheticCase.longRun(1, events);

        Examination examination = Examination.of(file);

        assertThat(examination.stalls()).hasSizeGreaterThan(events / 25);
        assertThat(file.index().handedOut()).isLessThan((long) MOST_PER_EVENT * events);
        assertThat(file.index().absencesRead()).isBetween(1, events / 4);
    }
}
