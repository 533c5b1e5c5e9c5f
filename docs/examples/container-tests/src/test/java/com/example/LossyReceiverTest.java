package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testcontainers.ContainerFaults;
import org.naklab.testcontainers.InjectedFault;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.output.WaitingConsumer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** A receiver in C, in an image without anything of NAK Lab: src/main/c/receiver.c reports the numbers that it has missed. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LossyReceiverTest {
    private static final DockerImageName IMAGE =
            DockerImageName.parse(System.getenv().getOrDefault("RECEIVER_IMAGE", "debian:bookworm-slim"));
    private static final Path PROGRAM = Path.of("target", "receiver");
    private static final String GROUP = "239.255.0.7";
    private static final int PORT = 24_300;
    /** So few that they fit into the buffer of a socket, however late its receiver is. */
    private static final int COUNT = 100;

    private final Network network = Network.newNetwork();
    private final GenericContainer<?> sender = container("sleep", "infinity");
    private final GenericContainer<?> struck = receiver();
    private final GenericContainer<?> other = receiver();
    private final WaitingConsumer atStruck = new WaitingConsumer();
    private final WaitingConsumer atOther = new WaitingConsumer();

    @BeforeAll
    static void prepare() throws IOException, InterruptedException {
        ContainerFaults.requireAvailable();
        Process compiler = new ProcessBuilder(
                        "cc", "-O2", "-Wall", "-static", "-o", PROGRAM.toString(), "src/main/c/receiver.c")
                .inheritIO()
                .start();
        assertEquals(0, compiler.waitFor());
    }

    private GenericContainer<?> container(String... command) {
        return new GenericContainer<>(IMAGE).withNetwork(network).withCommand(command);
    }

    private GenericContainer<?> receiver() {
        return container("/receiver", GROUP, String.valueOf(PORT))
                .withCopyFileToContainer(MountableFile.forHostPath(PROGRAM, 0755), "/receiver")
                .waitingFor(Wait.forLogMessage("receiving\n", 1));
    }

    @BeforeEach
    void start() {
        sender.start();
        struck.start();
        struck.followOutput(atStruck);
        other.start();
        other.followOutput(atOther);
    }

    @AfterEach
    void stop() {
        sender.stop();
        struck.stop();
        other.stop();
        network.close();
    }

    @Test
    void shouldLoseTheSameDatagramsForTheSameSeed() throws Exception {
        List<Integer> missing = missingWithSeed(7);

        assertEquals(missing, missingWithSeed(7));
        assertNotEquals(missing, missingWithSeed(8));
    }

    /** Returns the numbers that the struck receiver has missed, by its own account. */
    private List<Integer> missingWithSeed(long seed) throws Exception {
        try (InjectedFault loss =
                ContainerFaults.of(struck).network().incoming().withSeed(seed).loss(30)) {
            send();

            List<Integer> missing = missing(atStruck);
            assertTrue(missing.size() > 10 && missing.size() < 50, loss.explanation());
            assertEquals(
                    missing.stream()
                            .map(number -> "datagram " + number + " to " + GROUP + ":" + PORT)
                            .toList(),
                    loss.firings().stream().limit(missing.size()).toList());
            assertEquals(List.of(), missing(atOther));
            return missing;
        }
    }

    /** Sends the numbers, and then the end of the round to the next port: often enough for the loss there. */
    private void send() throws IOException, InterruptedException {
        String script = "for i in {1.." + COUNT + "}; do echo $i > /dev/udp/" + GROUP + "/" + PORT + "; done; "
                + "for i in {1..50}; do echo " + COUNT + " > /dev/udp/" + GROUP + "/" + (PORT + 1) + "; done";
        Container.ExecResult result = sender.execInContainer("bash", "-c", script);
        assertEquals(0, result.getExitCode(), result.getStderr());
    }

    /** Waits for the next report of a receiver, and returns the numbers in it. */
    private static List<Integer> missing(WaitingConsumer output) throws TimeoutException {
        AtomicReference<String> report = new AtomicReference<>("");
        output.waitUntil(
                frame -> {
                    report.set(frame.getUtf8StringWithoutLineEnding());
                    return report.get().startsWith("missing");
                },
                60,
                TimeUnit.SECONDS);
        return Arrays.stream(report.get().split(" ")).skip(1).map(Integer::valueOf).toList();
    }
}
