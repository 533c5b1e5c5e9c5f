package org.naklab.lab.watch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.instruments.aeron.AeronUnit;
import org.naklab.lab.instruments.aeron.UnitMember;
import org.naklab.lab.records.Stall;

@Timeout(60)
final class UnitSummaryTest {
    private static final String DIRECTORY = "/dev/shm/aeron-md";
    private static final WatchTarget DRIVER = target(11, true);
    private static final WatchTarget CLIENT = target(12, false);

    private final UnitSummary summary = new UnitSummary(DIRECTORY);

    @Test
    void shouldTellTheReceiverOfTheDriverFromThePollOfAClient() {
        summary.add(DRIVER, List.of(stall("receiver", 400, "process-paused")), stall -> false);
        summary.add(
                CLIENT,
                List.of(stall("client-poll", 100, "blocking-call"), stall("client-poll", 300, "lock-wait")),
                stall -> true);

        assertThat(summary.lines())
                .containsExactly(
                        "media driver in /dev/shm/aeron-md and its clients:",
                        "  the driver's receiver stood still once, for 400.0 ms: process-paused",
                        "  the poll of client 12 stood still 2 times, for 300.0 ms at most: lock-wait");
    }

    @Test
    void shouldTellThreadsOfADriverWithClientsOfItsOwn() {
        summary.add(
                DRIVER,
                List.of(stall("sender", 50, "lock-wait"), stall("poller", 60, "gc-or-safepoint")),
                stall -> stall.thread().equals("poller"));

        assertThat(summary.lines())
                .containsExactly(
                        "media driver in /dev/shm/aeron-md and its clients:",
                        "  the driver's sender stood still once, for 50.0 ms: lock-wait",
                        "  the poll of client 11 stood still once, for 60.0 ms: gc-or-safepoint");
    }

    @Test
    void shouldTellASocketThatAClientReadsFromItsPoll() {
        summary.add(CLIENT, List.of(stall("recv", 50, "lock-wait")), stall -> false);

        assertThat(summary.lines()).contains("  a reader of client 12 stood still once, for 50.0 ms: lock-wait");
    }

    @Test
    void shouldSayThatNobodyStoodStill() {
        summary.add(DRIVER, List.of(), stall -> false);

        assertThat(summary.lines())
                .containsExactly(
                        "media driver in /dev/shm/aeron-md and its clients:",
                        "  neither the driver's receiver nor the poll of a client stood still");
    }

    private static WatchTarget target(long pid, boolean isDriver) {
        return WatchTarget.of(new UnitMember(AeronUnit.of(Path.of(DIRECTORY)), pid, isDriver));
    }

    private static Stall stall(String thread, double durationMs, String cause) {
        return new Stall("11", 0, durationMs, thread, -1, cause);
    }
}
