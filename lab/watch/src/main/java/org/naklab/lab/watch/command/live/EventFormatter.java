package org.naklab.lab.watch.command.live;

import java.util.Locale;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.SocketSample;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.MonotonicToWallClock;

/** An event as one line for a reader: when, its name, and a sentence. */
public final class EventFormatter {
    private final MonotonicToWallClock clock;

    public EventFormatter(MonotonicToWallClock clock) {
        this.clock = clock;
    }

    /** Returns an event as one line; scripts find it by its name. */
    public String of(TimelineEvent event) {
        return line(event.timeNs(), name(event.type()), EventSentences.of(event));
    }

    /** Returns the cause of a stall as one line, with what it consisted of; its time is that of the stall. */
    public String cause(Stall stall) {
        return line(
                stall.atNs(),
                "cause of stall",
                stall.process() + "/" + stall.thread() + "  " + stall.cause() + ", "
                        + String.join(" ", stall.account().terms()));
    }

    private String line(long timeNs, String name, String text) {
        return Printable.of(String.format(Locale.ROOT, "%s  %-19s  %s", clock.show(timeNs), name, text));
    }

    /** Returns the name of a type as lines have it. */
    static String name(TimelineEventType type) {
        return type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** A socket as one writes it, with what tells it from others of the same endpoint. */
    public static String socket(Object endpoint, Object inode, Object groups) {
        return endpoint + " (" + (groups.equals("") ? "" : "group " + groups + ", ") + "inode " + inode + ")";
    }

    /** Formats a size of a socket, which may be unknown. */
    public static String bytes(long value) {
        return value == SocketSample.UNKNOWN ? "unknown" : Format.bytes(value);
    }
}
