package org.naklab.lab.process;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.naklab.messaging.ContextListener;
import org.naklab.messaging.Topic;

/**
 * Notes what happens on a context's thread, and leaves telling it to another: the context thread must not wait for a pipe.
 * When the queue is full the newest are lost, and counted.
 */
final class ContextWatch implements ContextListener {
    private static final int CAPACITY = 4096;

    /** {@code endNs} is 0 for what has no length. */
    record Happening(String type, long beginNs, long endNs) {}

    private final Queue<Happening> happenings = new ManyToOneConcurrentArrayQueue<>(CAPACITY);
    private final ThreadFaults faults = new ThreadFaults();
    private final String thread;
    private volatile boolean imageSeen;
    private final AtomicLong lost = new AtomicLong();

    ContextWatch(String name) {
        thread = name + "-context";
    }

    @Override
    public void onImageAvailable(Topic topic, int sessionId, long timeNs) {
        faults.watchCurrentThread();
        imageSeen |= topic == Topic.ORDER_BOOK_EVENTS;
    }

    @Override
    public void onStall(long beginNs, long endNs) {
        note("STALL", beginNs, endNs);
    }

    @Override
    public void onRateLimitHit(long timeNs) {
        note("RATE_LIMIT_HIT", timeNs, 0);
    }

    @Override
    public void onWakeFailed(long timeNs) {
        note("WAKE_FAILED", timeNs, 0);
    }

    boolean imageSeen() {
        return imageSeen;
    }

    /** Happenings that found the queue full. */
    long lost() {
        return lost.get();
    }

    /** Tells what has been noted since; called by one thread, often, so that faults can be put to their stall. */
    void tell(LabLink link) {
        faults.sample();
        for (Happening next = happenings.poll(); next != null; next = happenings.poll()) {
            link.report(next.type(), next.beginNs(), details(next));
        }
    }

    private Object details(Happening happening) {
        if (happening.endNs() == 0) {
            return Json.object().put("thread", thread);
        }
        return Json.object()
                .put("thread", thread)
                .put("durationMs", (happening.endNs() - happening.beginNs()) / 1e6)
                .put("majorFaults", faults.since(happening.beginNs()));
    }

    private void note(String type, long beginNs, long endNs) {
        if (!happenings.offer(new Happening(type, beginNs, endNs))) {
            lost.incrementAndGet();
        }
    }
}
