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
 *
 * @param sender address of the sender that was silent; empty if the membership was lost
 * @param usualMs the longest usual time between two datagrams; 0 if the membership was lost
 * @param isLasting whether it was not over at the end
 * @param isOwn whether the sender is a socket of the watched process itself, as that of a media driver that also sends
 * @param haltedMs how long of it that process was halted, ms; 0 for a foreign sender
 */
public record FeedInterruption(
        int port,
        String group,
        String sender,
        Interval interval,
        double usualMs,
        boolean isLasting,
        boolean isOwn,
        double haltedMs) {
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
                .filter(each -> ports.contains(each.port) && each.interval.overlaps(counted)));
    }

    /** @param halts of threads of the process; a signal stops all of them together */
    private static Optional<FeedInterruption> of(
            String process, TimelineEvent event, Set<Integer> ports, List<Interval> halts) {
        if (event instanceof DatagramEvent.MembershipLost lost && lost.process().equals(process)) {
            return Optional.ofNullable(lost.port())
                    .map(port -> new FeedInterruption(
                            port, lost.group(), "", lost.interval(), 0, lost.isLasting(), false, 0));
        }
        return event.as(DatagramEvent.Silence.class).map(silence -> {
            boolean isOwn = ports.contains(portOf(silence.source()));
            return new FeedInterruption(
                    silence.port(),
                    silence.group(),
                    silence.source(),
                    silence.interval(),
                    silence.usualGapNs() / Units.NS_PER_MS,
                    silence.isOpen(),
                    isOwn,
                    isOwn ? event.interval().coveredBy(halts) * event.interval().lengthMs() : 0);
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
        return sender.isEmpty() && !isLasting;
    }

    /** Returns it as one line. */
    String sentence() {
        String length = Format.milliseconds(interval.lengthMs());
        return sender.isEmpty()
                ? "for " + length + " no socket of this host was a member of " + group + ", the group of port " + port
                        + end()
                : "no datagram for port " + port + " of " + group + " came in for " + length + " (usually at most "
                        + Format.milliseconds(usualMs) + "), from " + sender + own() + end();
    }

    private String own() {
        if (!isOwn) {
            return "";
        }
        return ", a socket of this process"
                + (haltedMs > 0 ? ", which was stopped for " + Format.milliseconds(haltedMs) + " of that time" : "");
    }

    private String end() {
        return isLasting ? ", until the end" : "";
    }
}
