package org.naklab.faults.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.driver.status.SystemCounterDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Firing;
import org.naklab.testing.host.FreePorts;

/** Loss, duplication, reordering and delay on a plain Aeron publication and subscription. */
@Timeout(60)
class DatagramFaultsTest {
    private static final int PORT = FreePorts.pair();
    private static final int COUNT = 200;

    @TempDir
    Path directory;

    private final DatagramSeam seam = new DatagramSeam();
    private final FaultSite site = new FaultSite("test");
    private LoopbackTransport transport;

    @BeforeEach
    void launch() {
        site.offer(DatagramSeam.NAME, seam);
        transport = new LoopbackTransport(directory, PORT, seam);
    }

    @AfterEach
    void close() {
        transport.close();
    }

    private Fault create(FaultKind kind, Record parameters, long seed) {
        return kind.create(FaultSpec.of(kind.name(), "test", parameters), site, seed);
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    @Test
    void shouldLoseExactlyTheGivenDatagramsAndHaveThemRepaired() {
        Selection gaps = Selection.exact(Direction.INBOUND, new Gap(10, 3), new Gap(100, 1));
        Fault loss = create(new DatagramLossFault(), new DatagramLossFault.Parameters(DatagramSeam.NAME, gaps), 1);
        loss.arm();

        assertThat(transport.exchange(COUNT)).isEqualTo(numbers(1, COUNT));

        FaultProof proof = loss.proof();
        assertThat(proof.fired()).isTrue();
        assertThat(proof.figure("firings")).isEqualTo(4);
        assertThat(proof.figure("considered")).isEqualTo(COUNT);
        assertThat(offsets(proof)).containsExactly(9 * 1056L, 10 * 1056L, 11 * 1056L, 99 * 1056L);
        assertThat(transport.naks()).isPositive();
        assertThat(transport.counter(SystemCounterDescriptor.RETRANSMITS_SENT)).isPositive();
    }

    @Test
    void shouldLoseWhatIsSentAgainAsWell() {
        Selection twice = Selection.exact(Direction.INBOUND, new Gap(10, 1)).struckTimes(2);
        Fault loss = create(new DatagramLossFault(), new DatagramLossFault.Parameters(DatagramSeam.NAME, twice), 1);
        loss.arm();

        assertThat(transport.exchange(COUNT)).isEqualTo(numbers(1, COUNT));

        FaultProof proof = loss.proof();
        assertThat(offsets(proof)).containsExactly(9 * 1056L, 9 * 1056L);
        assertThat(proof.figure("considered")).isEqualTo(COUNT);
        assertThat(proof.figure("repaired")).isEqualTo(1);
        assertThat(proof.figure("longestRepairNs")).isPositive();
        assertThat(transport.counter(SystemCounterDescriptor.RETRANSMITS_SENT)).isGreaterThanOrEqualTo(2);
    }

    private static List<Long> offsets(FaultProof proof) {
        return proof.firings().stream()
                .map(Firing::what)
                .map(what -> Long.parseLong(what.replaceAll(".* offset (\\d+), .*", "$1")))
                .toList();
    }

    @Test
    void shouldLoseOutboundData() {
        Selection gaps = Selection.exact(Direction.OUTBOUND, new Gap(5, 2));
        Fault loss = create(new DatagramLossFault(), new DatagramLossFault.Parameters(DatagramSeam.NAME, gaps), 1);
        loss.arm();

        assertThat(transport.exchange(COUNT)).isEqualTo(numbers(1, COUNT));

        assertThat(offsets(loss.proof())).containsExactly(4 * 1056L, 5 * 1056L);
        assertThat(transport.naks()).isPositive();
    }

    @Test
    void shouldLoseNaksSoThatTheyAreSentAgain() {
        Fault dataLoss = create(
                new DatagramLossFault(),
                new DatagramLossFault.Parameters(DatagramSeam.NAME, Selection.exact(Direction.INBOUND, new Gap(7, 1))),
                1);
        Selection firstNak =
                new Selection(Direction.OUTBOUND, Set.of(Traffic.NAK), null, null, List.of(new Gap(1, 1)), 0);
        Fault nakLoss =
                create(new DatagramLossFault(), new DatagramLossFault.Parameters(DatagramSeam.NAME, firstNak), 1);
        dataLoss.arm();
        nakLoss.arm();

        assertThat(transport.exchange(COUNT)).isEqualTo(numbers(1, COUNT));

        assertThat(nakLoss.proof().fired()).isTrue();
        assertThat(nakLoss.proof().firings().get(0).what()).contains("NAK").contains("stream 1001");
        assertThat(transport.naks()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldLoseTheSameDatagramsForTheSameSeed() {
        Function<Long, List<Boolean>> losses = seed -> {
            Selector selector = new Selector(Selection.random(Direction.INBOUND, Traffic.DATA, 0.1), seed);
            Datagram datagram = TestDatagrams.data(0);
            List<Boolean> struck = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                struck.add(selector.strikes(datagram));
            }
            return struck;
        };

        assertThat(losses.apply(42L)).isEqualTo(losses.apply(42L)).isNotEqualTo(losses.apply(43L));
        assertThat(losses.apply(42L)).filteredOn(struck -> struck).hasSizeBetween(60, 140);
    }

    @Test
    void shouldLoseAtRandomAndHaveItRepaired() {
        Selection random = Selection.random(Direction.INBOUND, Traffic.DATA, 0.05);
        Fault loss = create(new DatagramLossFault(), new DatagramLossFault.Parameters(DatagramSeam.NAME, random), 42);
        loss.arm();

        assertThat(transport.exchange(COUNT)).isEqualTo(numbers(1, COUNT));
        assertThat(loss.proof().fired()).isTrue();
        assertThat(transport.naks()).isPositive();
    }

    @Test
    void shouldDuplicateWithoutTheSubscriberNoticing() {
        Selection gaps = Selection.exact(Direction.INBOUND, new Gap(1, 50));
        Fault duplication = create(
                new DatagramDuplicationFault(), new DatagramDuplicationFault.Parameters(DatagramSeam.NAME, gaps), 1);
        duplication.arm();

        assertThat(transport.exchange(COUNT)).isEqualTo(numbers(1, COUNT));

        assertThat(duplication.proof().figure("firings")).isEqualTo(50);
        assertThat(transport.naks()).isZero();
    }

    @Test
    void shouldReorderWithoutTheSubscriberNoticing() {
        Selection gaps = Selection.exact(Direction.INBOUND, new Gap(20, 1), new Gap(40, 2));
        Fault reordering = create(
                new DatagramReorderingFault(),
                new DatagramReorderingFault.Parameters(DatagramSeam.NAME, gaps, 3, 1_000),
                1);
        reordering.arm();

        assertThat(transport.exchange(COUNT)).isEqualTo(numbers(1, COUNT));

        assertThat(offsets(reordering.proof())).containsExactly(19 * 1056L, 39 * 1056L, 40 * 1056L);
    }

    @Test
    void shouldDelayAndLetGoWhenDisarmed() {
        Selection gaps = Selection.exact(Direction.INBOUND, new Gap(1, 10));
        Fault delay = create(
                new DatagramDelayFault(), new DatagramDelayFault.Parameters(DatagramSeam.NAME, gaps, 1_000_000, 0), 1);
        delay.arm();
        transport.send(1, 10);
        for (int i = 0; i < 50; i++) {
            transport.work();
        }
        assertThat(transport.received()).isEmpty();
        assertThat(delay.proof().figure("firings")).isEqualTo(10);

        delay.disarm();
        for (int i = 0; i < 50; i++) {
            transport.work();
        }

        assertThat(transport.received()).isEqualTo(numbers(1, 10));
    }

    @Test
    void shouldDelayOutbound() {
        Selection gaps = Selection.exact(Direction.OUTBOUND, new Gap(1, 10));
        Fault delay = create(
                new DatagramDelayFault(),
                new DatagramDelayFault.Parameters(DatagramSeam.NAME, gaps, 1_000_000, 5_000),
                1);
        delay.arm();
        transport.send(1, 10);
        assertThat(transport.received()).isEmpty();

        transport.awaitReceived(10);

        assertThat(transport.received()).isEqualTo(numbers(1, 10));
    }

    @Test
    void shouldDoNothingWhenDisarmed() {
        List<Fault> faults = List.of(
                create(new DatagramLossFault(), new DatagramLossFault.Parameters(DatagramSeam.NAME, all()), 1),
                create(
                        new DatagramDuplicationFault(),
                        new DatagramDuplicationFault.Parameters(DatagramSeam.NAME, all()),
                        1),
                create(
                        new DatagramReorderingFault(),
                        new DatagramReorderingFault.Parameters(DatagramSeam.NAME, all(), 1, 10),
                        1),
                create(
                        new DatagramDelayFault(),
                        new DatagramDelayFault.Parameters(DatagramSeam.NAME, all(), 1_000, 0),
                        1));
        faults.forEach(fault -> {
            fault.arm();
            fault.disarm();
            fault.disarm();
        });

        assertThat(transport.exchange(COUNT)).isEqualTo(numbers(1, COUNT));

        assertThat(faults).extracting(Fault::proof).allSatisfy(proof -> assertThat(proof.fired())
                .isFalse());
        assertThat(transport.naks()).isZero();
    }

    private static Selection all() {
        return Selection.random(Direction.INBOUND, Traffic.DATA, 1);
    }

    @Test
    void shouldProveThatNothingOfThatSortCameBy() {
        Selection otherStream = new Selection(null, null, 7, 1.0, null, 0);
        Fault loss =
                create(new DatagramLossFault(), new DatagramLossFault.Parameters(DatagramSeam.NAME, otherStream), 1);
        loss.arm();
        transport.exchange(10);

        assertThat(loss.proof().fired()).isFalse();
        assertThat(loss.proof().explanation())
                .matches("none of \\d+ datagrams that came by was INBOUND DATA of stream 7");
    }

    @Test
    void shouldProveThatNoDriverHasTheSeam() {
        site.offer("other", new DatagramSeam());
        Fault loss = create(new DatagramLossFault(), new DatagramLossFault.Parameters("other", all()), 1);
        loss.arm();
        transport.exchange(10);

        assertThat(loss.proof().fired()).isFalse();
        assertThat(loss.proof().explanation()).startsWith("no media driver sends or receives through this fault");
    }

    @Test
    void shouldProveThatNothingCameByWhileItWasArmed() {
        transport.exchange(10);
        Fault loss = create(new DatagramLossFault(), new DatagramLossFault.Parameters(DatagramSeam.NAME, all()), 1);
        transport.close();
        loss.arm();

        assertThat(loss.proof().explanation()).isEqualTo("no datagram came by while the fault was armed");
    }

    @Test
    void shouldRefuseASecondSeamOfTheSameNameButNotTheSameSeam() {
        assertThat(site.offer(DatagramSeam.NAME, seam)).isSameAs(seam);
        assertThatThrownBy(() -> site.offer(DatagramSeam.NAME, new DatagramSeam()))
                .isInstanceOf(FaultException.class)
                .hasMessage("test has another DatagramSeam named udp already");
    }
}
