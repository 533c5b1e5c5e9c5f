package org.naklab.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tells what a fault writes down while it is armed. Thread-safe and bounded. */
public final class ProofLog {
    /** Firings kept; the others are only counted. */
    public static final int MAX_FIRINGS = 64;

    /** The figure that counts firings. */
    public static final String FIRINGS = "firings";

    private final List<Firing> firings = new ArrayList<>();
    private final Map<String, Long> figures = new TreeMap<>();

    /** It struck. */
    public synchronized void fired(long beginNs, long endNs, String what) {
        add(FIRINGS, 1);
        if (firings.size() < MAX_FIRINGS) {
            firings.add(new Firing(beginNs, endNs, what));
        }
    }

    /** Returns whether the next firing's description would be kept: spares the making of one that is thrown away. */
    public synchronized boolean wantsMore() {
        return firings.size() < MAX_FIRINGS;
    }

    public synchronized void add(String figure, long amount) {
        figures.merge(figure, amount, Long::sum);
    }

    public synchronized void set(String figure, long value) {
        figures.put(figure, value);
    }

    /** A figure so far; 0 if there is none of that name. */
    public synchronized long figure(String name) {
        return figures.getOrDefault(name, 0L);
    }

    public long firings() {
        return figure(FIRINGS);
    }

    /** Fired as soon as one firing was logged. */
    public synchronized FaultProof proof(String whenFired, String whenNot) {
        return proof(firings() > 0, whenFired, whenNot);
    }

    /** For faults whose firing takes more than a log entry to prove. */
    public synchronized FaultProof proof(boolean fired, String whenFired, String whenNot) {
        return new FaultProof(fired, fired ? whenFired : whenNot, figures, firings);
    }
}
