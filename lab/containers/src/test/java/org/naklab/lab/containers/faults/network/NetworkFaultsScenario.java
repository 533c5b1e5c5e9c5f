package org.naklab.lab.containers.faults.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.faults.FaultProof;
import org.naklab.faults.Firing;
import org.naklab.faults.ProofLog;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.HelperContainer;
import org.naklab.lab.containers.ProbeNetwork;
import org.naklab.lab.containers.faults.ContainerFaults;
import org.naklab.lab.containers.probe.ProbeReport;
import org.naklab.lab.core.UnavailableException;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ContainerEngine;

/** Each fault of a container's network, seen by a receiver that has it, or whose sender has it, and by one beside it. */
@Contained
@ExtendWith(ContainerEngine.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NetworkFaultsScenario {
    private static final int ALL = ProbeNetwork.DATAGRAMS;

    private ProbeNetwork network;

    @BeforeAll
    void create() {
        network = new ProbeNetwork();
    }

    @AfterAll
    void remove() {
        network.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLose(Direction direction) {
        FaultProof proof;
        try (ContainerFault fault = faultsOf(direction).loss(30)) {
            network.send();
            ProbeReport seen = network.atFirst();
            proof = fault.proof();
            assertThat(seen.count().distinct())
                    .as(proof.explanation())
                    .isEqualTo(ALL - proof.figure("datagramsDropped"));
            assertThat(seen.count().distinct()).isBetween(600L, 800L);
            assertNeighbour(direction, ALL);
        }
        assertFiredAndOver(proof);
    }

    /** The first fault goes on: its relay is not the second one's to remove. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseASecondRelayOfADirectionAndKeepTheFirst(Direction direction) {
        FaultProof proof;
        try (ContainerFault loss = faultsOf(direction).withSeed(7).loss(30)) {
            assertThatThrownBy(() -> faultsOf(direction).delay(Duration.ofMillis(5)))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("another fault has the relay of the datagrams "
                            + direction.name().toLowerCase(Locale.ROOT) + " at ")
                    .hasMessageContaining("Close the other first");
            network.send();
            ProbeReport seen = network.atFirst();
            proof = loss.proof();
            assertThat(seen.count().distinct())
                    .as(proof.explanation())
                    .isEqualTo(ALL - proof.figure("datagramsDropped"));
            assertThat(seen.count().distinct()).isBetween(600L, 800L);
            assertNeighbour(direction, ALL);
        }
        assertFiredAndOver(proof);
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseTheSameDatagramsForTheSameSeedOnly(Direction direction) {
        List<Integer> lost = lostWithSeed(direction, 7);

        assertThat(lostWithSeed(direction, 7)).isEqualTo(lost);
        assertThat(lostWithSeed(direction, 8)).isNotEqualTo(lost);
    }

    /** Returns the numbers that the first receiver did not get, which the proof must name. */
    private List<Integer> lostWithSeed(Direction direction, long seed) {
        FaultProof proof;
        List<Integer> gaps;
        try (ContainerFault fault = faultsOf(direction).withSeed(seed).loss(30)) {
            network.send();
            ProbeReport seen = network.atFirst();
            proof = fault.proof();
            gaps = seen.order().gaps();
            assertThat(seen.count().distinct())
                    .as(proof.explanation())
                    .isEqualTo(ALL - proof.figure("datagramsDropped"));
            assertThat(seen.count().distinct()).isBetween(600L, 800L);
            assertThat(proof.figure("framesOverrun")).isZero();
            assertThat(proof.firings())
                    .extracting(Firing::what)
                    .hasSize(ProofLog.MAX_FIRINGS)
                    .isEqualTo(gaps.stream()
                            .limit(ProofLog.MAX_FIRINGS)
                            .map(number -> "datagram " + (number + 1) + " to " + ProbeNetwork.DESTINATION)
                            .toList());
            assertNeighbour(direction, ALL);
        }
        assertFiredAndOver(proof);
        return gaps;
    }

    @ParameterizedTest
    @EnumSource
    void shouldDelay(Direction direction) {
        Duration delay = Duration.ofMillis(200);
        long delayUs = TimeUnit.NANOSECONDS.toMicros(delay.toNanos());
        long undelayedUs = sendUndisturbed().delays().minDelayUs();
        ProbeReport seen;
        FaultProof proof;
        try (ContainerFault fault = faultsOf(direction).delay(delay)) {
            network.send();
            seen = network.atFirst();
            proof = fault.proof();
            assertThat(seen.count().distinct()).isEqualTo(ALL);
            assertThat(seen.order().reordered()).isZero();
            // The fault guarantees the lower bound, however late the host is; there is no upper one.
            assertThat(seen.delays().minDelayUs()).isGreaterThanOrEqualTo(delayUs);
            assertThat(proof.figure("minDelayUs")).isGreaterThanOrEqualTo(delayUs);
            assertNeighbour(direction, ALL);
        }
        assertFiredAndOver(proof);
        long afterwardsUs = sendUndisturbed().delays().minDelayUs();
        assertThat(afterwardsUs - undelayedUs)
                .as("the shortest delay after the fault is nearer to the one before it than to the one under it")
                .isLessThan(seen.delays().minDelayUs() - afterwardsUs);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDuplicate(Direction direction) {
        FaultProof proof;
        try (ContainerFault fault = faultsOf(direction).duplication(20)) {
            network.send();
            ProbeReport seen = network.atFirst();
            proof = fault.proof();
            assertThat(seen.count().distinct()).isEqualTo(ALL);
            assertThat(seen.order().duplicated())
                    .isEqualTo(proof.figure("datagramsDuplicated"))
                    .isBetween(100L, 300L);
            assertThat(proof.figure("datagramsReturned") - ALL)
                    .isEqualTo(seen.order().duplicated());
            assertNeighbour(direction, ALL);
        }
        assertFiredAndOver(proof);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCorrupt(Direction direction) {
        FaultProof proof;
        try (ContainerFault fault = faultsOf(direction).corruption(20)) {
            network.send();
            ProbeReport seen = network.atFirst();
            proof = fault.proof();
            assertThat(proof.figure("datagramsCorrupted")).isBetween(100L, 300L);
            assertThat(seen.count().distinct())
                    .as("the kernel keeps them away")
                    .isEqualTo(ALL - proof.figure("datagramsCorrupted"));
            assertThat(seen.order().damaged()).isZero();
            assertNeighbour(direction, ALL);
        }
        assertFiredAndOver(proof);
        if (direction == Direction.INCOMING) {
            assertThat(proof.figure("badChecksums")).isEqualTo(proof.figure("datagramsCorrupted"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReorder(Direction direction) {
        FaultProof proof;
        try (ContainerFault fault = faultsOf(direction).reordering(20, Duration.ofMillis(20))) {
            network.send();
            ProbeReport seen = network.atFirst();
            proof = fault.proof();
            assertThat(seen.count().distinct()).isEqualTo(ALL);
            assertThat(seen.order().reordered())
                    .isEqualTo(proof.figure("datagramsOvertaken"))
                    .isBetween(100L, 300L);
            assertNeighbour(direction, ALL);
        }
        assertFiredAndOver(proof);
    }

    @Test
    void shouldPartitionAndHeal() {
        FaultProof proof;
        try (ContainerFault fault =
                ContainerFaults.of(network.firstReceiver()).network().partition()) {
            network.send();
            assertThat(network.atFirst().count().received()).isZero();
            assertThat(network.atSecond().count().distinct()).isEqualTo(ALL);
            proof = fault.proof();
        }
        assertThat(proof.figure("framesIncomingDropped")).isGreaterThanOrEqualTo(ALL);
        assertFiredAndOver(proof);
    }

    @Test
    void shouldNotClaimWhatDidNotHappen() {
        try (ContainerFault loss = faultsOf(Direction.INCOMING).loss(0);
                ContainerFault duplication = faultsOf(Direction.INCOMING).duplication(0)) {
            sendUndisturbed();
            assertThat(loss.proof().fired()).as(loss.proof().explanation()).isFalse();
            assertThat(duplication.proof().fired())
                    .as(duplication.proof().explanation())
                    .isFalse();
        }
    }

    private DirectedFaults faultsOf(Direction direction) {
        return direction == Direction.INCOMING
                ? ContainerFaults.of(network.firstReceiver()).network().incoming()
                : ContainerFaults.of(network.sender()).network().outgoing();
    }

    /** A receiver's fault is its own; a sender's is every receiver's. */
    private void assertNeighbour(Direction direction, int distinct) {
        ProbeReport beside = network.atSecond();
        if (direction == Direction.INCOMING) {
            assertThat(beside.count().distinct()).isEqualTo(distinct);
            assertWhole(beside);
        }
    }

    private void assertFiredAndOver(FaultProof proof) {
        assertThat(proof.fired()).as(proof.explanation()).isTrue();
        assertNothingLeft(network.firstReceiver());
        assertNothingLeft(network.sender());
        sendUndisturbed();
    }

    /** Sends without a fault, and returns what came at the first receiver. */
    private ProbeReport sendUndisturbed() {
        network.send();
        ProbeReport first = network.atFirst();
        assertWhole(first);
        assertWhole(network.atSecond());
        return first;
    }

    private static void assertNothingLeft(String container) {
        assertThat(HelperContainer.inNetworkOf(container, "ip -o link show; tc qdisc show")
                        .output())
                .contains(TrafficRedirect.INTERFACE)
                .doesNotContain("nak", "clsact");
    }

    private static void assertWhole(ProbeReport report) {
        assertThat(report.count().received()).isEqualTo(ALL);
        assertThat(report.count().distinct()).isEqualTo(ALL);
        assertThat(report.order().reordered()).isZero();
        assertThat(report.order().damaged()).isZero();
    }
}
