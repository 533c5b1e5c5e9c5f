package org.naklab.lab.watch.command.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.aeron.SubscriptionSummary;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.terminal.MonotonicToWallClock;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Help.Ansi.Text;

/** The sockets of a process as a table, with as many columns as there is room for. */
final class SocketTable {
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final String UNKNOWN = "-";

    private final MonotonicToWallClock clock;

    /** The columns from the left. */
    private enum Column {
        SOCKET("socket"),
        DEPTH("depth"),
        LIMIT("limit"),
        HEADROOM("headroom"),
        DROPPED("dropped"),
        RATE("rate"),
        STALL("last stall"),
        AT("at");

        /** Those that may be missing, beginning with what is missed least. */
        private static final List<Column> DISPENSABLE = List.of(AT, RATE, LIMIT, HEADROOM, STALL);

        private final String title;

        Column(String title) {
            this.title = title;
        }
    }

    SocketTable(MonotonicToWallClock clock) {
        this.clock = clock;
    }

    void print(Terminal page, List<SocketSummary> sockets) {
        if (sockets.isEmpty()) {
            page.out().println("  no UDP socket yet");
            return;
        }
        Set<Column> columns = EnumSet.allOf(Column.class);
        Table table = table(page, sockets, columns);
        for (Column next : Column.DISPENSABLE) {
            if (table.naturalWidth() > page.columns(page.out())) {
                columns.remove(next);
                table = table(page, sockets, columns);
            }
        }
        table.print();
    }

    private Table table(Terminal page, List<SocketSummary> sockets, Set<Column> columns) {
        Align[] alignment = new Align[columns.size()];
        Arrays.fill(alignment, Align.RIGHT);
        alignment[0] = Align.LEFT;
        Table table = new Table(page, page.out(), alignment);
        table.head(columns.stream().map(column -> column.title).toArray(String[]::new));
        for (SocketSummary socket : sockets) {
            table.row(columns.stream()
                    .map(column -> cell(page, column, socket, sockets))
                    .toArray(Text[]::new));
        }
        return table;
    }

    private Text cell(Terminal page, Column column, SocketSummary socket, List<SocketSummary> all) {
        Interval stall = socket.lastStall();
        Headroom now = socket.headroom().present();
        return switch (column) {
            case SOCKET -> page.plain(page.out(), name(socket, all));
            case DEPTH -> warning(page, Format.bytes(socket.depths().depthBytes()), isHalfFull(socket), "yellow");
            case LIMIT ->
                page.plain(
                        page.out(),
                        socket.depths().limitBytes() < 0
                                ? UNKNOWN
                                : Format.bytes(socket.depths().limitBytes()));
            case HEADROOM -> page.plain(page.out(), now.isKnown() ? Format.milliseconds(now.headroomMs()) : UNKNOWN);
            case DROPPED -> warning(page, Format.count(socket.drops()), socket.drops() > 0, "bold,red");
            case RATE -> page.plain(page.out(), rate(now.arrivalBytesPerSecond()));
            case STALL -> page.plain(page.out(), stall == null ? UNKNOWN : Format.milliseconds(stall.lengthMs()));
            case AT -> page.plain(page.out(), stall == null ? "" : seconds(stall.beginNs()));
        };
    }

    private static Text warning(Terminal page, String figure, boolean isGiven, String style) {
        return isGiven ? page.markup(page.out(), "@|" + style + " " + figure + "|@") : page.plain(page.out(), figure);
    }

    private static boolean isHalfFull(SocketSummary socket) {
        return socket.depths().limitBytes() > 0
                && 2 * socket.depths().depthBytes() >= socket.depths().limitBytes();
    }

    private static String rate(long bytesPerSecond) {
        return bytesPerSecond < 0
                ? UNKNOWN
                : String.format(Locale.ROOT, "%.2f MB/s", bytesPerSecond / BYTES_PER_MEGABYTE);
    }

    /** Milliseconds are for the events; here they would only flicker. */
    private String seconds(long timeNs) {
        return clock.show(timeNs).replaceFirst("\\.\\d+$", "");
    }

    /** The group says more than the wildcard to which its socket is bound; several sockets of one name are told apart by their inodes. */
    private static String name(SocketSummary socket, List<SocketSummary> all) {
        boolean isUnique =
                all.stream().filter(other -> name(other).equals(name(socket))).count() == 1;
        return isUnique ? name(socket) : name(socket) + "#" + socket.identity().inode();
    }

    private static String name(SocketSummary socket) {
        return socket.groups().isEmpty()
                ? socket.identity().endpoint()
                : String.join(",", socket.groups()) + ":" + socket.identity().localPort();
    }

    void printSubscriptions(Terminal page, List<SubscriptionSummary> subscriptions) {
        if (subscriptions.isEmpty()) {
            return;
        }
        Table table = new Table(page, page.out(), Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.LEFT);
        table.head("stream", "deepest", "not polled", "channel");
        for (SubscriptionSummary each : subscriptions) {
            List<String> cells = new ArrayList<>(List.of(
                    String.valueOf(each.stream().streamId()),
                    Format.bytes(each.maxDepthBytes()),
                    each.longestStandstillNs() == 0
                            ? UNKNOWN
                            : Format.milliseconds(each.longestStandstillNs() / Units.NS_PER_MS),
                    each.stream().channel()));
            table.row(cells.toArray(String[]::new));
        }
        table.print();
    }
}
