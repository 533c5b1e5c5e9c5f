package org.naklab.lab.watch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

@Timeout(60)
final class StallQueueTest {
    private final List<TimelineEvent> next = new ArrayList<>();
    private final StallQueue queue = new StallQueue(next::add);

    @Test
    void shouldGiveALongStallThatBeganBeforeAShortOneThatWasGivenAlready() {
        TimelineEvent brief = stall("a", 500, 600);
        TimelineEvent lengthy = stall("b", 100, 3_000);

        queue.onEvent(brief);
        assertThat(queue.takeEndedBefore(1_000)).containsExactly(brief);
        queue.onEvent(lengthy);
        assertThat(queue.takeEndedBefore(2_999)).isEmpty();
        assertThat(queue.takeEndedBefore(3_000)).containsExactly(lengthy);
        assertThat(queue.takeEndedBefore(9_000)).isEmpty();
        assertThat(next).containsExactly(brief, lengthy);
    }

    @Test
    void shouldBeBoundedIfNobodyTakesStalls() {
        for (int i = 0; i < 20_000; i++) {
            queue.onEvent(stall("a", i, i + 1));
        }
        assertThat(queue.takeEndedBefore(Long.MAX_VALUE))
                .hasSize(10_000)
                .last()
                .matches(stall -> stall.timeNs() == 19_999);
    }

    private static TimelineEvent stall(String thread, long beginNs, long endNs) {
        return TimelineEvent.of(
                beginNs,
                TimelineEventType.STALL,
                "4711",
                thread,
                Map.of("durationNs", endNs - beginNs, "endNs", endNs));
    }
}
