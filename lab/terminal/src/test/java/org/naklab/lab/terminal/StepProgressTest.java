package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class StepProgressTest {
    private long nowNs;

    @Test
    void shouldCountTheStepsAndSayWhatIsLeft() {
        StepProgress progress = new StepProgress(10, () -> nowNs, null, () -> {});
        assertThat(progress.next()).isEqualTo(" 1 of 10  ");
        nowNs += TimeUnit.SECONDS.toNanos(4);
        assertThat(progress.next()).isEqualTo(" 2 of 10, about 36 s left  ");
        nowNs += TimeUnit.SECONDS.toNanos(96);
        assertThat(progress.next()).isEqualTo(" 3 of 10, about 7 min left  ");
    }

    @Test
    void shouldSayNothingOfLessThanFiveSeconds() {
        StepProgress progress = new StepProgress(2, () -> nowNs, null, () -> {});
        nowNs += TimeUnit.SECONDS.toNanos(4);
        assertThat(progress.ended()).isEqualTo("1 of 2  ");
        assertThat(progress.ended()).isEqualTo("2 of 2  ");
    }

    @Test
    void shouldSayHowManyRunsAnInterruptedExperimentMade() {
        StepProgress progress = new StepProgress(8, () -> nowNs, null, () -> {});
        nowNs += TimeUnit.SECONDS.toNanos(12);
        assertThat(progress.ended()).isEqualTo("1 of 8, about 84 s left  ");
        progress.ended();
        assertThat(progress.interrupted("runs"))
                .isEqualTo("interrupted after 12 s, 2 of 8 runs; what follows is of these");
    }

    @Test
    void shouldCountNoStepThatCannotBeMade() {
        StepProgress progress = new StepProgress(6, () -> nowNs, null, () -> {});
        progress.leaveOut(4);
        assertThat(progress.ended()).isEqualTo("1 of 2  ");
        progress.oneMore();
        assertThat(progress.ended()).isEqualTo("2 of 3  ");
    }

    @Test
    void shouldKnowWhatIsLeftBeforeTheFirstStepHasEnded() {
        StepProgress progress =
                new StepProgress(6, () -> nowNs, null, () -> {}).expecting(TimeUnit.SECONDS.toNanos(20));
        assertThat(progress.next()).isEqualTo("1 of 6, about 2 min left  ");
    }

    @Test
    void shouldEndAnInterruptedCommandInOneLine() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(printed, true, StandardCharsets.UTF_8);
        StepProgress progress = new StepProgress(3, () -> nowNs, Terminal.of(err, err), () -> err.println("partial"));
        progress.onStep("measuring");
        progress.onResult("12 events/s");
        progress.onStep("measuring again");
        nowNs += TimeUnit.SECONDS.toNanos(2);
        progress.interrupt();
        progress.interrupt();

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "1 of 3  measuring",
                        "      12 events/s",
                        "2 of 3  measuring again",
                        "partial",
                        "interrupted after 2 s, in step 2 of 3: what the others found stands above");
    }

    @Test
    void shouldSayNothingOfASignalThatComesAfterTheEnd() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(printed, true, StandardCharsets.UTF_8);
        StepProgress progress = new StepProgress(1, () -> nowNs, Terminal.of(err, err), () -> {});
        progress.close();
        progress.interrupt();

        assertThat(printed.size()).isZero();
    }
}
