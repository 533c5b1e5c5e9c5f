package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Live;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;
import org.naklab.testing.StopReading;
import org.naklab.testing.host.FreePorts;

/**
 * {@code naklab watch} on programs that are neither Aeron's nor Java's. Two of them share a group and port; one stops reading: it must be the
 * one whose socket is reported, and the other must not.
 */
@Live(runs = 2)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class WatchScenario {
    private static final String GROUP = "239.192.25.9";
    private static final int PORT = FreePorts.pair();
    private static final int DATAGRAMS_A_TURN = 20;
    /** Exit code of a watch that found stalls or losses. */
    private static final int FOUND = 3;

    private static final String UID = "54321";

    @TempDir
    private Path directory;

    private DatagramChannel sender;

    @BeforeEach
    void openSender() throws IOException {
        sender = DatagramChannel.open(StandardProtocolFamily.INET);
        sender.setOption(
                StandardSocketOptions.IP_MULTICAST_IF,
                NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
        sender.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 0);
    }

    @AfterEach
    void closeSender() throws IOException {
        sender.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "Python"})
    @Matrix
    void shouldTellTheSocketThatIsNotReadFromTheOneThatIs(String language) throws Exception {
        int exitCodeOfReading = LiveRun.make("WatchScenario", () -> watchBoth(language));
        assertThat(exitCodeOfReading).isZero();
    }

    /** Returns the exit code of the watch of the program that reads. */
    @SuppressWarnings("try") // The programs are ended early, so that their watches come to an end.
    private int watchBoth(String language) throws IOException {
        try (StopReading stopping = program(language);
                StopReading reading = program(language);
                NaklabProcess watchOfStopping = watch("stopping", stopping.pid(), "--json-lines");
                NaklabProcess watchOfReading = watch("reading", reading.pid(), "--json-lines")) {
            List<String> inodes = socketInodes(stopping.pid());
            stopping.stopReading();
            watchOfStopping.await("a drop", () -> {
                sendAndHaveRead(reading);
                return watchOfStopping.out().contains("DATAGRAMS_DROPPED");
            });
            stopping.close();
            reading.close();
            assertThat(watchOfStopping.awaitExit()).isEqualTo(FOUND);
            int exitCode = watchOfReading.awaitExit();
            assertStopped(watchOfStopping, inodes);
            assertRead(watchOfReading);
            return exitCode;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "Python"})
    @SuppressWarnings("try") // The program is ended early, so that its watch comes to an end.
    void shouldRecordTheWindowAndSayWhereItIs(String language) throws Exception {
        Path hunt = directory.resolve("hunt");
        try (StopReading stopping = program(language);
                StopReading reading = program(language);
                NaklabProcess watch = watch("recording", stopping.pid(), "--record", hunt.toString())) {
            watch.await("the recorder", () -> watch.out().contains("will be recorded in " + hunt));
            stopping.stopReading();
            watch.await("the window", () -> {
                sendAndHaveRead(reading);
                return watch.out().contains("window written to " + hunt);
            });
            assertThat(watch.out())
                    .contains("missing: no safepoints and collections: process " + stopping.pid() + " is no JVM")
                    .contains("recorder tripped by ");
            stopping.close();
            assertThat(watch.awaitExit()).isEqualTo(FOUND);
        }
        assertThat(Files.readString(hunt.resolve("window-timeline.jsonl"))).contains("SOCKET_DEPTH_RISE");
        ReplayedCase.assertSame(hunt);
        assertThat(hunt.resolve("window-samples.csv.gz")).isNotEmptyFile();
    }

    @Test
    @Matrix
    void shouldSayThatNothingTrippedTheRecorder() throws Exception {
        Path hunt = directory.resolve("hunt");
        try (StopReading program = program("C");
                NaklabProcess watch = watch("quiet", program.pid(), "--record", hunt.toString(), "--duration", "0.5")) {
            assertThat(watch.awaitExit()).isZero();
            assertThat(watch.out()).contains("the recorder was not tripped: no window in " + hunt);
        }
        assertThat(hunt).isEmptyDirectory();
    }

    @Test
    @Matrix
    void shouldGiveTheRecordingToTheUserOfSudo() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("only root gives files away")
                .isEqualTo("root");
        Path hunt = directory.resolve("hunt");
        try (StopReading stopping = program("C");
                StopReading reading = program("C");
                NaklabProcess watch = watchOfSudo(stopping.pid(), hunt)) {
            watch.await("the recorder", () -> watch.out().contains("will be recorded in " + hunt));
            stopping.stopReading();
            watch.await("the window", () -> {
                sendAndHaveRead(reading);
                return watch.out().contains("window written to " + hunt);
            });
            assertThat(watch.awaitExit()).isEqualTo(FOUND);
            assertThat(watch.err()).doesNotContain("still belongs to root");
        }
        try (Stream<Path> files = Files.walk(hunt)) {
            assertThat(files).hasSizeGreaterThan(3).allSatisfy(file -> assertThat(Files.getAttribute(file, "unix:uid"))
                    .as(file.toString())
                    .isEqualTo(Integer.valueOf(UID)));
        }
    }

    private NaklabProcess watchOfSudo(long pid, Path hunt) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "SUDO_UID=" + UID, "SUDO_GID=" + UID));
        command.addAll(Installation.current()
                .command(
                        List.of(),
                        Naklab.class,
                        List.of("watch", String.valueOf(pid), "--record", hunt.toString(), "--windows", "1")));
        return NaklabProcess.of(command, Files.createDirectory(directory.resolve("sudo")));
    }

    @Test
    @Matrix
    void shouldSumUpAtInterrupt() throws Exception {
        try (StopReading program = program("C");
                NaklabProcess watch = watch("interrupted", program.pid())) {
            watch.signal("INT", watch.handle());
            watch.awaitExit();
            assertThat(watch.out()).contains("sockets:").contains(":" + PORT + " (group " + GROUP);
            assertThat(watch.err()).isEmpty();
        }
    }

    @Test
    @Matrix
    void shouldEndAfterItsDuration() throws Exception {
        try (StopReading program = program("C");
                NaklabProcess watch = watch("bounded", program.pid(), "--duration", "0.5")) {
            assertThat(watch.awaitExit()).isZero();
            assertThat(watch.out()).contains("socket opened").contains("dropped 0");
        }
    }

    private static void assertStopped(NaklabProcess watch, List<String> inodes) throws JsonProcessingException {
        List<JsonNode> drops = events(watch, "DATAGRAMS_DROPPED");
        List<JsonNode> rises = events(watch, "SOCKET_DEPTH_RISE");
        assertThat(rises).isNotEmpty();
        assertThat(Stream.concat(rises.stream(), drops.stream())).allSatisfy(event -> {
            assertThat(event.at("/details/port").asInt()).isEqualTo(PORT);
            assertThat(event.at("/details/groups").asText()).isEqualTo(GROUP);
            assertThat(event.at("/details/inode").asText()).isIn(inodes);
        });
        assertThat(rises.get(rises.size() - 1).path("timeNs").asLong())
                .isLessThanOrEqualTo(drops.get(0).path("timeNs").asLong());
        long dropped = drops.stream()
                .mapToLong(event -> event.at("/details/datagrams").asLong())
                .sum();
        assertThat(dropped).isPositive();
        assertThat(watch.err()).contains(String.format(Locale.ROOT, "dropped %,d", dropped));
        assertThat(events(watch, "PROCESS_ENDED")).hasSize(1);
    }

    private static void assertRead(NaklabProcess watch) throws JsonProcessingException {
        assertThat(events(watch, "SOCKET_OPENED")).hasSize(1);
        assertThat(events(watch, "DATAGRAMS_DROPPED")).isEmpty();
        assertThat(watch.err()).contains("dropped 0");
    }

    private NaklabProcess watch(String name, long pid, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("watch", String.valueOf(pid)));
        arguments.addAll(List.of(options));
        NaklabProcess watch = NaklabProcess.command(
                Files.createDirectories(directory.resolve(name)), arguments.toArray(String[]::new));
        watch.await(
                "the socket", () -> Stream.of("SOCKET_OPENED", "socket opened").anyMatch(watch.out()::contains));
        return watch;
    }

    private StopReading program(String language) throws IOException {
        boolean python = language.equals("Python");
        Path program = python ? StopReading.script(directory) : StopReading.compile(directory);
        StopReading started = StopReading.start(python ? List.of("python3") : List.of(), program, GROUP, PORT);
        assertThat(started.isReady()).isTrue();
        return started;
    }

    /** The reader is waited for: one that a busy machine does not let run would drop as well. */
    private void sendAndHaveRead(StopReading reader) {
        try {
            for (int i = 0; i < DATAGRAMS_A_TURN; i++) {
                sender.send(ByteBuffer.allocate(100), new InetSocketAddress(GROUP, PORT));
            }
            reader.echo();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<JsonNode> events(NaklabProcess watch, String type) throws JsonProcessingException {
        List<JsonNode> events = new ArrayList<>();
        for (String line : watch.out().lines().toList()) {
            JsonNode event = Json.parse(line);
            if (event.path("type").asText().equals(type)) {
                events.add(event);
            }
        }
        return events;
    }

    /** As the kernel links them from the process's descriptors. */
    private static List<String> socketInodes(long pid) throws IOException {
        List<String> inodes = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            for (Path descriptor : descriptors.toList()) {
                String target = Files.readSymbolicLink(descriptor).toString();
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring(8, target.length() - 1));
                }
            }
        }
        assertThat(inodes).isNotEmpty();
        return inodes;
    }
}
