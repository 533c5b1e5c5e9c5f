package org.naklab.lab.watch.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.Terminal;
import org.naklab.testing.events.Samples;

@Timeout(60)
final class WatchConsoleTest {
    private static final long MS = 1_000_000;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Terminal terminal = Terminal.of(
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(out, true, StandardCharsets.UTF_8));

    @Test
    void shouldPrintEventsInTheOrderOfTheirTimes() {
        WatchConsole console = new WatchConsole(terminal, false, false, false);
        console.onEvent(event(200, TimelineEventType.SOCKET_DRAINED, "", Map.of()));
        console.onEvent(event(100, TimelineEventType.DATAGRAMS_DROPPED, "", Map.of()));
        console.printDue(Long.MAX_VALUE);
        assertThat(out.size()).isZero();

        console.printAll();

        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).contains("datagrams dropped");
        assertThat(lines().get(1)).contains("socket drained");
    }

    /** Names of processes and threads, and all text in an event, are those that the watched process has chosen. */
    @ParameterizedTest
    @EnumSource(TimelineEventType.class)
    void shouldPrintControlCharactersOfNoEvent(TimelineEventType type) {
        String hostile = "r\nPASS \u001b[32mok";
        WatchConsole console = new WatchConsole(terminal, false, true, false);
        console.onEvent(TimelineEvent.of(
                100, type, hostile, hostile, Map.of("what", hostile, "by", hostile, "stack", hostile)));
        console.printAll();
        console.begin(hostile, List.of(hostile), List.of(hostile));
        console.print(hostile);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .doesNotContain("\u001b")
                .doesNotContain("\nPASS")
                .contains("r\\x0aPASS \\x1b[32mok");
    }

    /** A stall is reported when it is over; by its begin, it would come after what happened in it. */
    @Test
    void shouldPrintLinesOfJsonInTheOrderInWhichTheyWereOver() throws Exception {
        WatchConsole console = new WatchConsole(terminal, true, false, false, () -> 700 * MS);
        console.onEvent(event(300, TimelineEventType.DATAGRAMS_DROPPED, "", Map.of("datagrams", 3L)));
        console.onEvent(event(100, TimelineEventType.STALL, "recv", Map.of("durationNs", 500 * MS)));
        console.onEvent(event(400, TimelineEventType.SOCKET_DRAINED, "", Map.of()));
        console.printDue(Long.MAX_VALUE);
        assertThat(out.size()).as("what may be late is waited for").isZero();
        console.printAll();

        List<JsonNode> printed = jsonLines();
        assertThat(printed)
                .extracting(line -> line.get("type").asText())
                .containsExactly("DATAGRAMS_DROPPED", "SOCKET_DRAINED", "STALL");
        assertThat(printed)
                .extracting(line -> Instant.parse(line.get("endTime").asText()))
                .isSorted();
        JsonNode stall = printed.get(2);
        assertThat(Duration.between(
                        Instant.parse(stall.get("time").asText()),
                        Instant.parse(stall.get("endTime").asText())))
                .isEqualTo(Duration.ofMillis(500));
    }

    /** The stall of a slow reader is told when nothing more can be known of it, drops at once. */
    @Test
    void shouldPrintLinesOfJsonInOrderAlthoughAStallIsToldLate() throws Exception {
        AtomicLong nowNs = new AtomicLong();
        WatchConsole console = new WatchConsole(terminal, true, false, false, nowNs::get);
        for (long ms = 100; ms <= 10_000; ms += 100) {
            nowNs.set(ms * MS);
            console.onEvent(event(ms, TimelineEventType.DATAGRAMS_DROPPED, "", Map.of("datagrams", 3L)));
            if (ms == 4_600) {
                console.onEvent(event(1_500, TimelineEventType.STALL, "recv", Map.of("durationNs", 500 * MS)));
                console.printCause(stall(1_500, 500), "likely");
            }
            console.printDue((ms - 2_500) * MS);
        }
        assertThat(jsonLines()).as("the news are not held back for longer").hasSize(62);
        console.printAll();

        List<JsonNode> printed = jsonLines();
        assertThat(printed).hasSize(102);
        assertThat(printed)
                .extracting(line -> Instant.parse(line.get("endTime").asText()))
                .isSorted();
        assertThat(printed)
                .extracting(line -> line.get("type").asText())
                .containsSubsequence("STALL", "STALL_CAUSE", "DATAGRAMS_DROPPED");
    }

    /** A detector that waited for late records tells several stalls at once; each is on its way for a moment. */
    @Test
    void shouldHoldLinesOfJsonBackUntilStallsThatAreToldLateHaveCome() throws Exception {
        AtomicLong nowNs = new AtomicLong();
        WatchConsole console = new WatchConsole(terminal, true, false, false, nowNs::get);
        for (long ms = 100; ms <= 12_000; ms += 100) {
            nowNs.set(ms * MS);
            console.onEvent(event(ms, TimelineEventType.DATAGRAMS_DROPPED, "", Map.of("datagrams", 3L)));
            if (ms == 10_200) {
                console.onEvent(event(1_500, TimelineEventType.STALL, "recv", Map.of("durationNs", 500 * MS)));
                console.printCause(stall(1_500, 500), "likely");
            }
            console.printDue((ms < 10_000 ? 1_900 : ms - 2_500) * MS);
            if (ms == 11_400) {
                assertThat(jsonLines()).as("what was over before the stall").hasSize(19);
            }
        }
        assertThat(jsonLines()).hasSize(82);
        console.printAll();

        assertThat(jsonLines())
                .hasSize(122)
                .extracting(line -> Instant.parse(line.get("endTime").asText()))
                .isSorted();
    }

    @Test
    void shouldPrintTheCauseOfAStallAsALineOfJson() throws Exception {
        WatchConsole console = new WatchConsole(terminal, true, false, false, () -> 0);
        console.printCause(stall(1_500, 300), "certain");
        console.printCause(stall(2_500, 300), "");
        console.printAll();

        List<JsonNode> printed = jsonLines();
        assertThat(printed).hasSize(2);
        JsonNode cause = printed.get(0);
        assertThat(cause.get("type").asText()).isEqualTo("STALL_CAUSE");
        assertThat(cause.get("timeNs").asLong()).isEqualTo(1_500 * MS);
        assertThat(cause.get("process").asText()).isEqualTo("4711");
        assertThat(cause.get("thread").asText()).isEqualTo("recv");
        assertThat(Duration.between(
                        Instant.parse(cause.get("time").asText()),
                        Instant.parse(cause.get("endTime").asText())))
                .isEqualTo(Duration.ofMillis(300));
        assertThat(cause.get("details"))
                .isEqualTo(Json.parse("{\"durationNs\":300000000,\"cause\":\"lock-wait\",\"confidence\":\"certain\","
                        + "\"account\":[{\"kind\":\"lock\",\"ms\":300.0,\"detail\":\"woken by reporter\"}]}"));
        assertThat(printed.get(1).get("details").has("confidence"))
                .as("it is not known")
                .isFalse();
    }

    @Test
    void shouldPrintOneLineForASignalThatStopsAllThreads() {
        WatchConsole console = new WatchConsole(terminal, false, true, false);
        for (int i = 0; i < 40; i++) {
            console.onEvent(event(100 + i / 10, TimelineEventType.THREAD_STOPPED, "thread-" + i, Map.of()));
        }
        console.onEvent(event(500, TimelineEventType.THREAD_CONTINUED, "thread-0", Map.of()));
        console.onEvent(event(900, TimelineEventType.THREAD_STOPPED, "thread-0", Map.of()));
        console.printAll();

        assertThat(lines()).hasSize(4);
        assertThat(lines().get(0)).contains("thread stopped").contains("4711/thread-0");
        assertThat(lines()).contains("  and 39 other threads of 4711 stopped");
    }

    @Test
    void shouldPrintTheCauseOfAStall() {
        WatchConsole console = new WatchConsole(terminal, false, false, false);
        console.printCause(stall(1, 300), "certain");
        console.printAll();

        assertThat(lines())
                .singleElement()
                .asString()
                .endsWith("cause of stall       4711/recv  lock-wait, 300.0 ms = 300.0 lock (woken by reporter)");
    }

    @Test
    void shouldPrintTheSafepointsAtTheEnd() {
        WatchConsole console = new WatchConsole(terminal, false, false, false);
        console.printSafepoints(null);
        assertThat(out.size()).as("no JVM").isZero();
        SafepointTable table = new SafepointTable();
        table.add("G1CollectFull", 12_000_000, 2_500, 10_000_000);
        table.add("G1CollectFull", 3_000_000, 1_500, 510_000_000);
        console.printSafepoints(table.rows());
        console.printSafepoints(List.of());

        assertThat(lines()).hasSize(4);
        assertThat(lines().get(0)).startsWith("safepoints");
        assertThat(lines().get(2)).contains("G1CollectFull").contains("15.00").contains("12,000");
        assertThat(lines().get(3)).isEqualTo("no safepoint while it was watched");
    }

    @Test
    void shouldPrintTheWaitsOfReadersOnly() {
        WatchConsole console = new WatchConsole(terminal, false, false, false);
        console.setReaders("4711", () -> Set.of("recv"));
        console.onEvent(event(1, TimelineEventType.RUN_QUEUE_DELAY, "C2 CompilerThre", Map.of()));
        console.onEvent(event(2, TimelineEventType.RUN_QUEUE_DELAY, "recv", Map.of()));
        console.onEvent(event(3, TimelineEventType.THREAD_ABSENT, "recv", Map.of()));
        console.onEvent(event(4, TimelineEventType.THREAD_BUSY, "recv", Map.of()));
        console.onEvent(event(5, TimelineEventType.PLACE_OBSERVED, "", Map.of()));
        console.printAll();

        assertThat(lines())
                .singleElement()
                .asString()
                .contains("run queue delay")
                .contains("4711/recv");
    }

    @Test
    void shouldPrintEverythingIfAskedTo() {
        WatchConsole console = new WatchConsole(terminal, false, true, false);
        console.setReaders("4711", () -> Set.of("recv"));
        console.onEvent(event(1, TimelineEventType.RUN_QUEUE_DELAY, "C2 CompilerThre", Map.of()));
        console.onEvent(event(3, TimelineEventType.THREAD_ABSENT, "recv", Map.of()));
        console.printAll();

        assertThat(lines()).hasSize(2);
    }

    @Test
    void shouldPrintDiscardedDatagramsOfItsPortsOnly() {
        WatchConsole console = new WatchConsole(terminal, false, false, false);
        console.onEvent(event(1, TimelineEventType.SOCKET_OPENED, "", Map.of("port", 40_123)));
        console.onEvent(event(2, TimelineEventType.DATAGRAMS_DISCARDED, "", Map.of("port", 40_123L)));
        console.onEvent(event(3, TimelineEventType.DATAGRAMS_DISCARDED, "", Map.of("port", 53L)));
        console.printAll();

        assertThat(lines())
                .filteredOn(line -> line.contains("datagrams discarded"))
                .hasSize(1);
    }

    private static Stall stall(long atMs, double durationMs) {
        AccountEntry lock = new AccountEntry(AccountKind.LOCK, durationMs, "woken by reporter");
        return new Stall("4711", atMs * MS, durationMs, "recv", 0, "lock-wait", new StallAccount(List.of(lock)));
    }

    private List<JsonNode> jsonLines() throws JsonProcessingException {
        List<JsonNode> parsed = new ArrayList<>();
        for (String line : lines()) {
            parsed.add(Json.parse(line));
        }
        return parsed;
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static TimelineEvent event(long ms, TimelineEventType type, String thread, Map<String, Object> details) {
        return TimelineEvent.of(ms * MS, type, "4711", thread, Samples.whole(type.form(), details));
    }
}
