package org.naklab.lab.containers.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LossChoiceTest {
    private static final int GROUP = 0xefc01009;
    private static final int PORT = 20_900;
    private static final int COUNT = 10_000;

    private static byte[] frame(int destination, int port, int identification, int fragment) {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort(12, (short) 0x0800)
                .put(14, (byte) 0x45)
                .putShort(18, (short) identification)
                .putShort(20, (short) fragment)
                .put(23, (byte) 17)
                .putInt(26, 0xac110002)
                .putInt(30, destination)
                .putShort(36, (short) port);
        return frame.array();
    }

    private static byte[] multicast(int port) {
        return frame(GROUP, port, 0, 0);
    }

    private static List<Boolean> fates(LossChoice choice, int port) {
        return IntStream.range(0, COUNT)
                .mapToObj(i -> choice.decide(multicast(port)).isLost())
                .toList();
    }

    @Test
    void shouldLoseTheSameDatagramsForTheSameSeedOnly() {
        List<Boolean> fates = fates(new LossChoice(0.3, 7), PORT);

        assertThat(fates(new LossChoice(0.3, 7), PORT)).isEqualTo(fates);
        assertThat(fates(new LossChoice(0.3, 8), PORT)).isNotEqualTo(fates);
        assertThat(fates.stream().filter(isLost -> isLost)).hasSizeBetween(2_800, 3_200);
    }

    /** The choice is part of what a test relies on: another version must not lose others. */
    @Test
    void shouldLoseTheSameDatagramsInEveryVersion() {
        LossChoice choice = new LossChoice(0.1, 42);
        LossChoice.Destination feed = new LossChoice.Destination(GROUP, PORT);

        assertThat(LongStream.rangeClosed(1, 100).filter(number -> choice.isLost(feed, number)))
                .containsExactly(12L, 16L, 20L, 33L, 69L, 92L);
    }

    @Test
    void shouldLoseEveryOrNoDatagramAtTheBounds() {
        assertThat(fates(new LossChoice(1, 7), PORT)).containsOnly(true);
        assertThat(fates(new LossChoice(0, 7), PORT)).containsOnly(false);
    }

    @Test
    void shouldNotBeChangedByDatagramsToOtherPorts() {
        LossChoice alone = new LossChoice(0.3, 7);
        LossChoice beside = new LossChoice(0.3, 7);
        for (int i = 0; i < COUNT; i++) {
            beside.decide(multicast(PORT + 1 + i % 3));
            assertThat(beside.decide(multicast(PORT)).isLost())
                    .isEqualTo(alone.decide(multicast(PORT)).isLost());
        }
        assertThat(fates(new LossChoice(0.3, 7), PORT + 1)).isNotEqualTo(fates(new LossChoice(0.3, 7), PORT));
    }

    @Test
    void shouldNotDependOnTheAddressOfTheContainer() {
        LossChoice one = new LossChoice(0.3, 7);
        LossChoice other = new LossChoice(0.3, 7);
        for (int i = 0; i < COUNT; i++) {
            assertThat(one.decide(frame(0xac110003, PORT, 0, 0)))
                    .isEqualTo(other.decide(frame(0xac110004, PORT, 0, 0)));
        }
    }

    @Test
    void shouldLoseAllFragmentsOfADatagramOrNone() {
        LossChoice whole = new LossChoice(0.3, 7);
        LossChoice fragmented = new LossChoice(0.3, 7);
        for (int i = 0; i < COUNT; i++) {
            boolean isLost = whole.decide(multicast(PORT)).isLost();
            assertThat(fragmented.decide(frame(GROUP, PORT, i, 0x2000)).isLost())
                    .isEqualTo(isLost);
            // A fragment of another datagram between them.
            assertThat(fragmented.decide(frame(GROUP, 0, i + 1, 0x00b9)).isLost())
                    .isFalse();
            LossChoice.Fate last = fragmented.decide(frame(GROUP, 0, i, 0x00b9));
            assertThat(last).isEqualTo(new LossChoice.Fate(isLost, null, 0));
        }
    }

    @Test
    void shouldNameTheDatagramsInOrder() {
        Impairment impairment = new Impairment(RelayConfig.through("tap", 7).losing(0.3));
        for (int i = 0; i < COUNT; i++) {
            impairment.take(multicast(PORT), i);
        }
        LossChoice choice = new LossChoice(0.3, 7);
        LossChoice.Destination feed = new LossChoice.Destination(GROUP, PORT);
        long[] expected = LongStream.rangeClosed(1, COUNT)
                .filter(number -> choice.isLost(feed, number))
                .toArray();

        RelayReport report = impairment.report();
        assertThat(report.passed().taken()).isEqualTo(COUNT);
        assertThat(report.losses().lost()).isEqualTo(expected.length);
        assertThat(report.losses().firstLost()).hasSize(64);
        assertThat(report.losses().firstLost())
                .isEqualTo(LongStream.of(expected)
                        .limit(64)
                        .mapToObj(number -> new LostDatagram(number - 1, "239.192.16.9:20900", number))
                        .toList());
        assertThat(new LossChoice.Destination(0, PORT).text()).isEqualTo("port 20900");
    }
}
