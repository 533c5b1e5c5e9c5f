package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Matrix;

/** A machine whose loopback interface is down: a network namespace of the test's own, where it may make one. */
@Matrix
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class NoMulticastScenario {
    private static final List<String> UNSHARE = List.of("unshare", "--map-root-user", "--net");

    @TempDir
    private Path directory;

    @Test
    void shouldSayInOneLineThatThereIsNoMulticast() throws IOException, InterruptedException {
        assumeThat(run(List.of("true")))
                .as("permission to make a network namespace")
                .isZero();
        List<String> arguments =
                List.of("run", "baseline", "--runs", directory.resolve("runs").toString());
        assertThat(run(Installation.current().command(List.of(), Naklab.class, arguments)))
                .isEqualTo(69);
        assertThat(Files.readString(directory.resolve("err")))
                .startsWith("naklab: no multicast")
                .hasLineCount(1);
        assertThat(directory.resolve("runs")).doesNotExist();
    }

    private int run(List<String> command) throws InterruptedException {
        List<String> inNamespace = new ArrayList<>(UNSHARE);
        inNamespace.addAll(command);
        try {
            return new ProcessBuilder(inNamespace)
                    .redirectOutput(directory.resolve("out").toFile())
                    .redirectError(directory.resolve("err").toFile())
                    .start()
                    .waitFor();
        } catch (IOException e) {
            // No such program here.
            return -1;
        }
    }
}
