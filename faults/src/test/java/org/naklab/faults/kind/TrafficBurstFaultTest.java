package org.naklab.faults.kind;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.seam.PacingSeam;

class TrafficBurstFaultTest {
    private static final long GAP_NS = 1_000;

    private static Fault burst(PacingSeam pacer, int messages, int factor) {
        FaultSite site = new FaultSite("exchange");
        site.offer("feed", pacer);
        Record parameters = new TrafficBurstFault.Parameters("feed", messages, factor);
        return new TrafficBurstFault().create(FaultSpec.of("traffic-burst", "exchange", parameters), site, 1);
    }

    @Test
    @Timeout(60)
    void shouldRunAtAMultipleOfTheRateAndGoOnFromThere() {
        PacingSeam pacer = new PacingSeam();
        Fault burst = burst(pacer, 3, 10);
        List<Long> due = new ArrayList<>();
        due.add(pacer.dueNs(0));
        due.add(pacer.dueNs(GAP_NS));
        burst.arm();
        for (int i = 2; i < 7; i++) {
            due.add(pacer.dueNs(i * GAP_NS));
        }

        assertThat(due).containsExactly(0L, 1_000L, 1_100L, 1_200L, 1_300L, 2_300L, 3_300L);
        assertThat(burst.proof().fired()).isTrue();
        assertThat(burst.proof().figure("gainedNs")).isEqualTo(2_700);
    }

    @Test
    @Timeout(60)
    void shouldDoNothingWhenDisarmed() {
        PacingSeam pacer = new PacingSeam();
        Fault burst = burst(pacer, 3, 10);
        burst.arm();
        burst.disarm();
        burst.disarm();

        assertThat(pacer.dueNs(0)).isZero();
        assertThat(pacer.dueNs(GAP_NS)).isEqualTo(GAP_NS);
        assertThat(burst.proof().fired()).isFalse();
        assertThat(burst.proof().explanation()).isEqualTo("no message came by the pacer");
    }

    @Test
    @Timeout(60)
    void shouldProveThatABurstWasCutShort() {
        PacingSeam pacer = new PacingSeam();
        Fault burst = burst(pacer, 3, 10);
        burst.arm();
        pacer.dueNs(0);
        burst.disarm();

        assertThat(burst.proof().explanation()).isEqualTo("the burst was not finished");
    }

    @Property(tries = 200)
    void shouldNeverGoBackwardsNorBeLate(
            @ForAll @Size(max = 50) List<@IntRange(max = 10_000) Integer> gapsNs,
            @ForAll @IntRange(min = 1, max = 30) int messages,
            @ForAll @IntRange(min = 2, max = 20) int factor) {
        PacingSeam pacer = new PacingSeam();
        burst(pacer, messages, factor).arm();
        long scheduledNs = 0;
        long previousNs = 0;
        for (int gapNs : gapsNs) {
            scheduledNs += gapNs;
            long dueNs = pacer.dueNs(scheduledNs);
            assertThat(dueNs).isBetween(previousNs, scheduledNs);
            previousNs = dueNs;
        }
    }
}
