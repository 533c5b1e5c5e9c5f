package org.naklab.lab.watch.command.live;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.instruments.sampling.SocketSample;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.MonotonicToWallClock;

/** An event as one line for a reader: when, what, where, and the figures. */
public final class EventFormatter {
    /** Told by the line's beginning, or of no use to a reader. */
    private static final Set<String> ELSEWHERE = Set.of(
            "inode",
            "local",
            "port",
            "groups",
            "grownNs",
            "detectedNs",
            "seenNs",
            "stack",
            "kind",
            "object",
            "osThread");

    /** Keys of details in nanoseconds that are durations; the others are times. */
    private static final Set<String> LENGTHS = Set.of(
            "durationNs",
            "delayNs",
            "latenessNs",
            "gapNs",
            "callbackNs",
            "cpuNs",
            "runDelayNs",
            "runnableNs",
            "faultNs",
            "blockedNs",
            "wakerWaitNs",
            "senderAbsentNs",
            "usualGapNs",
            "longestGapNs",
            "longestCallbackNs",
            "meanCallbackNs",
            "throttledNs",
            "toSafepointNs");

    /** Keys of details in milliseconds. */
    private static final Set<String> MILLISECONDS = Set.of("headroomMs", "longestStallMs");

    /** Words that precede a detail in a sentence. */
    private static final Map<String, String> SENTENCE = Map.of("what", "", "where", "at ");

    /** A stall is that of a thread; a socket is not read meanwhile, and may not have been read before. */
    private static final Map<String, String> NAMES = Map.of("longestStallMs", "nothing read for at most");

    private final MonotonicToWallClock clock;

    public EventFormatter(MonotonicToWallClock clock) {
        this.clock = clock;
    }

    public String of(TimelineEvent event) {
        String what = event.type().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return Printable.of(
                String.format(Locale.ROOT, "%s  %-19s  %s", clock.show(event.timeNs()), what, figures(event)));
    }

    /** Returns where an event was, and its figures, as one line. */
    public String figures(TimelineEvent event) {
        String figures = event.details().entrySet().stream()
                .filter(detail -> !ELSEWHERE.contains(detail.getKey()))
                .map(this::figure)
                .collect(Collectors.joining(", "));
        return Printable.of(where(event) + (figures.isEmpty() ? "" : "  " + figures));
    }

    /** Returns the cause of a stall as one line, with what it consisted of; its time is that of the stall. */
    public String cause(Stall stall) {
        return Printable.of(String.format(
                Locale.ROOT,
                "%s  %-19s  %s/%s  %s, %s",
                clock.show(stall.atNs()),
                "cause of stall",
                stall.process(),
                stall.thread(),
                stall.cause(),
                String.join(" ", stall.account().terms())));
    }

    /** A socket as one writes it, with what tells it from others of the same endpoint. */
    public static String socket(Object endpoint, Object inode, Object groups) {
        return endpoint + " (" + (groups.equals("") ? "" : "group " + groups + ", ") + "inode " + inode + ")";
    }

    private static String where(TimelineEvent event) {
        if (event instanceof SocketEvent ofSocket) {
            SocketEvent.Socket socket = ofSocket.socket();
            return socket(socket.local(), socket.inode(), socket.groups());
        }
        return event.thread().isEmpty() ? event.process() : event.process() + "/" + event.thread();
    }

    private String figure(Map.Entry<String, Object> detail) {
        String key = detail.getKey();
        String unit = unit(key);
        if (detail.getValue() instanceof Number && !unit.isEmpty()) {
            return words(key, unit) + ' ' + value(key, detail.getValue());
        }
        String label = SENTENCE.getOrDefault(key, words(key, "") + ' ');
        return label + detail.getValue();
    }

    private static String unit(String key) {
        if (key.endsWith("Ns") || MILLISECONDS.contains(key)) {
            return key.substring(key.length() - 2);
        }
        return key.endsWith("Bytes") ? "Bytes" : "";
    }

    /**
     * Returns a detail of an event with its unit.
     *
     * @param key whose end is the unit of a number
     */
    private String value(String key, Object detail) {
        if (detail instanceof Number number) {
            if (key.endsWith("Ns")) {
                long valueNs = number.longValue();
                return LENGTHS.contains(key) ? Format.milliseconds(valueNs / Units.NS_PER_MS) : clock.show(valueNs);
            }
            if (key.endsWith("Bytes")) {
                return bytes(number.longValue());
            }
            if (key.endsWith("Ms")) {
                return Format.milliseconds(number.doubleValue());
            }
        }
        return detail.toString();
    }

    /** Formats a size of a socket, which may be unknown. */
    public static String bytes(long value) {
        return value == SocketSample.UNKNOWN ? "unknown" : Format.bytes(value);
    }

    private static String words(String key, String unit) {
        String known = NAMES.get(key);
        if (known != null) {
            return known;
        }
        return key.substring(0, key.length() - unit.length())
                .replaceAll("([A-Z])", " $1")
                .toLowerCase(Locale.ROOT);
    }
}
