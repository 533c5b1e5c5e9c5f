package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.events.LossCharges;

/**
 * Says for each socket that overflowed whether a larger buffer would have helped: how often its reader was away, and how large the buffer would
 * have had to be. What came in until the buffer was full is taken for the rate at which it would have gone on.
 */
final class BufferOrReader {
    private static final long AFTERMATH_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A buffer that survives all but the worst is told of. */
    private static final double SURVIVED_SHARE = 0.9;

    private BufferOrReader() {}

    /** What a socket would have needed in one stall of its reader, {@code Double.MAX_VALUE} if it was full before. */
    private record Need(TimelineEvent stall, double bytes) {}

    /**
     * Returns a line for each socket of a process that dropped datagrams.
     *
     * @param events of the process
     * @param allowedBytes the largest buffer that the kernel grants, as it counts; 0: unknown
     */
    static List<String> lines(String process, List<TimelineEvent> events, long allowedBytes) {
        List<TimelineEvent> stalls = events.stream()
                .filter(event -> event.type() == TimelineEventType.STALL
                        && event.process().equals(process))
                .toList();
        Map<Long, List<TimelineEvent>> drops = new LinkedHashMap<>();
        events.stream()
                .filter(event -> event.type() == TimelineEventType.DATAGRAMS_DROPPED
                        && event.process().equals(process))
                .forEach(drop -> drops.computeIfAbsent(drop.longDetail("inode", 0), inode -> new ArrayList<>())
                        .add(drop));
        return drops.values().stream()
                .map(ofSocket -> line(ofSocket, stalls, allowedBytes))
                .toList();
    }

    private static String line(List<TimelineEvent> drops, List<TimelineEvent> stalls, long allowedBytes) {
        LossCharges charges = new LossCharges(
                drops,
                stalls.stream()
                        .map(stall -> new LossCharges.Claim(
                                stall, null, new Interval(stall.timeNs(), stall.endNs() + AFTERMATH_NS)))
                        .toList());
        List<Need> needs = stalls.stream()
                .filter(stall -> !charges.of(stall).isEmpty())
                .map(stall -> new Need(stall, needOf(stall, charges.of(stall))))
                .sorted((left, right) -> Double.compare(left.bytes, right.bytes))
                .toList();
        String socket = drops.get(0).textDetail("local") + ": ";
        String dropped = Format.counted(
                drops.stream()
                        .mapToLong(drop -> drop.longDetail("datagrams", 0))
                        .sum(),
                "datagram");
        if (needs.isEmpty()) {
            return socket + "no reader was seen away while it dropped " + dropped + ": more came in at once than its"
                    + " buffer of " + Format.bytes(limitOf(drops.get(0))) + " holds, or than its reader takes";
        }
        double longestMs = needs.stream()
                .mapToDouble(need -> need.stall.interval().lengthMs())
                .max()
                .orElse(0);
        String away = socket + "it dropped " + dropped + "; its reader was away "
                + (needs.size() == 1 ? "once, " : Format.count(needs.size()) + " times, ")
                + Format.milliseconds(longestMs) + (needs.size() == 1 ? "" : " at most");
        return away + survival(needs) + allowed(allowedBytes);
    }

    private static String survival(List<Need> needs) {
        int index = (int) Math.ceil(SURVIVED_SHARE * needs.size()) - 1;
        while (index >= 0 && needs.get(index).bytes == Double.MAX_VALUE) {
            index--;
        }
        if (index < 0) {
            return "; the buffer was full before, so that a larger one cannot be told";
        }
        long bytes = (long) Math.ceil(needs.get(index).bytes);
        long survived = needs.stream().filter(need -> need.bytes <= bytes).count();
        return "; a buffer of " + Format.bytes(bytes) + " would have survived "
                + (needs.size() == 1 ? "that" : Format.count(survived) + " of " + Format.count(needs.size()));
    }

    private static String allowed(long allowedBytes) {
        return allowedBytes <= 0 ? "" : "; the kernel allows " + Format.bytes(allowedBytes) + " here";
    }

    private static double needOf(TimelineEvent stall, List<TimelineEvent> drops) {
        long firstNs = drops.stream().mapToLong(TimelineEvent::timeNs).min().orElse(stall.timeNs());
        long filledNs = firstNs - stall.timeNs();
        return filledNs <= 0
                ? Double.MAX_VALUE
                : limitOf(drops.get(0)) * Math.max(1, stall.interval().lengthNs() / (double) filledNs);
    }

    private static long limitOf(TimelineEvent drop) {
        return drop.longDetail("limitBytes", 0);
    }
}
