package org.naklab.messaging.publication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;

/** Runs {@link RateControllerStress} by jcstress, in processes of its own. */
@Matrix
@Timeout(180)
class RateControllerStressTest {
    private static final long PATIENCE_S = 150;

    @TempDir
    Path directory;

    @Test
    void shouldNotLetAQueuedMessageWaitForAnotherInterval() throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                RateControllerStress.class.getSimpleName(),
                // One fork, of all its code compiled alike, with what Agrona's buffers need.
                "-f",
                "1",
                "-sc",
                "false",
                "-iters",
                "3",
                "-time",
                "300",
                "-hs",
                "128",
                "-jvmArgs",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-r",
                directory.toString());
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        boolean hasEnded = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String text = Files.readString(out);
        assertThat(hasEnded).as(text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text).contains("RateControllerStress").doesNotContain("FAILED");
    }
}
