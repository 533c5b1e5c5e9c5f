package org.naklab.lab.instruments.threads;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.core.timeline.Interval;

/**
 * Tells which times of standing still of a subscription were reported already, for several processes that may contain its client: each is reported once.
 * Thread-safe.
 */
public final class StandstillClaims {
    private static final int MAX_KEPT = 1_000;

    private final Map<String, List<Interval>> claimed = new HashMap<>();
    private final Map<String, List<Bid>> bids = new HashMap<>();
    private final Map<String, Long> recordedNs = new HashMap<>();

    private record Bid(Interval interval, String process, long mismatchNs) {}

    /**
     * Says how well a thread of a process fits a time of standing still, before anyone claims it.
     *
     * @param stream names the stream of the subscription
     * @param mismatchNs between the beginning of the standstill and that of the thread's absence
     */
    public synchronized void bid(String stream, Interval interval, String process, long mismatchNs) {
        List<Bid> all = bids.computeIfAbsent(stream, id -> new ArrayList<>());
        all.removeIf(bid -> bid.process().equals(process) && bid.interval().overlaps(interval));
        all.add(new Bid(interval, process, mismatchNs));
        if (all.size() > MAX_KEPT) {
            all.remove(0);
        }
    }

    /** Returns the process whose thread fits a time of standing still best; empty if none fits. */
    public synchronized Optional<String> best(String stream, Interval interval) {
        return bids.getOrDefault(stream, List.of()).stream()
                .filter(bid -> bid.interval().overlaps(interval))
                .min(Comparator.comparingLong(Bid::mismatchNs).thenComparing(Bid::process))
                .map(Bid::process);
    }

    /**
     * Says until when all records of a process have come, and its bids with them; returns until when those of all processes have, ns.
     *
     * @param untilNs CLOCK_MONOTONIC, ns
     */
    public synchronized long recorded(String process, long untilNs) {
        recordedNs.put(process, untilNs);
        return recordedNs.values().stream().mapToLong(Long::longValue).min().orElse(untilNs);
    }

    /** Ends the part of a process: nobody waits for its records any more. */
    public synchronized void leave(String process) {
        recordedNs.remove(process);
    }

    /**
     * Claims a time of standing still.
     *
     * @param stream names the stream of the subscription
     * @return false if it was claimed before
     */
    public synchronized boolean claim(String stream, Interval interval) {
        List<Interval> others = claimed.computeIfAbsent(stream, id -> new ArrayList<>());
        if (others.stream().anyMatch(interval::overlaps)) {
            return false;
        }
        others.add(interval);
        if (others.size() > MAX_KEPT) {
            others.remove(0);
        }
        return true;
    }
}
