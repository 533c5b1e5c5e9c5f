package org.naklab.lab.watch.command.live;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Lays out what a watch shows: a table of the sockets of each process, and below it the last events. Keeps the last 200 events. */
final class TerminalView {
    private static final int MAX_KEPT = 200;
    /** Rows that the events have at least, if there are so many. */
    private static final int LEAST_EVENT_ROWS = 5;
    /** The title of a process, the head of its table, and the number of the sockets that are not shown. */
    private static final int ROWS_BESIDE_SOCKETS = 3;

    /** A title is one line, which is clipped. */
    private static final int TITLE_COLUMNS = 1_000;

    private static final int LEAST_COLUMNS_WITH_TIME = 50;

    private final Terminal terminal;
    private final SocketTable sockets;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long leftOut;

    /**
     * Holds a line below the table.
     *
     * @param time of an event as the wall clock shows it; empty: the line is no event
     */
    private record Entry(String time, String text) {
        String head() {
            return time.isEmpty() ? "  " : time + "  ";
        }
    }

    TerminalView(Terminal terminal, SocketTable sockets) {
        this.terminal = terminal;
        this.sockets = sockets;
    }

    void add(String time, String text) {
        if (entries.size() == MAX_KEPT) {
            entries.removeFirst();
            leftOut++;
        }
        entries.addLast(new Entry(time, text));
    }

    /** Returns the kept lines, for the time after the screen. */
    List<String> kept() {
        List<String> lines = new ArrayList<>();
        if (leftOut > 0) {
            lines.add(Format.counted(leftOut, "earlier line") + " left out");
        }
        entries.forEach(entry -> lines.add(entry.head() + entry.text()));
        return lines;
    }

    /** Returns the lines of the screen, from the top, with colours. */
    List<String> frame(long nowNs, List<WatchedProcess> processes, TerminalSize size) {
        int tableRows = Math.max(size.rows() - LEAST_EVENT_ROWS, size.rows() / 2);
        int share = Math.max(1, tableRows / Math.max(1, processes.size()) - ROWS_BESIDE_SOCKETS);
        List<String> frame = new ArrayList<>();
        if (processes.isEmpty()) {
            frame.add("waiting for a process; Ctrl-C ends");
        }
        for (WatchedProcess process : processes) {
            frame.addAll(lines(TITLE_COLUMNS, page -> printTitle(page, nowNs, process)));
            frame.addAll(lines(size.columns() - 1, page -> print(page, process, share)));
        }
        List<String> shown = new ArrayList<>(frame.subList(0, Math.min(frame.size(), tableRows)));
        shown.add("");
        shown.addAll(events(size, size.rows() - shown.size()));
        return shown;
    }

    private static void printTitle(Terminal page, long nowNs, WatchedProcess process) {
        new Table(page, page.out(), Align.LEFT)
                .indent(0)
                .bold("watching " + process.title() + " for " + Format.seconds(nowNs - process.beganNs())
                        + "; Ctrl-C ends")
                .print();
    }

    private void print(Terminal page, WatchedProcess process, int share) {
        List<SocketSummary> shown = process.sockets();
        if (shown.size() > share) {
            shown = shown.stream()
                    .sorted(Comparator.comparingLong(SocketSummary::drops)
                            .thenComparingLong(each -> each.depths().maxDepthBytes())
                            .reversed())
                    .limit(share)
                    .toList();
        }
        sockets.print(page, shown);
        if (shown.size() < process.sockets().size()) {
            page.out().println("  and " + Format.counted(process.sockets().size() - shown.size(), "other socket"));
        }
        sockets.printSubscriptions(
                page, process.subscriptions().stream().limit(share).toList());
    }

    /** Returns the last events, as many as have room. */
    private List<String> events(TerminalSize size, int room) {
        if (room <= 0) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        Iterator<Entry> latest = entries.descendingIterator();
        while (latest.hasNext() && lines.size() < room) {
            Entry entry = latest.next();
            List<String> wrapped = new ArrayList<>(lines(size.columns() - 1, page -> print(page, entry)));
            Collections.reverse(wrapped);
            lines.addAll(wrapped);
        }
        Collections.reverse(lines);
        return List.copyOf(lines.subList(Math.max(0, lines.size() - room), lines.size()));
    }

    /** A narrow screen has no column for the times. */
    private static void print(Terminal page, Entry entry) {
        if (page.columns(page.out()) >= LEAST_COLUMNS_WITH_TIME) {
            page.printHanging(page.out(), entry.head(), entry.text());
        } else {
            page.printHanging(page.out(), "  ", (entry.time() + ' ' + entry.text()).strip());
        }
    }

    /** Returns what is printed on a page of that width. */
    private List<String> lines(int columns, Consumer<Terminal> print) {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        Terminal page = terminal.page(buffer, Math.max(1, columns));
        print.accept(page);
        page.out().flush();
        return buffer.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
