package org.naklab.lab.watch;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * A time in which no datagram of a feed came in, because nobody sent one, or because no socket of the host was a member of its group.
 */
public record FeedInterruption(Feed stream, Interval interval, Manner manner) {
    /**
     * Names the stream.
     *
     * @param sender address of the sender that was silent; empty if the membership was lost
     */
    public record Feed(int port, String group, String sender) {}

    /**
     * Tells what kind of interruption it is.
     *
     * @param usualMs the longest usual time between two datagrams; 0 if the membership was lost
     * @param isLasting whether it was not over at the end
     * @param isOwn whether the sender is a socket of the watched process itself, as that of a media driver that also sends
     * @param haltedMs how long of it that process was halted, ms; 0 for a foreign sender
     */
    public record Manner(double usualMs, boolean isLasting, boolean isOwn, double haltedMs) {}

    private static final int MAX_KEPT = 100;

    /** Returns the interruptions at the ports of a process that overlap an interval. */
    static List<FeedInterruption> of(String process, Interval counted, List<TimelineEvent> events, Set<Integer> ports) {
        List<Interval> halts = events.stream()
                .filter(event -> event.type() == TimelineEventType.THREAD_CONTINUED
                        && event.process().equals(process))
                .map(TimelineEvent::interval)
                .toList();
        return longest(events.stream()
                .flatMap(event -> of(process, event, ports, halts).stream())
                .filter(each -> ports.contains(each.stream.port()) && each.interval.overlaps(counted)));
    }

    /** @param halts of threads of the process; a signal stops all of them together */
    private static Optional<FeedInterruption> of(
            String process, TimelineEvent event, Set<Integer> ports, List<Interval> halts) {
        if (event instanceof DatagramEvent.MembershipLost lost && lost.process().equals(process)) {
            return Optional.ofNullable(lost.port())
                    .map(port -> new FeedInterruption(
                            new Feed(port, lost.group(), ""),
                            lost.interval(),
                            new Manner(0, lost.isLasting(), false, 0)));
        }
        return event.as(DatagramEvent.Silence.class).map(silence -> {
            boolean isOwn = ports.contains(portOf(silence.from().source()));
            return new FeedInterruption(
                    new Feed(
                            silence.from().port(),
                            silence.from().group(),
                            silence.from().source()),
                    silence.interval(),
                    new Manner(
                            silence.pace().usualGapNs() / Units.NS_PER_MS,
                            silence.pace().isOpen(),
                            isOwn,
                            isOwn
                                    ? event.interval().coveredBy(halts)
                                            * event.interval().lengthMs()
                                    : 0));
        });
    }

    /** Returns the port of an address such as {@code 127.0.0.1:40123}; 0 without one. */
    private static int portOf(String address) {
        String port = address.substring(address.lastIndexOf(':') + 1);
        return port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0;
    }

    /** Returns the longest hundred of them, as they began. */
    static List<FeedInterruption> longest(Stream<FeedInterruption> all) {
        return all.sorted(Comparator.comparingLong(
                                (FeedInterruption each) -> each.interval().lengthNs())
                        .reversed())
                .limit(MAX_KEPT)
                .sorted(Comparator.comparingLong(each -> each.interval().beginNs()))
                .toList();
    }

    /** Returns whether datagrams may have been lost. A process that has left its group for good, or whose sender is silent, has lost nothing. */
    boolean isLoss() {
        return stream.sender().isEmpty() && !manner.isLasting();
    }

    /** Returns it as one line. */
    String sentence() {
        String length = Format.milliseconds(interval.lengthMs());
        return stream.sender().isEmpty()
                ? "for " + length + " no socket of this host was a member of " + stream.group() + ", the group of port "
                        + stream.port() + end()
                : "no datagram for port " + stream.port() + " of " + stream.group() + " came in for " + length
                        + " (usually at most " + Format.milliseconds(manner.usualMs()) + "), from " + stream.sender()
                        + own() + end();
    }

    private String own() {
        if (!manner.isOwn()) {
            return "";
        }
        return ", a socket of this process"
                + (manner.haltedMs() > 0
                        ? ", which was stopped for " + Format.milliseconds(manner.haltedMs()) + " of that time"
                        : "");
    }

    private String end() {
        return manner.isLasting() ? ", until the end" : "";
    }
}
