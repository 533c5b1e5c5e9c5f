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
import org.naklab.testing.host.Installed;

/** A lab that is killed while the kernel traces for it leaves no instance of the trace, and no mount; at the latest, the next watch removes them. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class KilledTraceScenario {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");

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

    /** Nobody is left to remove the trace, until somebody watches again. */
    @Test
    void shouldRemoveTheTraceOfAWatchThatWasKilledWithItsGuards() throws Exception {
        assumeThat(System.getProperty("user.name")).as("tracefs is for root").isEqualTo("root");
        Installed.assume("cc");
        Path program = StallingReceiver.compile(directory, "stalling");
        try (StallingReceiver receiver = StallingReceiver.start(program)) {
            List<Path> left = killAWatchWithItsGuards(receiver.pid());
            assertThat(left).as("nobody has removed them").isNotEmpty().allMatch(Files::exists);

            try (NaklabProcess next = NaklabProcess.command(
                    Files.createDirectory(directory.resolve("next")), "watch", String.valueOf(receiver.pid()))) {
                next.await("the next watch", () -> next.out().contains("watching process"));
                assertThat(next.err()
                                .lines()
                                .filter(line -> line.startsWith("undid a fault of a killed lab: the kernel's trace "))
                                .map(line -> Path.of(line).getFileName()))
                        .containsAll(left.stream().map(Path::getFileName).toList());
                assertThat(left).noneMatch(Files::exists);
                assertThat(Files.readAllLines(MOUNTS))
                        .extracting(line -> line.split(" ", -1)[1])
                        .as("mounts that the killed lab made for itself")
                        .noneMatch(mount -> mount.contains("naklab-tracefs-")
                                && left.stream().anyMatch(instance -> instance.startsWith(mount)));
            }
        }
    }

    /** Returns the instances of the trace that it had. */
    private List<Path> killAWatchWithItsGuards(long pid) throws IOException {
        Path own = Files.createDirectory(directory.resolve("killed"));
        try (NaklabProcess watch = NaklabProcess.command(
                own,
                "watch",
                String.valueOf(pid),
                "--record",
                own.resolve("windows").toString())) {
            watch.await("the recorder", () -> watch.out().contains("the first rise, drop or NAK"));
            List<Path> instances = instances(Set.of(watch.handle().pid()));
            assertThat(instances).as("instances of the trace").isNotEmpty();
            String ledger = ledgerOf(guard(watch));
            List<ProcessHandle> children = watch.children();
            watch.signal("STOP", watch.handle());
            // A guard that was about to begin when its fellow was killed is found the next time.
            Await.until("its guards have ended", () -> {
                List<ProcessHandle> guards = guardsWith(ledger);
                guards.forEach(ProcessHandle::destroyForcibly);
                return guards.isEmpty();
            });
            children.forEach(ProcessHandle::destroyForcibly);
            watch.handle().destroyForcibly();
            watch.awaitGone(children);
            return instances;
        }
    }

    /** The second guard has another parent: the promises that both keep are in one file. */
    private static List<ProcessHandle> guardsWith(String ledger) {
        return ProcessHandle.allProcesses()
                .filter(each ->
                        List.of(NaklabProcess.commandOf(each).split("\0", -1)).contains(ledger))
                .toList();
    }

    private static String ledgerOf(ProcessHandle guard) {
        List<String> words = List.of(NaklabProcess.commandOf(guard).split("\0", -1));
        return words.get(words.indexOf("naklab-guard") + 1);
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
        return Files.readAllLines(MOUNTS).stream()
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
