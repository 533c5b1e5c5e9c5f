package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.watch.WatchSummary;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** The buffer that {@code naklab watch} says would have survived a stall, against a second run that has such a one. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class WatchBufferScenario {
    private static final Pattern SURVIVES = Pattern.compile("a buffer of ([0-9,]+) KiB would have survived that");
    private static final Pattern DEEPEST =
            Pattern.compile("deepest ([0-9,]+) KiB of [0-9,.]+ [KM]iB, dropped ([0-9,]+)");
    private static final int STALL_NEEDS_BYTES = 2 << 20;

    @TempDir
    private Path directory;

    /** The second run has a half more, so that it shows what the stall takes; what it takes is within a fifth of what was told. */
    @Test
    void shouldTellTheBufferThatASecondRunNeeds() throws Exception {
        assumeTrue(WatchSummary.allowedBytes() >= STALL_NEEDS_BYTES, "needs net.core.rmem_max of 1 MiB");
        Path program = StallingReceiver.compile(directory, "stalling");
        LiveRun.make("WatchBufferScenario", () -> {
            String small = watchedStall(program, 131_072, "would have survived");
            long toldKib = number(SURVIVES.matcher(small), 1);
            assertThat(small.indexOf("would have survived"))
                    .as("live, and at the end")
                    .isLessThan(small.lastIndexOf("would have survived"));

            String large = watchedStall(program, toldKib * 1024 * 3 / 2, "socket drained");
            assertThat(number(DEEPEST.matcher(large), 2)).isZero();
            assertThat(number(DEEPEST.matcher(large), 1)).isCloseTo(toldKib, Percentage.withPercentage(20));
            return large;
        });
    }

    private String watchedStall(Path program, long bufferBytes, String told) throws IOException {
        try (StallingReceiver receiver = StallingReceiver.start(program, bufferBytes);
                NaklabProcess watch = NaklabProcess.command(
                        Files.createTempDirectory(directory, "naklab"), "watch", String.valueOf(receiver.pid()))) {
            watch.await("the watch", () -> watch.out().contains("watching process"));
            receiver.command("lock");
            watch.await(told, () -> watch.out().contains(told));
            watch.signal("INT", watch.handle());
            watch.awaitExit();
            return watch.out();
        }
    }

    private static long number(Matcher matcher, int group) {
        assertThat(matcher.find()).as(matcher.pattern().pattern()).isTrue();
        return Long.parseLong(matcher.group(group).replace(",", ""));
    }
}
