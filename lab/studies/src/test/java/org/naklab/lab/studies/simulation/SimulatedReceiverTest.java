package org.naklab.lab.studies.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SimulatedReceiverTest {
    private final List<String> repairs = new ArrayList<>();

    @Test
    void shouldSeeAGapWhenALaterDatagramComesIn() {
        SimulatedReceiver receiver = receiver(Integer.MAX_VALUE);
        receiver.accept(0, 3, 10);
        receiver.accept(5, 6, 20);

        assertThat(receiver.position()).isEqualTo(3);
        assertThat(receiver.gapBegin()).isEqualTo(3);
        assertThat(receiver.gapEnd()).isEqualTo(5);
        assertThat(receiver.missing(6)).isEqualTo(2);
        receiver.accept(3, 5, 30);
        assertThat(receiver.isWholeUpTo(6)).isTrue();
        assertThat(repairs).containsExactly("2 since 20");
    }

    @Test
    void shouldKeepBothEndsOfAGapThatIsRepairedInTheMiddle() {
        SimulatedReceiver receiver = receiver(Integer.MAX_VALUE);
        receiver.accept(9, 10, 7);
        receiver.accept(3, 5, 8);

        assertThat(receiver.gapEnd()).isEqualTo(3);
        assertThat(receiver.missing(10)).isEqualTo(7);
        receiver.accept(0, 3, 9);
        assertThat(receiver.gapBegin()).isEqualTo(5);
        assertThat(receiver.gapEnd()).isEqualTo(9);
    }

    @Test
    void shouldTakeNothingBeyondItsWindow() {
        SimulatedReceiver receiver = receiver(4);
        receiver.accept(0, 2, 0);
        assertThat(receiver.accept(5, 8, 1)).isEqualTo(2);
        assertThat(receiver.gapEnd()).isEqualTo(5);
        assertThat(receiver.missing(8)).isEqualTo(5);
        assertThat(receiver.accept(9, 10, 1)).isEqualTo(1);
        receiver.accept(2, 5, 2);
        assertThat(receiver.position()).isEqualTo(6);
    }

    @Test
    void shouldMissWhatWasNeverAcceptedWhateverTheOrder() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SimulatedReceiver receiver = receiver(Integer.MAX_VALUE);
            BitSet model = new BitSet();
            for (int step = 0; step < 200; step++) {
                int begin = random.nextInt(100);
                int end = begin + 1 + random.nextInt(8);
                receiver.accept(begin, end, step);
                model.set(begin, end);
                assertThat(receiver.position()).as("seed %d", seed).isEqualTo(model.nextClearBit(0));
                assertThat(receiver.missing(120)).as("seed %d", seed).isEqualTo(120 - model.cardinality());
            }
        }
    }

    private SimulatedReceiver receiver(int window) {
        return new SimulatedReceiver(
                0, window, (receiver, sinceNs, datagrams) -> repairs.add(datagrams + " since " + sinceNs));
    }
}
