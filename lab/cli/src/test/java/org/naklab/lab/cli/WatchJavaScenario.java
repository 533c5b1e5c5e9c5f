package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.replica.process.Installation;

/** {@code naklab watch} on the Java program of {@code docs/how-to/watch.md}, as it stands there. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class WatchJavaScenario {
    private static final Pattern LISTING = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    @Test
    void shouldTellTheLockThatTheReceivingThreadWaitedFor() throws Exception {
        Process receiver = startListing();
        try (NaklabProcess watch = NaklabProcess.command(
                Files.createDirectory(directory.resolve("watch")),
                "watch",
                String.valueOf(receiver.pid()),
                "--record",
                directory.resolve("hunt").toString())) {
            watch.await("the wait", () -> watch.out().contains("held by reporter, at Receiver."));
            watch.await("the window", () -> watch.out().contains("window written to "));
            receiver.destroyForcibly().waitFor();
            assertThat(watch.awaitExit()).isEqualTo(3);
            // The others wait as well, for longer, and receive nothing.
            assertThat(watch.out().lines().filter(line -> line.contains("java wait")))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("/feed "));
            assertThat(watch.out())
                    .contains("socket depth rise")
                    .containsPattern(
                            "stalls?[:;] .*feed waited .* ms for a lock .java.lang.Object, held by reporter, at Receiver")
                    .doesNotContain("/C2 Compiler");
        } finally {
            receiver.destroyForcibly().waitFor();
        }
        assertThat(directory.resolve("hunt/window.jfr")).isNotEmptyFile();
        assertThat(Files.readString(directory.resolve("hunt/window-timeline.jsonl")))
                .contains("SOCKET_DEPTH_RISE");
    }

    private Process startListing() throws IOException {
        Installation installation = Installation.current();
        Matcher listing = LISTING.matcher(Files.readString(installation.root().resolve("docs/how-to/watch.md")));
        assertThat(listing.find()).isTrue();
        Path program = Files.writeString(directory.resolve("Receiver.java"), listing.group(1));
        return new ProcessBuilder(installation.java().toString(), program.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("receiver.log").toFile())
                .start();
    }
}
