package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;

/** The kernel's trace of a run is of the stall that its diagnosis tells of, and has it from begin to end, by the share that the report says. */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class TraceCoverageScenario {
    private static final int RUNS = 3;
    private static final double LEAST_SHARE = 0.9;
    private static final Pattern SHARE = Pattern.compile("id=\"trace-covered\" data-share=\"([0-9.]+)\"");

    /** Kept when a test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @RepeatedTest(RUNS)
    void shouldHaveTheStallThatMatters() throws IOException {
        assumeThat(System.getProperty("user.name")).as("tracefs is for root").isEqualTo("root");
        NaklabOutcome outcome =
                new MysteryRuns(directory).run("--fidelity", "simulated", "--observe", "full", "--verbose");
        assumeThat(outcome.err()).as("a trace of the kernel").doesNotContain("no trace of the kernel");
        String report = Files.readString(NaklabProcess.latest(directory).resolve("report.html"));
        Matcher share = SHARE.matcher(report);
        assertThat(share.find()).as("the report draws the stall that matters").isTrue();
        assertThat(Double.parseDouble(share.group(1))).isGreaterThanOrEqualTo(LEAST_SHARE);
    }
}
