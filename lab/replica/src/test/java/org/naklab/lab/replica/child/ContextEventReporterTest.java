package org.naklab.lab.replica.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.seam.WakeUpLocks;
import org.naklab.lab.core.Json;
import org.naklab.lab.replica.process.ControlChannel;

@Timeout(10)
final class ContextEventReporterTest {
    private final ContextEventReporter watch = new ContextEventReporter("mds");

    @Test
    void shouldTellTheFirstOfARowOfFailedWakeUps() {
        failedWakeUp(1_000, 100);
        failedWakeUp(2_000, 100);
        failedWakeUp(3_000, 2_000_000);
        watch.onWakeUp(4_000, 0);
        failedWakeUp(5_000, 100);

        assertThat(reported())
                .containsExactly(
                        "WAKE_FAILED 1000", "YIELDED 1000", "YIELDED 3000", "WAKE_FAILED 5000", "YIELDED 5000");
    }

    @Test
    void shouldInformTheFaultOfEachOne() {
        List<String> informed = new ArrayList<>();
        WakeUpLocks locks = new WakeUpLocks();
        locks.observe(new WakeUpLocks.Observer() {
            @Override
            public void onRateLimitHit(long timeNs) {
                informed.add("hit " + timeNs);
            }

            @Override
            public void onWakeFailed(long timeNs) {
                informed.add("failed " + timeNs);
            }
        });
        watch.inform(locks);

        watch.onRateLimitHit(500);
        failedWakeUp(1_000, 100);
        failedWakeUp(2_000, 100);

        assertThat(informed).containsExactly("hit 500", "failed 1000", "failed 2000");
        assertThat(reported()).containsExactly("RATE_LIMIT_HIT 500", "WAKE_FAILED 1000", "YIELDED 1000");
    }

    private void failedWakeUp(long atNs, long yieldNs) {
        watch.onWakeFailed(atNs);
        watch.onYielded(atNs, atNs + yieldNs);
    }

    private List<String> reported() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        watch.report(new ControlChannel(
                new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8)));
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> Json.value(parse(line), Told.class))
                .map(told -> told.event() + " " + told.atNs())
                .toList();
    }

    private record Told(String event, long atNs) {}

    private static com.fasterxml.jackson.databind.JsonNode parse(String line) {
        try {
            return Json.parse(line);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }
}
