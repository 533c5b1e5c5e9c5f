package org.naklab.subscriber.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.subscriber.feed.SequenceTracker.Verdict;

@Timeout(60)
class SequenceTrackerTest {
    private final SequenceTracker tracker = new SequenceTracker();

    @Test
    void shouldFindNothingWrongWithAFeedInOrder() {
        LongStream.rangeClosed(1, 100).forEach(tracker::onEvent);
        tracker.onLastSequence(100);

        assertCounts(100, 0, 0, 0);
    }

    @Test
    void shouldCountAGap() {
        List.of(1L, 2L, 6L).forEach(tracker::onEvent);

        assertCounts(3, 3, 0, 0);
    }

    @Test
    void shouldCountAGapAtTheBeginning() {
        tracker.onEvent(500);

        assertCounts(1, 499, 0, 0);
    }

    @Test
    void shouldTellALateEventFromADuplicate() {
        List.of(1L, 5L).forEach(tracker::onEvent);

        assertThat(tracker.onEvent(3)).isEqualTo(Verdict.REORDERED);
        assertThat(tracker.onEvent(3)).isEqualTo(Verdict.DUPLICATE);
        assertThat(tracker.onEvent(5)).isEqualTo(Verdict.DUPLICATE);
        assertThat(tracker.onEvent(1)).isEqualTo(Verdict.DUPLICATE);
        assertCounts(3, 2, 3, 1);

        assertThat(tracker.onEvent(2)).isEqualTo(Verdict.REORDERED);
        assertThat(tracker.onEvent(4)).isEqualTo(Verdict.REORDERED);
        assertCounts(5, 0, 3, 3);
    }

    @Test
    void shouldLearnOfAMissingEndFromAHeartbeat() {
        tracker.onEvent(1);
        tracker.onLastSequence(4);
        assertCounts(1, 3, 0, 0);

        assertThat(tracker.onEvent(2)).isEqualTo(Verdict.REORDERED);
        assertThat(tracker.onEvent(5)).isEqualTo(Verdict.NEXT);
        assertCounts(3, 2, 0, 1);
    }

    @Test
    void shouldCountARestartedFeedAsDuplicates() {
        LongStream.rangeClosed(1, 10).forEach(tracker::onEvent);
        LongStream.rangeClosed(1, 4).forEach(tracker::onEvent);

        assertCounts(10, 0, 4, 0);
    }

    @Test
    void shouldRefuseASequenceBelowOne() {
        assertThatThrownBy(() -> tracker.onEvent(0)).isInstanceOf(FeedException.class);
        assertThatThrownBy(() -> tracker.onEvent(-3)).isInstanceOf(FeedException.class);
    }

    private void assertCounts(long received, long missing, long duplicated, long reordered) {
        assertThat(List.of(tracker.received(), tracker.missing(), tracker.duplicated(), tracker.reordered()))
                .containsExactly(received, missing, duplicated, reordered);
    }
}
