package org.naklab.lab.containers.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ImpairmentTest {
    private static final long DELAY_NS = 20_000_000;

    private static Impairment delaying() {
        return new Impairment(RelayConfig.through("nakin", 42).delaying(DELAY_NS));
    }

    private static void pass(Impairment impairment, long arrivedNs, long addedNs) {
        DelayedFrame frame = impairment.take(new byte[60], arrivedNs).get(0);
        impairment.given(frame, arrivedNs + DELAY_NS + addedNs);
    }

    @Test
    void shouldTellWhatTheRelayAddsFromTheDelayThatWasAskedFor() {
        Impairment impairment = delaying();
        pass(impairment, 1_000, 30_000);
        pass(impairment, 2_000, 70_000);

        RelayReport report = impairment.report();
        assertThat(report.delays().minDelayNs()).isEqualTo(DELAY_NS + 30_000);
        assertThat(report.delays().meanAddedNs()).isEqualTo(50_000);
        assertThat(report.delays().maxAddedNs()).isEqualTo(70_000);
    }

    @Test
    void shouldAddNothingBeforeTheFirstDatagram() {
        assertThat(delaying().report().delays().meanAddedNs()).isZero();
    }
}
