package org.naklab.lab.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.guard.ProcessIdentity;
import org.naklab.lab.replica.process.Installation;

/** What is removed at an engine, asked of a client that has no engine and keeps what it was told. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "there is no /proc")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EngineLeftoversTest {
    /** Lists what a file of the kind says; refuses to remove what has a file of its name, with what that says. */
    private static final String CLIENT = """
            #!/bin/sh
            cd "${0%/*}" || exit 1
            echo "$*" >>calls
            case "$1 $2" in
                ps\\ *) exec cat container ;;
                *\\ ls) exec cat "$1" ;;
            esac
            for name in "$@"; do :; done
            [ ! -e "refused-$name" ] || { cat "refused-$name"; exit 1; }
            """;

    private static final String QUERY = "--filter label=org.naklab.lab --format %s {{.Label \"org.naklab.lab\"}}";
    private static final String LIST_CONTAINERS = "ps --all --no-trunc " + QUERY.formatted("{{.Names}}");
    private static final String LIST_VOLUMES = "volume ls " + QUERY.formatted("{{.Name}}");
    private static final String LIST_NETWORKS = "network ls " + QUERY.formatted("{{.Name}}");

    private final ProcessIdentity living = ProcessIdentity.current();
    /** Its process id is in use again. */
    private final ProcessIdentity ended = new ProcessIdentity(
            living.bootId(),
            living.machineId(),
            living.pidNamespace(),
            new TargetProcess(living.process().pid(), 1));

    private final ProcessIdentity inAContainer =
            new ProcessIdentity(living.bootId(), living.machineId(), "1", ended.process());
    private final ProcessIdentity onAnotherMachine = new ProcessIdentity("b007", "f00d", "1", ended.process());

    @TempDir
    private Path directory;

    @BeforeEach
    void putClient() throws IOException {
        Path client = Files.writeString(directory.resolve("docker"), CLIENT);
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
        for (String kind : List.of("container", "volume", "network")) {
            put(kind, "");
        }
    }

    @Test
    void shouldRemoveWhatEndedLabsMadeContainersFirst() throws IOException, InterruptedException {
        put("container", line("mds", ended), line("tool", ended));
        put("volume", line("journal", ended));
        put("network", line("feed", ended));

        assertThat(remove())
                .containsExactly(
                        "undone: remove the container mds",
                        "undone: remove the container tool",
                        "undone: remove the volume journal",
                        "undone: remove the network feed");
        assertThat(calls())
                .containsExactly(
                        LIST_CONTAINERS,
                        "container rm --force mds",
                        "container rm --force tool",
                        LIST_VOLUMES,
                        "volume rm --force journal",
                        LIST_NETWORKS,
                        "network rm feed");
    }

    @Test
    void shouldKeepWhatMayBeInUseOrSomeoneElses() throws IOException, InterruptedException {
        String[] lines = {
            line("of-this-lab", living),
            line("of-a-container", inAContainer),
            line("of-another-machine", onAnotherMachine),
            "of-a-stranger some label",
            "without-a-label",
            "without-a-value "
        };
        put("container", lines);
        put("volume", lines);
        put("network", lines);

        assertThat(remove()).isEmpty();
        assertThat(calls()).containsExactly(LIST_CONTAINERS, LIST_VOLUMES, LIST_NETWORKS);
    }

    @Test
    void shouldTellWhatIsLeftAndGoOn() throws IOException, InterruptedException {
        put("container", line("busy", ended), line("gone", ended), line("mds", ended));
        put("refused-busy", "warning", "Error: removal is in progress");
        put("refused-gone", "Error: No such container: gone");
        Files.delete(directory.resolve("volume"));
        put("network", line("feed", ended));

        assertThat(remove())
                .containsExactly(
                        "undone: remove the container mds",
                        "undone: remove the network feed",
                        "left: container busy: Error: removal is in progress",
                        "left: cannot list each volume: cat: volume: No such file or directory");
    }

    @Test
    void shouldTellWhyWhenThereIsNoClient() throws IOException, InterruptedException {
        Files.delete(directory.resolve("docker"));

        assertThat(removeBy(directory.toString())).hasSize(3).allSatisfy(line -> assertThat(line)
                .matches("left: cannot list each (container|volume|network): .*\"docker\".*"));
    }

    private static String line(String name, ProcessIdentity identity) {
        return name + " " + identity.text();
    }

    private void put(String name, String... lines) throws IOException {
        Files.write(directory.resolve(name), List.of(lines));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("calls"));
    }

    private List<String> remove() throws IOException, InterruptedException {
        return removeBy(directory + File.pathSeparator + System.getenv("PATH"));
    }

    /** A process finds the client by the path that it was started with. */
    private static List<String> removeBy(String path) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(Installation.current()
                .command(List.of("-XX:TieredStopAtLevel=1"), EngineLeftoversProcess.class, List.of()));
        builder.environment().put("PATH", path);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said.lines().toList();
    }
}
