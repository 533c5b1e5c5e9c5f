package org.naklab.lab.diagnosis.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.DatagramEvent.Burst;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;

@Timeout(60)
final class LossChargesTest {
    private static final List<String> RECEIVERS = List.of("mds", "gateway-1");
    private static final long AFTERMATH = 100;

    /** Whoever else saw a burst: what a receiver lost at one that it saw itself is charged to that, and each loss at any burst once. */
    @Test
    void shouldChargeAReceiversLossToABurstThatItSawItself() {
        int own = 0;
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<LossCharges.Claim> claims = new ArrayList<>();
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                long at = random.nextInt(1_000);
                Burst burst = burst(at, at + 1 + random.nextInt(200), RECEIVERS.get(random.nextInt(2)));
                claims.add(new LossCharges.Claim(
                        burst, null, new Interval(at, burst.interval().endNs() + AFTERMATH)));
            }
            List<SocketEvent.Dropped> losses = new ArrayList<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                losses.add(loss(random.nextInt(1_400), RECEIVERS.get(random.nextInt(2)), losses.size()));
            }
            LossCharges charges = new LossCharges(losses, claims);

            for (SocketEvent.Dropped loss : losses) {
                List<LossCharges.Claim> possible = claims.stream()
                        .filter(claim -> claim.aftermath().overlaps(new Interval(loss.timeNs(), loss.timeNs() + 1)))
                        .toList();
                List<LossCharges.Claim> charged = claims.stream()
                        .filter(claim -> charges.of(claim.event(), loss.process()).stream()
                                .anyMatch(loss::equals))
                        .toList();
                assertThat(charged).as("seed %d: %s", seed, loss).hasSize(possible.isEmpty() ? 0 : 1);
                if (possible.stream().anyMatch(claim -> claim.event().process().equals(loss.process()))) {
                    own++;
                    assertThat(charged.get(0).event().process())
                            .as("seed %d: %s", seed, loss)
                            .isEqualTo(loss.process());
                }
            }
        }
        assertThat(own).isGreaterThan(100);
    }

    private static Burst burst(long begin, long end, String process) {
        return new Burst(new Interval(begin, end), process, "bytes", 9, 1, null);
    }

    private static SocketEvent.Dropped loss(long at, String process, long number) {
        return new SocketEvent.Dropped(at, process, new SocketEvent.Socket(7, "", 40_456, ""), 1, number, at, null);
    }
}
