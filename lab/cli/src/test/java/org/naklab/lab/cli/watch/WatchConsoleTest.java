package org.naklab.lab.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

@Timeout(60)
final class WatchConsoleTest {
    private static final long MS = 1_000_000;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Terminal terminal = Terminal.of(
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(out, true, StandardCharsets.UTF_8));

    @Test
    void shouldPrintEventsInTheOrderOfTheirTimes() {
        WatchConsole console = new WatchConsole(terminal, false, false);
        console.onEvent(event(200, TimelineEventType.SOCKET_DRAINED, "", Map.of()));
        console.onEvent(event(100, TimelineEventType.DATAGRAMS_DROPPED, "", Map.of()));
        console.printDue();
        assertThat(out.size()).isZero();

        console.printAll();

        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).contains("datagrams dropped");
        assertThat(lines().get(1)).contains("socket drained");
    }

    @Test
    void shouldPrintTheSafepointsAtTheEnd() {
        WatchConsole console = new WatchConsole(terminal, false, false);
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
        WatchConsole console = new WatchConsole(terminal, false, false);
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
        WatchConsole console = new WatchConsole(terminal, false, true);
        console.setReaders("4711", () -> Set.of("recv"));
        console.onEvent(event(1, TimelineEventType.RUN_QUEUE_DELAY, "C2 CompilerThre", Map.of()));
        console.onEvent(event(3, TimelineEventType.THREAD_ABSENT, "recv", Map.of()));
        console.printAll();

        assertThat(lines()).hasSize(2);
    }

    @Test
    void shouldPrintDiscardedDatagramsOfItsPortsOnly() {
        WatchConsole console = new WatchConsole(terminal, false, false);
        console.onEvent(event(1, TimelineEventType.SOCKET_OPENED, "", Map.of("port", 40_123)));
        console.onEvent(event(2, TimelineEventType.DATAGRAMS_DISCARDED, "", Map.of("port", 40_123L)));
        console.onEvent(event(3, TimelineEventType.DATAGRAMS_DISCARDED, "", Map.of("port", 53L)));
        console.printAll();

        assertThat(lines())
                .filteredOn(line -> line.contains("datagrams discarded"))
                .hasSize(1);
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static TimelineEvent event(long ms, TimelineEventType type, String thread, Map<String, Object> details) {
        return new TimelineEvent(ms * MS, type, "4711", thread, details);
    }
}
