package org.naklab.lab.instruments.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.Interval;

/**
 * Which times of standing still of a subscription were reported already, for several processes that may contain its client: each is reported once.
 * Thread-safe.
 */
public final class StandstillClaims {
    private static final int MAX_KEPT = 1_000;

    private final Map<String, List<Interval>> claimed = new HashMap<>();

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
