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
import org.naklab.lab.process.Installation;

/** What is removed at an engine, asked of a client that has no engine and keeps what it was told. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "there is no /proc")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class EngineLeftoversTest {
    /** Lists what a file of the kind says; describes and refuses to remove what has a file of its name, with what that says. */
    private static final String CLIENT = """
            #!/bin/sh
            cd "${0%/*}" || exit 1
            echo "$*" >>calls
            case "$1 $2" in
                *\\ ls) exec cat "$1" ;;
                *\\ inspect) cat "described-$1-$3"; ! grep -q ^Error "described-$1-$3"; exit ;;
            esac
            for name in "$@"; do :; done
            [ ! -e "refused-$name" ] || { cat "refused-$name"; exit 1; }
            """;

    private static final String FILTER = " --filter label=org.naklab.lab";
    private static final String LIST_CONTAINERS = "container ls --quiet --no-trunc --all" + FILTER;
    private static final String LIST_VOLUMES = "volume ls --quiet" + FILTER;
    private static final String LIST_NETWORKS = "network ls --quiet --no-trunc" + FILTER;

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
        put("container", describe("container", "mds", ended), describe("container", "tool", ended));
        put("volume", describe("volume", "journal", ended));
        put("network", describe("network", "feed", ended));

        assertThat(remove())
                .containsExactly(
                        "undone: remove the container mds",
                        "undone: remove the container tool",
                        "undone: remove the volume journal",
                        "undone: remove the network feed");
        assertThat(calls().stream().filter(call -> !call.contains(" inspect ")))
                .containsExactly(
                        LIST_CONTAINERS,
                        "container rm --force --volumes mds",
                        "container rm --force --volumes tool",
                        LIST_VOLUMES,
                        "volume rm --force journal",
                        LIST_NETWORKS,
                        "network rm feed");
    }

    @Test
    void shouldKeepWhatMayBeInUseOrSomeoneElses() throws IOException, InterruptedException {
        for (String kind : List.of("container", "volume", "network")) {
            put(
                    kind,
                    describe(kind, "of-this-lab", living),
                    describe(kind, "of-a-container", inAContainer),
                    describe(kind, "of-another-machine", onAnotherMachine),
                    describe(kind, "of-a-stranger", "{\"org.naklab.lab\": \"some label\"}"),
                    describe(kind, "without-a-label", "null"),
                    describe(kind, "without-a-value", "{\"org.naklab.lab\": \"\"}"));
        }

        assertThat(remove()).isEmpty();
        assertThat(calls().stream().filter(call -> !call.contains(" inspect ")))
                .containsExactly(LIST_CONTAINERS, LIST_VOLUMES, LIST_NETWORKS);
    }

    @Test
    void shouldTellWhatIsLeftAndGoOn() throws IOException, InterruptedException {
        put(
                "container",
                describe("container", "busy", ended),
                describe("container", "gone", ended),
                describe("container", "mds", ended),
                "removed-meanwhile");
        put("refused-busy", "warning", "Error: removal is in progress");
        put("refused-gone", "Error: No such container: gone");
        put("described-container-removed-meanwhile", "Error: No such container: removed-meanwhile");
        Files.delete(directory.resolve("volume"));
        put("network", describe("network", "feed", ended));

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

        assertThat(removeBy(directory.toString()))
                .hasSize(3)
                .allSatisfy(
                        line -> assertThat(line)
                                .matches(
                                        "left: cannot list each (container|volume|network): cannot start docker: No such file or directory"));
    }

    private String describe(String kind, String name, ProcessIdentity identity) throws IOException {
        return describe(kind, name, "{\"org.naklab.lab\": \"" + identity.text() + "\"}");
    }

    /** Returns the name, which the client lists in place of an id. */
    private String describe(String kind, String name, String labels) throws IOException {
        String description = kind.equals("container") ? """
                  [
                      {"Id": "%s", "Name": "/%s", "State": {}, "Config": {"Labels": %s}, "HostConfig": {}, "Mounts": []}
                  ]
                  """.formatted(name, name, labels) : """
                  [
                      {"Name": "%s", "Labels": %s, "Scope": "local"}
                  ]
                  """.formatted(name, labels);
        put("described-" + kind + "-" + name, description);
        return name;
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
