package org.naklab.lab.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.testing.events.Samples;

class EventFormTest {
    private static Stream<TimelineEventType> typed() {
        return Arrays.stream(TimelineEventType.values()).filter(type -> type.form() != null);
    }

    private static TimelineEvent read(TimelineEventType type, Map<String, Object> details) {
        return TimelineEvent.of(7, type, "mds", details);
    }

    @ParameterizedTest
    @MethodSource("typed")
    void shouldReadALineIntoItsRecordAndWriteItAsItWas(TimelineEventType type) {
        Map<String, Object> details = Samples.whole(type.form(), Map.of());
        TimelineEvent event = read(type, details);
        assertThat(event).isInstanceOf(type.form());
        assertThat(event.type()).isEqualTo(type);
        assertThat(event.timeNs()).isEqualTo(7);
        assertThat(event.process()).isEqualTo("mds");
        assertThat(event.details().keySet()).isEqualTo(details.keySet());
        assertThat(event.interval().lengthNs()).isLessThanOrEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("typed")
    void shouldNotReadAMissingFigureAsZero(TimelineEventType type) {
        Map<String, Object> details = Samples.whole(type.form(), Map.of());
        for (String key : details.keySet()) {
            Map<String, Object> without = new TreeMap<>(details);
            without.remove(key);
            TimelineEvent event = read(type, without);
            assertThat(event.as(Objects.requireNonNull(type.form())))
                    .as("%s without %s", type, key)
                    .isEmpty();
            assertThat(event.details()).isEqualTo(without);
        }
    }

    @Test
    void shouldKeepWhatALaterVersionTells() {
        Map<String, Object> details = new HashMap<>(Map.of("throttledNs", 5, "cgroup", "/a", "durationNs", 9));
        assertThat(read(TimelineEventType.CPU_THROTTLED, details))
                .isEqualTo(new HostEvent.Throttled(new Interval(7, 16), "mds", "/a", 5));
        details.put("periods", 2);
        TimelineEvent later = read(TimelineEventType.CPU_THROTTLED, details);
        assertThat(later.details()).containsEntry("periods", 2);
        assertThat(later.as(HostEvent.Throttled.class))
                .map(HostEvent.Throttled::throttledNs)
                .contains(5L);
        details.put("throttledNs", "five");
        assertThat(read(TimelineEventType.CPU_THROTTLED, details).as(HostEvent.Throttled.class))
                .isEmpty();
    }

    @Test
    void shouldWriteAStackAsOneTextAndLeaveOutWhatIsEmpty() {
        ThreadEvent.ThreadSample sample =
                new ThreadEvent.ThreadSample("mds", "mds-context", 7, List.of(), List.of("inner", "outer"));
        assertThat(sample.details()).isEqualTo(Map.of("userStack", "inner < outer"));
        assertThat(TimelineEvent.of(7, sample.type(), "mds", "mds-context", sample.details()))
                .isEqualTo(sample);
    }
}
