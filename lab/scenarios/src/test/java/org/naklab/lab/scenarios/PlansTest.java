package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.causes.SlowCallback;
import org.naklab.lab.scenarios.causes.SlowConsumer;
import org.naklab.lab.scenarios.causes.TrafficBurst;

/** Faults that are made to the measure of the flow. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PlansTest {
    @ParameterizedTest
    @ValueSource(longs = {430, 1_000, 5_000, 50_000})
    void shouldFillTheRingTwiceAtAnyRate(long eventsPerSecond) {
        RunPlan plan = Plans.of(new SlowConsumer(), eventsPerSecond);
        Object config = new SlowConsumer().deploy(plan).subscribers().get(0).config();
        JsonNode slow = new SlowConsumer().fault(plan).parameters();
        long appends = slow.path("maxAppends").asLong();
        double arrived = eventsPerSecond * appends * slow.path("delayUs").asLong() / 1e6;

        assertThat(arrived - appends).isGreaterThan(2.0 * ((ServiceConfig) config).ringSlots());
    }

    @ParameterizedTest
    @ValueSource(longs = {430, 1_000, 5_000, 50_000})
    void shouldHaveABufferThatWorksWithoutTheBurst(long eventsPerSecond) {
        BufferSizing stall =
                Plans.of(new TrafficBurst(), eventsPerSecond).traffic().stall();
        assertThat(stall).isNotNull();
        assertThat(stall.stallDatagrams()).isBetween(64L, Math.max(64, eventsPerSecond / 50));
    }

    @Test
    void shouldRefuseARateAtWhichNoStallOverflows() {
        assertThatThrownBy(() -> Plans.of(new SlowCallback(), 100))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--rate at least 427");
    }
}
