package org.naklab.lab.cli.watch;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.cli.terminal.EventFormatter;
import org.naklab.lab.cli.terminal.MonotonicToWallClock;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.sockets.SocketSummary;

/** Prints the output of a watch: events as they happen, then a summary of each socket. */
final class WatchConsole implements TimelineListener {
    private final Terminal terminal;
    private final PrintStream out;
    private final PrintStream words;
    private final boolean jsonLines;
    private final EventFormatter line = new EventFormatter(MonotonicToWallClock.ofSystem());
    private final List<TimelineEvent> early = new ArrayList<>();
    private boolean begun;
    private volatile boolean processEnded;
    private volatile boolean unread;

    /** @param jsonLines whether standard output is kept for events as JSON, one a line */
    WatchConsole(Terminal terminal, boolean jsonLines) {
        this.terminal = terminal;
        this.jsonLines = jsonLines;
        out = terminal.out();
        words = jsonLines ? terminal.err() : out;
    }

    /** Standard output may go away, as {@code head} does; there is no use in going on then. */
    @Override
    public synchronized void onEvent(TimelineEvent event) {
        if (begun) {
            print(event);
        } else {
            early.add(event);
        }
    }

    private void print(TimelineEvent event) {
        out.println(jsonLines ? Json.line(event) : line.of(event));
        unread |= out.checkError();
        processEnded |= event.type() == TimelineEventType.PROCESS_ENDED;
    }

    /** Prints the instruments and what is missing, then the events that have occurred meanwhile. */
    synchronized void begin(String process, List<String> instruments, List<String> missing) {
        words.println("watching " + process);
        instruments.forEach(instrument -> words.println("  " + instrument));
        missing.forEach(line -> words.println("  missing: " + line));
        begun = true;
        early.forEach(this::print);
        early.clear();
    }

    boolean isOver() {
        return processEnded || unread;
    }

    synchronized void summarise(List<SocketSummary> sockets, SamplerStatistics cost) {
        words.println(sockets.isEmpty() ? "no UDP socket was found" : "sockets:");
        for (SocketSummary socket : sockets) {
            words.println("  " + summary(socket));
            terminal.printHanging(words, "    ", socket.headroom().sentence());
        }
        words.printf(
                Locale.ROOT,
                "%s samples in %s, %s missed; the sampler took %.1f %% of a core%n",
                Format.count(cost.ticks()),
                Format.seconds(cost.elapsedNs()),
                Format.count(cost.missedTicks()),
                100 * cost.cpuShare());
    }

    /** Prints a line that is no event. */
    synchronized void print(String line) {
        words.println(line);
    }

    private static String summary(SocketSummary socket) {
        String which = EventFormatter.socket(
                socket.identity().endpoint(), socket.identity().inode(), String.join(",", socket.groups()));
        return which + "  deepest " + Format.bytes(socket.maxDepthBytes()) + " of "
                + EventFormatter.bytes(socket.limitBytes()) + ", dropped " + Format.count(socket.drops());
    }
}
