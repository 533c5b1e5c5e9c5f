package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.naklab.lab.containers.Image;
import org.naklab.testing.Await;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ContainerEngine;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.utility.DockerImageName;

/** Faults of containers that run a shell only, with the public API alone. */
@Contained
@ExtendWith({RequiresEngine.class, ContainerEngine.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ContainerFaultsScenario {
    private static final int DATAGRAMS = 100;
    private static final int BURST = 3_000;

    private final Network network = Network.newNetwork();
    private final GenericContainer<?> sender = plain();
    private final GenericContainer<?> receiver = plain();

    private GenericContainer<?> plain() {
        return new GenericContainer<>(DockerImageName.parse(Image.name()))
                .withImagePullPolicy(image -> false)
                .withCreateContainerCmdModifier(
                        create -> Objects.requireNonNull(create.getHostConfig()).withMemory(128L << 20))
                .withNetwork(network)
                .withCommand("sleep", "600");
    }

    @BeforeEach
    void start() throws Exception {
        sender.start();
        receiver.start();
        // Both know each other's hardware address from now on.
        send();
    }

    @AfterEach
    void stop() {
        sender.stop();
        receiver.stop();
        network.close();
    }

    private static String execute(GenericContainer<?> container, String script)
            throws IOException, InterruptedException {
        Container.ExecResult result = container.execInContainer("bash", "-c", script);
        assertThat(result.getExitCode()).as(result.getStderr()).isZero();
        return result.getStdout().strip();
    }

    private void send() throws IOException, InterruptedException {
        send(sender, receiver);
    }

    /** Nobody receives on that port: the receiver's kernel counts the datagrams. */
    private static void send(GenericContainer<?> from, GenericContainer<?> to)
            throws IOException, InterruptedException {
        String address = execute(to, "hostname -i").split(" ", 2)[0];
        execute(
                from,
                "for i in {1.." + DATAGRAMS + "}; do echo x > /dev/udp/" + address + "/9999; done 2>/dev/null; true");
    }

    /** The sender's kernel may refuse a datagram after the receiver's answer that nobody receives. */
    private long received() throws IOException, InterruptedException {
        return Long.parseLong(execute(receiver, "awk '/^Udp:/ { n = $3 } END { print n }' /proc/net/snmp"));
    }

    @Test
    void shouldLoseTheDatagramsOfOneReceiver() throws Exception {
        long before = received();
        assertThat(before).isPositive();
        try (InjectedFault loss =
                ContainerFaults.of(receiver).network().incoming().loss(100)) {
            send();

            assertThat(received()).isEqualTo(before);
            assertThat(loss.fired()).as(loss.explanation()).isTrue();
            assertThat(loss.figures().get("datagramsDropped")).isPositive();
        }
        send();
        assertThat(received()).isGreaterThan(before);
    }

    /** More datagrams at once than the kernel's own queue before a relay has room for. */
    @Test
    void shouldLoseTheSameDatagramsOfABurstForTheSameSeedOnly() throws Exception {
        List<Object> struck = struckInABurst(7);

        assertThat(struckInABurst(7)).isEqualTo(struck);
        assertThat(struckInABurst(8)).isNotEqualTo(struck);
    }

    /** Returns how many datagrams of a burst were lost, and which ones were the first. */
    private List<Object> struckInABurst(long seed) throws IOException, InterruptedException {
        try (InjectedFault loss =
                ContainerFaults.of(receiver).network().incoming().withSeed(seed).loss(30)) {
            execute(sender, "for i in {1.." + BURST + "}; do echo x > /dev/udp/239.255.0.7/9999; done");
            Await.until(() -> accounted(loss.figures()) == BURST);

            assertThat(loss.figures()).containsEntry("framesOverrun", 0L);
            assertThat(loss.fired()).as(loss.explanation()).isTrue();
            assertThat(loss.figures().get("meanAddedUs")).isPositive();
            assertThat(loss.explanation()).contains("; the relay itself held a datagram ");
            assertThat(loss.firings()).hasSize(64).allMatch(struck -> struck.endsWith(" to 239.255.0.7:9999"));
            return List.of(loss.figures().get("datagramsDropped"), loss.firings());
        }
    }

    private static long accounted(Map<String, Long> figures) {
        return Stream.of("datagramsReturned", "datagramsDropped", "framesOverrun")
                .mapToLong(figures::get)
                .sum();
    }

    @Test
    void shouldCutOneDirectionOnly() throws Exception {
        long before = received();
        try (InjectedFault partition =
                ContainerFaults.of(receiver).network().outgoing().partition()) {
            send();

            assertThat(received()).isGreaterThan(before);
            send(receiver, sender);
            assertThat(partition.fired()).as(partition.explanation()).isTrue();
        }
        long between = received();
        try (InjectedFault partition =
                ContainerFaults.of(receiver).network().incoming().partition()) {
            send();

            assertThat(received()).isEqualTo(between);
            assertThat(partition.fired()).as(partition.explanation()).isTrue();
        }
    }

    @Test
    void shouldPauseAndLimitMemory() {
        try (InjectedFault pause = ContainerFaults.of(receiver).pause()) {
            Await.until(() -> pause.figures().getOrDefault("pausedMs", 0L) > 0);
            assertThat(pause.fired()).as(pause.explanation()).isTrue();
        }
        try (InjectedFault limit =
                ContainerFaults.of(receiver).memoryLimit(64L << 20).mayNotFire()) {
            assertThat(limit.fired()).as(limit.explanation()).isFalse();
        }
    }

    /** As with the faults of JUnit: a test that passed although nothing happened has shown nothing. */
    @Test
    void shouldFailATestWhoseFaultDidNotFire() {
        InjectedFault limit = ContainerFaults.of(receiver).memoryLimit(64L << 20);
        assertThatThrownBy(limit::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("the test has shown nothing, as the fault did not fire: ");
        limit.close();
    }

    @Test
    void shouldNameTheContainerAsTestcontainersDoes() throws Exception {
        try (InjectedFault loss =
                ContainerFaults.of(receiver).network().incoming().loss(100)) {
            send();
            assertThat(loss.explanation())
                    .endsWith(" at " + receiver.getContainerName().substring(1));
        }
    }

    @Test
    void shouldRefuseAContainerThatHasEnded() {
        receiver.stop();

        assertThatThrownBy(() -> ContainerFaults.of(receiver))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no fault can be injected into a container that is not running: start it first");
    }
}
