package org.naklab.lab.replica.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.seam.WakeUpLocks;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.ControlChannel;
import org.naklab.messaging.ContextListener;

@Timeout(60)
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

    /** Most intervals refuse nothing. */
    @Test
    void shouldTellHowManySendsWereRefusedBeforeTheSendersWereWoken() {
        watch.onWakeUp(1_000, 3);
        watch.onWakeUp(2_000, 0);
        watch.ofContext("mds-snapshots").onWakeUp(3_000, 2);

        assertThat(told())
                .containsExactly(
                        new Told("SENDERS_WOKEN", 1_000, "mds-context", 3),
                        new Told("SENDERS_WOKEN", 3_000, "mds-snapshots-context", 2));
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

    /** The context that only sends snapshots may stall: nothing is received there. */
    @Test
    void shouldTellTheRateLimitOfASecondContextByItsThreadAndNotItsStalls() {
        ContextListener second = watch.ofContext("mds-snapshots");
        second.onRateLimitHit(500);
        second.onWakeFailed(1_000);
        second.onStall(1_000, 200_000_000);
        second.onYielded(1_000, 150_000_000);
        watch.onStall(2_000, 30_000_000);

        assertThat(told().map(each -> each.event() + " " + each.thread()))
                .containsExactly(
                        "RATE_LIMIT_HIT mds-snapshots-context",
                        "WAKE_FAILED mds-snapshots-context",
                        "YIELDED mds-snapshots-context",
                        "STALL mds-context");
    }

    private void failedWakeUp(long atNs, long yieldNs) {
        watch.onWakeFailed(atNs);
        watch.onYielded(atNs, atNs + yieldNs);
    }

    private List<String> reported() {
        return told().map(each -> each.event() + " " + each.atNs()).toList();
    }

    private Stream<Told> told() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        watch.report(new ControlChannel(
                new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8)));
        return out.toString(StandardCharsets.UTF_8).lines().map(line -> Json.value(parse(line), Told.class));
    }

    private record Told(String event, long atNs, String thread, long blockedSends) {}

    private static com.fasterxml.jackson.databind.JsonNode parse(String line) {
        try {
            return Json.parse(line);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }
}
