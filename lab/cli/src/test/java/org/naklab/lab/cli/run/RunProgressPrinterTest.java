package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.scenarios.runner.RunProgress;
import org.naklab.lab.terminal.Terminal;
import org.naklab.messaging.TopicChannels;

final class RunProgressPrinterTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final RunProgressPrinter printer = printer(false);

    private RunProgressPrinter printer(boolean isVerbose) {
        return new RunProgressPrinter(
                Terminal.of(System.out, new PrintStream(bytes, true, StandardCharsets.UTF_8)), true, 1, isVerbose);
    }

    private static RunPlan plan() {
        return new DefaultRuns(() -> TopicChannels.onLoopback(26_000), Path.of("run"), "test")
                .plan(new Baseline(), Fidelity.NONE, 42, null, null);
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void progressAfter(long seconds, long published, long received) {
        printer.onProgress(new RunProgress(TimeUnit.SECONDS.toNanos(seconds), published, received, received, received));
    }

    @Test
    void shouldPrintTheRateAndHowFarEachReceiverIsBehind() {
        printer.onPlanned(plan());
        progressAfter(2, 100_000, 100_000);
        progressAfter(4, 200_000, 199_900);

        assertThat(printed().lines())
                .last()
                .isEqualTo(" 4.0 of 10.0 s  50,000/s  published 200,000  behind: mds 100, journal 100, gateway 100");
    }

    /** The figures of five digits fit, and nothing shows more received than published. */
    @Test
    void shouldFitInEightyColumns() {
        printer.onPlanned(plan());
        progressAfter(2, 90_000, 90_007);

        assertThat(printed().lines())
                .last()
                .satisfies(line -> assertThat(line.length()).isLessThan(80))
                .asString()
                .contains("behind: mds 0,");
    }

    @Test
    void shouldAnnounceAStallWhileItGoesOn() {
        printer(true).onStall(TimeUnit.MILLISECONDS.toNanos(5_100), "mds", "mds-context", 151_000_000);

        assertThat(printed()).contains("5.1 s  STALL  mds-context stood still for 151.0 ms");
    }

    /** In a pipe nothing is rewritten: the set-up and the stalls come with --verbose only, and ever fewer lines say how far the run is. */
    @Test
    void shouldBeBriefInAPipeUnlessAskedForMore() {
        assertThat(linesOfARun(printer)).isEqualTo(4);
        assertThat(linesOfARun(printer(true))).isGreaterThan(8);
    }

    private long linesOfARun(RunProgressPrinter shown) {
        bytes.reset();
        shown.onPlanned(plan());
        shown.onFinding("a finding");
        shown.onReady("mds", 1, 65_536);
        shown.onStall(TimeUnit.SECONDS.toNanos(1), "mds", "mds-context", 151_000_000);
        for (int second = 1; second <= 10; second++) {
            shown.onProgress(new RunProgress(TimeUnit.SECONDS.toNanos(second), second, second, second, second));
        }
        return printed().lines().count();
    }
}
