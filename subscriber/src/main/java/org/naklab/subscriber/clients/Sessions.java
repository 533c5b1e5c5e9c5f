package org.naklab.subscriber.clients;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of a server, and what became of them. Of the thread that serves clients, but for the counts. */
final class Sessions {
    private static final Logger LOGGER = LoggerFactory.getLogger(Sessions.class);

    private final String name;
    private final int maxSessions;
    private final List<SoupSession> open = new ArrayList<>();
    private boolean isOver;
    final AtomicLong served = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    final AtomicLong warned = new AtomicLong();
    final AtomicLong disconnected = new AtomicLong();
    final AtomicLong skippedQuotes = new AtomicLong();
    final AtomicLong mostAtOnce = new AtomicLong();
    final AtomicLong mostWaitingBytes = new AtomicLong();

    Sessions(String name, int maxSessions) {
        this.name = name;
        this.maxSessions = maxSessions;
    }

    /** Returns the name of the session on the wire, up to ten characters. */
    String name() {
        return name;
    }

    /** Takes in a connection; false when there are too many, or clients are served no more. */
    boolean add(SoupSession session) {
        if (isOver || open.size() >= maxSessions) {
            refused.incrementAndGet();
            return false;
        }
        open.add(session);
        return true;
    }

    /** Ends all connections without the end of the session, and refuses those to come. */
    void breakOff() {
        isOver = true;
        open().forEach(SoupSession::drop);
    }

    void remove(SoupSession session) {
        open.remove(session);
    }

    void onLoggedIn() {
        served.incrementAndGet();
        mostAtOnce.accumulateAndGet(open.size(), Math::max);
    }

    void onWaiting(long bytes) {
        if (bytes > mostWaitingBytes.getPlain()) {
            mostWaitingBytes.lazySet(bytes);
        }
    }

    void onBroken(Throwable cause) {
        LOGGER.debug("a client's connection ended", cause);
    }

    /** Returns those that are connected now; they may close while the list is walked through. */
    List<SoupSession> open() {
        return List.copyOf(open);
    }
}
