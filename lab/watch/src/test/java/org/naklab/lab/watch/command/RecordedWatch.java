package org.naklab.lab.watch.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.watch.command.live.WatchedProcess;

/**
 * Shows a recorded case as a watch shows it live: all of its events, and one socket with the figures of the last of them. Shows a further line, "step N", for each
 * line of its standard input; ends when that is "end", with a summary.
 */
final class RecordedWatch {
    private static final long LOOK_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private RecordedWatch() {}

    public static void main(String[] arguments) throws IOException {
        List<TimelineEvent> events = events(Path.of(arguments[0]));
        WatchedProcess process =
                new WatchedProcess("process 26689", events.get(0).timeNs(), List.of(socket(events)), List.of());
        WatchConsole console = new WatchConsole(Terminal.ofProcess(), false, false, true);
        events.forEach(console::onEvent);
        console.printAll();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = "";
        for (int step = 0; !line.equals("end"); step++) {
            console.print("step " + step);
            while (!input.ready()) {
                console.refresh(() -> List.of(process));
                LockSupport.parkNanos(LOOK_PERIOD_NS);
            }
            line = input.readLine();
        }
        console.endLive();
        console.print("the summary");
    }

    private static SocketSummary socket(List<TimelineEvent> events) {
        TimelineEvent drained = last(events, TimelineEventType.SOCKET_DRAINED);
        TimelineEvent dropped = last(events, TimelineEventType.DATAGRAMS_DROPPED);
        return new SocketSummary(
                new SocketIdentity(
                        drained.longDetail("inode", 0), false, "127.0.0.1", (int) drained.longDetail("port", 0)),
                List.of(),
                new SocketSummary.Depths(
                        drained.longDetail("peakBytes", 0),
                        drained.longDetail("peakNs", 0),
                        0,
                        drained.longDetail("limitBytes", 0)),
                dropped.longDetail("total", 0),
                Headroom.NONE,
                new Interval(drained.timeNs() - drained.durationNs(), drained.timeNs()),
                0);
    }

    private static TimelineEvent last(List<TimelineEvent> events, TimelineEventType type) {
        return events.stream()
                .filter(event -> event.type() == type)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private static List<TimelineEvent> events(Path recorded) throws IOException {
        Path file = recorded.resolve("timeline.jsonl.gz");
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return TimelineReader.read(lines, file.toString());
        }
    }
}
