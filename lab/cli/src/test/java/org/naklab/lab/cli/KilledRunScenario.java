package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** A lab that is killed together with its processes leaves shared memory; the next run clears it, and gets the port. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class KilledRunScenario {
    private static final String[] LONG_RUN = {"--rate", "500", "--duration", "600"};

    @TempDir
    private Path directory;

    @Test
    void shouldClearWhatIsLeftAndNothingElse() throws IOException {
        int port = FreePorts.pair();
        try (NaklabProcess living = NaklabProcess.run(made("living"), LONG_RUN);
                NaklabProcess killed = NaklabProcess.runOn(port, made("killed"), LONG_RUN)) {
            living.awaitFlow();
            killed.awaitFlow();
            assertIsRefused(port, killed);
            assertIsRefused(port + 1, killed);
            kill(killed);
            assertThat(killed.sharedMemory()).as("left by what was killed").isDirectory();
            try (NaklabProcess next = NaklabProcess.runOn(port, made("next"), LONG_RUN)) {
                next.awaitFlow();
                assertThat(killed.sharedMemory()).as("of the killed run").doesNotExist();
                assertThat(living.sharedMemory().resolve("mds/cnc.dat"))
                        .as("of a living run")
                        .exists();
                assertThat(next.sharedMemory().resolve("mds/cnc.dat")).exists();
            }
        }
    }

    private void assertIsRefused(int port, NaklabProcess holder) {
        Path runs = directory.resolve("refused");
        CommandLineRun second =
                CommandLineRun.of("run", "baseline", "--port", String.valueOf(port), "--runs", runs.toString());
        assertThat(second.exitCode()).as(second.err()).isEqualTo(69);
        assertThat(second.errLines()).hasSize(1);
        assertThat(second.err())
                .contains("UDP port " + port + " is held by another run, process "
                        + holder.handle().pid());
        assertThat(runs).doesNotExist();
    }

    /** All of them at once, so that none can clear up after another. */
    private static void kill(NaklabProcess naklab) throws IOException {
        List<ProcessHandle> all = new ArrayList<>(naklab.children());
        all.add(naklab.handle());
        List<String> command = new ArrayList<>(List.of("kill", "-KILL"));
        all.forEach(process -> command.add(String.valueOf(process.pid())));
        new ProcessBuilder(command).inheritIO().start().onExit().join();
        naklab.awaitGone(all);
    }

    private Path made(String name) throws IOException {
        return Files.createDirectory(directory.resolve(name));
    }
}
