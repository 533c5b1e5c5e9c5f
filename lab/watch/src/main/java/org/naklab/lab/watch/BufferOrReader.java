package org.naklab.lab.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.diagnosis.events.LossCharges;

/**
 * Says for each socket that overflowed whether a larger buffer would have helped: how often its reader was away, and how large the buffer would
 * have had to be. All that came in while the buffer was full was dropped and counted, so that a larger one would have had to hold this too:
 *
 * <pre>
 *  depth
 *  limit ...._______ dropped datagrams, each as large as those that filled the buffer
 *         __/       |
 *      __/          |
 *     |  fills      '- the reader is back
 *     rise
 * </pre>
 *
 * The size of a datagram, as the kernel counts it, is the rate of the fill by that of the drops, in the middle of all stalls of the socket. Keeps
 * the last 10,000 stalls and reports of drops of a process. Thread-safe.
 */
public final class BufferOrReader implements TimelineListener {
    private static final long AFTERMATH_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A buffer that survives all but the worst is told of. */
    private static final double SURVIVED_SHARE = 0.9;
    /** A stall that was told has come here by then. */
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long TOLD_PERIOD_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_EVENTS = 10_000;

    private final String process;
    private final Deque<TimelineEvent> stalls = new ArrayDeque<>();
    private final Deque<SocketEvent.DepthRise> rises = new ArrayDeque<>();
    private final Deque<SocketEvent.Dropped> drops = new ArrayDeque<>();
    private final Map<Long, Long> dropped = new HashMap<>();
    private final Map<Long, String> told = new HashMap<>();
    private boolean isNew;
    private long nextTellNs = Long.MIN_VALUE;

    /** Tells what a socket lost in one stall of its reader. */
    private record Overflow(TimelineEvent stall, double limitBytes, double fillNs, double fullNs, long lost) {
        /** Returns the size of a datagram as the kernel counts it; 0: not known, as the buffer was full before. */
        double datagramBytes() {
            return fillNs <= 0 || fullNs <= 0 ? 0 : limitBytes / fillNs * fullNs / lost;
        }
    }

    /** @param process whose sockets are judged */
    public BufferOrReader(String process) {
        this.process = process;
    }

    @Override
    public synchronized void onEvent(TimelineEvent event) {
        if (!event.process().equals(process)) {
            return;
        }
        if (event.type() == TimelineEventType.STALL) {
            add(stalls, event);
        } else if (event instanceof SocketEvent.DepthRise rise) {
            add(rises, rise);
        } else if (event instanceof SocketEvent.Dropped drop) {
            add(drops, drop);
            dropped.merge(drop.inode(), drop.datagrams(), Long::sum);
            isNew = true;
        }
    }

    private static <E> void add(Deque<E> events, E event) {
        if (events.size() == MAX_EVENTS) {
            events.removeFirst();
        }
        events.addLast(event);
    }

    /**
     * Returns the lines that are new since the last call, at most every ten seconds, and not before the stalls of the time of the drops have been told: until then nobody
     * knows that no reader was away.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     * @param toldNs until when all stalls that were over have been told, ns
     * @param allowedBytes returns the largest buffer that the kernel grants, as it counts, 0 if that is unknown; only asked for new lines
     */
    public synchronized List<String> takeNews(long nowNs, long toldNs, LongSupplier allowedBytes) {
        SocketEvent.Dropped last = drops.peekLast();
        if (!isNew || last == null || toldNs - last.detectedNs() < SETTLED_NS || nowNs < nextTellNs) {
            return List.of();
        }
        isNew = false;
        nextTellNs = nowNs + TOLD_PERIOD_NS;
        List<String> news = new ArrayList<>();
        linesBySocket(allowedBytes.getAsLong()).forEach((inode, line) -> {
            if (!line.equals(told.put(inode, line))) {
                news.add(line);
            }
        });
        return news;
    }

    /**
     * Returns a line for each socket of the process that dropped datagrams.
     *
     * @param allowedBytes the largest buffer that the kernel grants, as it counts; 0: unknown
     */
    public synchronized List<String> lines(long allowedBytes) {
        return List.copyOf(linesBySocket(allowedBytes).values());
    }

    private Map<Long, String> linesBySocket(long allowedBytes) {
        Map<Long, List<SocketEvent.Dropped>> bySocket = new LinkedHashMap<>();
        drops.forEach(drop -> bySocket.computeIfAbsent(drop.inode(), inode -> new ArrayList<>())
                .add(drop));
        Map<Long, String> lines = new LinkedHashMap<>();
        bySocket.forEach((inode, ofSocket) -> lines.put(inode, line(inode, ofSocket, allowedBytes)));
        return lines;
    }

    private String line(long inode, List<SocketEvent.Dropped> ofSocket, long allowedBytes) {
        LossCharges charges = new LossCharges(
                ofSocket,
                stalls.stream()
                        .map(stall -> new LossCharges.Claim(
                                stall, null, new Interval(stall.timeNs(), stall.endNs() + AFTERMATH_NS)))
                        .toList());
        List<Overflow> overflows = stalls.stream()
                .filter(stall -> !charges.of(stall).isEmpty())
                .map(stall -> overflow(inode, stall, charges.of(stall)))
                .toList();
        String socket = ofSocket.get(0).socket().local() + ": ";
        String lost = Format.counted(dropped.getOrDefault(inode, 0L), "datagram");
        if (overflows.isEmpty()) {
            return socket + "no reader was seen away while it dropped " + lost + ": more came in at once than its"
                    + " buffer of " + Format.bytes(limitOf(ofSocket.get(0))) + " holds, or than its reader takes";
        }
        double longestMs = overflows.stream()
                .mapToDouble(overflow -> overflow.stall.interval().lengthMs())
                .max()
                .orElse(0);
        return socket + "it dropped " + lost + "; its reader was away "
                + (overflows.size() == 1 ? "once, " : Format.count(overflows.size()) + " times, ")
                + Format.milliseconds(longestMs) + (overflows.size() == 1 ? "" : " at most") + survival(overflows)
                + allowed(allowedBytes);
    }

    private Overflow overflow(long inode, TimelineEvent stall, List<SocketEvent.Dropped> ofStall) {
        long firstNs = ofStall.stream().mapToLong(TimelineEvent::timeNs).min().orElse(stall.timeNs());
        long lastNs = ofStall.stream()
                .mapToLong(SocketEvent.Dropped::detectedNs)
                .max()
                .orElse(firstNs);
        // The first drops are reported at once, and those that follow together, up to a tenth of a second later.
        long beganNs = rises.stream()
                .filter(rise -> rise.inode() == inode && rise.timeNs() <= firstNs)
                .mapToLong(TimelineEvent::timeNs)
                .reduce(stall.timeNs(), Math::max);
        return new Overflow(
                stall,
                limitOf(ofStall.get(0)),
                firstNs - beganNs,
                Math.min(lastNs, stall.endNs()) - firstNs,
                Math.max(
                        1,
                        ofStall.stream()
                                .mapToLong(SocketEvent.Dropped::datagrams)
                                .sum()));
    }

    private static String survival(List<Overflow> overflows) {
        OptionalDouble datagramBytes = middle(overflows.stream()
                .mapToDouble(Overflow::datagramBytes)
                .filter(bytes -> bytes > 0)
                .sorted()
                .toArray());
        if (datagramBytes.isEmpty()) {
            return "; the buffer was full before, so that a larger one cannot be told";
        }
        double[] needs = overflows.stream()
                .mapToDouble(overflow -> overflow.limitBytes + overflow.lost * datagramBytes.getAsDouble())
                .sorted()
                .toArray();
        int survived = (int) Math.ceil(SURVIVED_SHARE * needs.length);
        return "; a buffer of " + Format.bytes((long) Math.ceil(needs[survived - 1])) + " would have survived "
                + (needs.length == 1 ? "that" : Format.count(survived) + " of " + Format.count(needs.length));
    }

    private static OptionalDouble middle(double[] sorted) {
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[sorted.length / 2]);
    }

    private static String allowed(long allowedBytes) {
        return allowedBytes <= 0 ? "" : "; the kernel allows " + Format.bytes(allowedBytes) + " here";
    }

    private static long limitOf(SocketEvent.Dropped drop) {
        return drop.fill() == null ? 0 : drop.fill().limitBytes();
    }
}
