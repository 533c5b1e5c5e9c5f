package org.naklab.lab.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class IntervalTest {
    @Test
    void shouldBeCutWhereverAnotherBeginsOrEnds() {
        Interval whole = new Interval(10, 50);
        assertThat(whole.cutBy(List.of(new Interval(0, 20), new Interval(15, 60), new Interval(50, 70))))
                .containsExactly(new Interval(10, 15), new Interval(15, 20), new Interval(20, 50));
        assertThat(whole.cutBy(List.of())).containsExactly(whole);
        assertThat(new Interval(10, 10).cutBy(List.of(whole))).isEmpty();
    }
}
