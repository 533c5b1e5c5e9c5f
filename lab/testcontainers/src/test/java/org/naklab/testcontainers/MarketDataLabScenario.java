package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.naklab.testcontainers.MarketDataAssertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ContainerEngine;

/** A sample: what a test of another project looks like, by the public API alone. */
@Contained
@ExtendWith({RequiresEngine.class, ContainerEngine.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class MarketDataLabScenario {
    @Test
    void shouldNeedNoNakWhenNothingIsWrong() {
        try (MarketDataLab lab =
                MarketDataLab.builder().duration(Duration.ofSeconds(3)).build()) {
            lab.start();
            lab.run();
            assertThat(lab).hasNoNaks().lostNothing().journalIsComplete();
            assertThat(lab.service().verifyJournal().events())
                    .isEqualTo(lab.exchange().report().published())
                    .isGreaterThan(2_000);
            assertThatThrownBy(() -> assertThat(lab).sentNaks())
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("no receiver sent a NAK, and some were expected");
        }
    }

    @Test
    void shouldRepairTheReceiverThatLosesAndLeaveTheOtherAlone() {
        try (MarketDataLab lab = MarketDataLab.builder().gateways(2).build()) {
            lab.start();
            try (InjectedFault loss = lab.gateway(1).network().incoming().loss(1)) {
                lab.run();
                assertFired(loss);
            }
            assertThat(lab.gateway(1)).sentNaks().lostNothing();
            assertThat(lab.gateway(2)).hasNoNaks().lostNothing();
            assertThat(lab.service()).hasNoNaks().journalIsComplete();
            assertThatThrownBy(() -> assertThat(lab).hasNoNaks())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageMatching("gateway-1 sent [1-9]\\d* NAKs, and none was expected;.*");
        }
    }

    @Test
    void shouldTellAStallOfTheService() {
        try (MarketDataLab lab = MarketDataLab.builder().build()) {
            lab.start();
            lab.begin();
            awaitEvents(lab);
            try (InjectedFault pause = lab.service().faults().pause()) {
                awaitPausedMs(pause, 500);
            }
            lab.awaitEnd();
            assertThat(lab)
                    .stalledOnce(Duration.ofMillis(500), Duration.ofSeconds(10))
                    .lostNothing();
            assertThat(lab.gateway(1)).didNotStall(Duration.ofMillis(500));
        }
    }

    private static void assertFired(InjectedFault fault) {
        assertThat(fault.fired()).as(fault.explanation()).isTrue();
    }

    private static void awaitEvents(MarketDataLab lab) {
        while (lab.service().report().received() == 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static void awaitPausedMs(InjectedFault pause, long durationMs) {
        while (pause.figures().getOrDefault("pausedMs", 0L) < durationMs) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
