package org.naklab.lab.workshop.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Counts wrong codes and tokens by the address of who tried them, so that nobody finds one by trying. */
final class WrongTries {
    /** After as many wrong ones, an address has to wait. */
    static final int MAX_TRIES = 10;

    static final long WAIT_NS = TimeUnit.MINUTES.toNanos(1);

    /** Addresses that are remembered at once. */
    private static final int MAX_CLIENTS = 1_000;

    private final LongSupplier clock;
    private final Map<String, Tries> byClient = new LinkedHashMap<>();

    private record Tries(int count, long beganNs) {}

    /** @param clock of nanoseconds */
    WrongTries(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns whether an address has to wait, even with the right code. */
    synchronized boolean mustWait(String client) {
        Tries tries = byClient.get(client);
        if (tries != null && clock.getAsLong() - tries.beganNs() >= WAIT_NS) {
            byClient.remove(client);
            return false;
        }
        return tries != null && tries.count() >= MAX_TRIES;
    }

    /** Notes a wrong one. */
    synchronized void note(String client) {
        Tries earlier = byClient.remove(client);
        if (byClient.size() >= MAX_CLIENTS) {
            byClient.remove(byClient.keySet().iterator().next());
        }
        byClient.put(
                client,
                earlier == null ? new Tries(1, clock.getAsLong()) : new Tries(earlier.count() + 1, earlier.beganNs()));
    }
}
