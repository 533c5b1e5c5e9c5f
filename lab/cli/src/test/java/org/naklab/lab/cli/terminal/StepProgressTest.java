package org.naklab.lab.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class StepProgressTest {
    private long nowNs;

    @Test
    void shouldCountTheStepsAndSayWhatIsLeft() {
        StepProgress progress = new StepProgress(10, () -> nowNs);
        assertThat(progress.next()).isEqualTo(" 1 of 10  ");
        nowNs += TimeUnit.SECONDS.toNanos(4);
        assertThat(progress.next()).isEqualTo(" 2 of 10, about 36 s left  ");
        nowNs += TimeUnit.SECONDS.toNanos(96);
        assertThat(progress.next()).isEqualTo(" 3 of 10, about 7 min left  ");
    }

    @Test
    void shouldSayNothingOfLessThanFiveSeconds() {
        StepProgress progress = new StepProgress(2, () -> nowNs);
        nowNs += TimeUnit.SECONDS.toNanos(4);
        assertThat(progress.ended()).isEqualTo("1 of 2  ");
        assertThat(progress.ended()).isEqualTo("2 of 2  ");
    }
}
