package org.naklab.lab.watch.command.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.aeron.SubscriptionSummary;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.terminal.Colour;
import org.naklab.lab.terminal.MonotonicToWallClock;
import org.naklab.lab.terminal.Terminal;

@Timeout(60)
final class TerminalViewTest {
    private static final long SECOND = 1_000_000_000;
    private static final Headroom HEADROOM =
            new Headroom(Headroom.Basis.MEASURED, 2_380_000, 87, 89.4, 214.2, 89, 90.3, 0);

    private final PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private final Terminal terminal = Terminal.of(nowhere, nowhere);
    private final TerminalView view =
            new TerminalView(terminal, new SocketTable(MonotonicToWallClock.at(ZoneOffset.UTC, Instant.EPOCH, 0)));

    @Test
    void shouldShowEachFigureOfASocketAndTheEventsBelow() {
        view.add("00:00:01.000", "127.0.0.1:5219 dropped 131 datagrams, 131 in all");
        view.add("", "metrics at http://127.0.0.1:9464/metrics");

        List<String> frame = frame(100, 12, process(List.of(socket(7, 131, List.of()))));
        assertThat(frame.get(0)).isEqualTo("watching process 6863 (/usr/bin/iperf3) for 12.0 s; Ctrl-C ends");
        assertThat(frame.get(1).strip().split("  +", -1))
                .containsExactly("socket", "depth", "limit", "headroom", "dropped", "rate", "last stall", "at");
        assertThat(frame.get(2).strip().split("  +", -1))
                .containsExactly(
                        "127.0.0.1:5219", "120 KiB", "208 KiB", "89.4 ms", "131", "2.38 MB/s", "214.2 ms", "00:00:01");
        assertThat(frame.subList(3, 6))
                .containsExactly(
                        "",
                        "00:00:01.000  127.0.0.1:5219 dropped 131 datagrams, 131 in all",
                        "  metrics at http://127.0.0.1:9464/metrics");
    }

    @Test
    void shouldTellWhatIsNotKnownFromZero() {
        SocketSummary unknown = new SocketSummary(
                new SocketIdentity(9, false, "0.0.0.0", 5_219), List.of("239.1.2.3"), 0, 0, 0, -1, 0, Headroom.NONE);
        assertThat(frame(100, 12, process(List.of(unknown))).get(2).strip().split(" +", -1))
                .containsExactly("239.1.2.3:5219", "0", "B", "-", "-", "0", "-", "-");
        Headroom ofTheBegin = new Headroom(Headroom.Basis.MEASURED, 2_380_000, 87, 89.4, 214.2, 89, 90.3, 60_000);
        SocketSummary past = new SocketSummary(
                new SocketIdentity(9, false, "0.0.0.0", 5_219), List.of("239.1.2.3"), 0, 0, 0, -1, 0, ofTheBegin);
        assertThat(frame(100, 12, process(List.of(past))).get(2).strip().split(" +", -1))
                .containsExactly("239.1.2.3:5219", "0", "B", "-", "-", "0", "-", "-");
        assertThat(frame(100, 12, process(List.of())).get(1)).isEqualTo("  no UDP socket yet");
        assertThat(frame(100, 12)).first().asString().startsWith("waiting for a process");
    }

    /** Whatever the size, nothing is wrapped by the terminal, and the last event is shown if there is room for one. */
    @ParameterizedTest
    @CsvSource({"200, 50", "80, 24", "79, 24", "60, 10", "40, 12", "30, 8", "20, 6", "10, 3", "2, 2", "1, 1"})
    void shouldFitEverySize(int columns, int rows) {
        for (int i = 0; i < 300; i++) {
            view.add(
                    "00:00:01.000",
                    "event " + i + " with more words than fit on one line of a terminal that is narrow");
        }
        List<SocketSummary> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add(socket(i, i, List.of("239.192.10." + i)));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TerminalSize size = new TerminalSize(columns, rows);
        List<String> frame = view.frame(13 * SECOND, List.of(process(many), process(many)), size);
        assertThat(frame).hasSizeLessThanOrEqualTo(Math.max(rows, 1));
        new Screen(out).draw(frame, size);
        VirtualTerminal shown = new VirtualTerminal(columns, rows);
        shown.print(out.toString(StandardCharsets.UTF_8));
        assertThat(shown.screen()).hasSize(rows);
        if (columns >= 20 && rows >= 6) {
            assertThat(String.join(" ", shown.screen()).replaceAll(" +", " ")).contains("that is narrow");
        }
        if (columns >= 80) {
            assertThat(shown.screen().get(1)).contains("last stall");
        }
        if (columns >= 40) {
            assertThat(shown.screen().get(1)).contains("depth", "dropped");
        }
    }

    @Test
    void shouldNameTheSocketsThatLostMostIfNotAllHaveRoom() {
        List<SocketSummary> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add(socket(i, i, List.of("239.192.10." + i)));
        }
        List<String> frame = frame(80, 24, process(many));
        assertThat(frame).anyMatch(line -> line.contains("239.192.10.39:5219"));
        assertThat(frame).noneMatch(line -> line.contains("239.192.10.0:5219"));
        assertThat(frame).anyMatch(line -> line.matches("  and 2\\d other sockets"));
    }

    @Test
    void shouldTellSocketsOfOneGroupApart() {
        List<String> frame = frame(100, 12, process(List.of(socket(7, 0, List.of()), socket(8, 0, List.of()))));
        assertThat(frame).anyMatch(line -> line.contains("127.0.0.1:5219#7"));
        assertThat(frame).anyMatch(line -> line.contains("127.0.0.1:5219#8"));
    }

    @Test
    void shouldShowTheStreamsOfAnAeronClient() {
        SubscriptionSummary stream = new SubscriptionSummary(
                new SubscriptionSummary.Stream("aeron:udp?endpoint=239.1.2.3:1", 1001, 5, false),
                20_480,
                -1,
                30_000_000,
                true);
        WatchedProcess client = new WatchedProcess("process 1", 0, List.of(), List.of(stream));
        assertThat(frame(100, 12, client))
                .anyMatch(line -> line.strip().matches("1001 +20 KiB +30.0 ms +aeron:udp\\?endpoint=239.1.2.3:1"));
    }

    @Test
    void shouldColourOnlyWhereStandardOutputHasColours() {
        WatchedProcess process = process(List.of(socket(7, 131, List.of())));
        assertThat(String.join("\n", frame(100, 12, process))).doesNotContain("\u001b");
        terminal.colour(Colour.ALWAYS);
        assertThat(String.join("\n", frame(100, 12, process))).contains("\u001b[1m\u001b[31m131");
    }

    /** The name of a process and what an event says are those that the watched process has chosen. */
    @Test
    void shouldShowControlCharactersOfOthersAsText() {
        String hostile = "r\u001b[2J\u001b]0;x\u0007@|red x|@";
        view.add("00:00:01.000", hostile);
        List<String> frame = frame(100, 12, new WatchedProcess(hostile, 0, List.of(), List.of()));
        assertThat(String.join("\n", frame))
                .doesNotContain("\u001b")
                .doesNotContain("\u0007")
                .contains("r\\x1b[2J\\x1b]0;x\\x07@|red x|@");
    }

    @Test
    void shouldKeepTheLastLinesForTheTimeAfterwards() {
        for (int i = 0; i < 203; i++) {
            view.add("", "line " + i);
        }
        assertThat(view.kept()).hasSize(201).first().isEqualTo("3 earlier lines left out");
        assertThat(view.kept()).last().isEqualTo("  line 202");
    }

    private List<String> frame(int columns, int rows, WatchedProcess... processes) {
        return view.frame(13 * SECOND, List.of(processes), new TerminalSize(columns, rows));
    }

    private static WatchedProcess process(List<SocketSummary> sockets) {
        return new WatchedProcess("process 6863 (/usr/bin/iperf3)", SECOND, sockets, List.of());
    }

    private static SocketSummary socket(long inode, long drops, List<String> groups) {
        return new SocketSummary(
                new SocketIdentity(inode, false, "127.0.0.1", 5_219),
                groups,
                new SocketSummary.Depths(212_000, 0, 122_880, 212_992),
                drops,
                HEADROOM,
                new Interval(SECOND, SECOND + 214_200_000),
                214_200_000);
    }
}
