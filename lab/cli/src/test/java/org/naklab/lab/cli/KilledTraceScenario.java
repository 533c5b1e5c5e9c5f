package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** A lab that is killed while the kernel traces for it leaves no instance of the trace, and no mount. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class KilledTraceScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldRemoveTheTraceOfAKilledLab() throws IOException {
        assumeThat(System.getProperty("user.name")).as("tracefs is for root").isEqualTo("root");
        try (NaklabProcess naklab =
                NaklabProcess.run(directory, "--rate", "500", "--duration", "600", "--observe", "full")) {
            naklab.awaitFlow();
            Set<Long> pids = Stream.concat(
                            Stream.of(naklab.handle()), naklab.handle().descendants())
                    .map(ProcessHandle::pid)
                    .collect(Collectors.toSet());
            List<Path> instances = instances(pids);
            assertThat(instances).as("instances of the trace").isNotEmpty();
            ProcessHandle guard = guard(naklab);
            List<ProcessHandle> ofGuard =
                    Stream.concat(Stream.of(guard), guard.descendants()).toList();
            naklab.handle()
                    .descendants()
                    .filter(each -> !ofGuard.contains(each))
                    .forEach(ProcessHandle::destroyForcibly);
            naklab.handle().destroyForcibly();
            Await.until(
                    "the guard has removed the trace", () -> instances.stream().noneMatch(Files::exists));
        }
    }

    private static ProcessHandle guard(NaklabProcess naklab) {
        return naklab.handle()
                .descendants()
                .filter(each -> NaklabProcess.commandOf(each).contains("naklab-guard"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no guard: " + naklab.err()));
    }

    /** Returns the instances of these processes; each mount of the kernel's one tracefs shows them all. */
    private static List<Path> instances(Set<Long> pids) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words[2].equals("tracefs"))
                .map(words -> Path.of(words[1], "instances"))
                .flatMap(KilledTraceScenario::list)
                .filter(instance -> pids.stream()
                        .anyMatch(pid -> instance.getFileName().toString().startsWith("naklab-" + pid + '-')))
                .distinct()
                .toList();
    }

    private static Stream<Path> list(Path parent) {
        try (Stream<Path> found = Files.list(parent)) {
            return found.toList().stream();
        } catch (IOException e) {
            // Unmounted meanwhile, by a run that has ended.
            return Stream.empty();
        }
    }
}
