package org.naklab.lab.replica.child;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.seam.WakeUpLocks;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.replica.monitor.CpuPressure;
import org.naklab.lab.replica.monitor.CpuStealHistory;
import org.naklab.lab.replica.monitor.GcPauses;
import org.naklab.lab.replica.monitor.MajorFaultHistory;
import org.naklab.messaging.ContextListener;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;

/**
 * Notes what happens on a context's thread, and leaves telling it to another: the context thread must not wait for a pipe.
 * When the queue is full the newest are lost, and counted.
 */
public final class ContextEventReporter implements ContextListener {
    private static final int CAPACITY = 4096;
    private static final long LONG_YIELD_NS = 1_000_000;
    /** Times that telling waits for a sample: a second, as it is called. */
    private static final int MAX_HELD_BACK = 100;

    /** @param blockedSends that ended with it */
    private record Happening(TimelineEventType type, Interval span, long blockedSends, ObservedThread of) {}

    private final Queue<Happening> happenings = new ManyToOneConcurrentArrayQueue<>(CAPACITY);
    private final List<ObservedThread> observed = new CopyOnWriteArrayList<>();
    private final CpuPressure pressure = new CpuPressure();
    private final CpuStealHistory stolen = new CpuStealHistory();
    private final GcPauses collections = new GcPauses();
    private final ObservedThread own;
    private volatile boolean imageSeen;
    private volatile @Nullable WakeUpLocks informed;
    private volatile Consumer<ProcessEvent> eventListener = event -> {};
    /** Of the context thread that sends the snapshots. */
    private boolean isRetry;
    /** The telling thread's own. */
    private int heldBack;

    private final AtomicLong lost = new AtomicLong();

    ContextEventReporter(String name) {
        own = observe(name);
    }

    /** A context thread, with what its interruptions are told by. */
    private record ObservedThread(String name, MajorFaultHistory faults) {}

    private ObservedThread observe(String contextName) {
        ObservedThread thread = new ObservedThread(MessagingContext.threadName(contextName), new MajorFaultHistory());
        observed.add(thread);
        return thread;
    }

    /**
     * Returns a listener of a second context of this process that only sends: its events of the rate limit are reported as those of its thread. Its
     * stalls are not: nothing is received there.
     *
     * @param contextName of that context
     */
    public ContextListener ofContext(String contextName) {
        ObservedThread sender = observe(contextName);
        return new ContextListener() {
            @Override
            public void onThreadStart() {
                sender.faults().watchCurrentThread();
            }

            @Override
            public void onRateLimitHit(long timeNs) {
                noteRateLimitHit(timeNs, sender);
            }

            @Override
            public void onWakeFailed(long timeNs) {
                noteWakeFailed(timeNs, sender);
            }

            @Override
            public void onYielded(long beginNs, long endNs) {
                noteYielded(beginNs, endNs, sender);
            }

            @Override
            public void onWakeUp(long timeNs, long blockedSends) {
                noteWakeUp(timeNs, blockedSends, sender);
            }
        };
    }

    @Override
    public void onThreadStart() {
        own.faults().watchCurrentThread();
    }

    @Override
    public void onImageAvailable(Topic topic, int sessionId, long timeNs) {
        imageSeen |= topic == Topic.ORDER_BOOK_EVENTS;
    }

    @Override
    public void onStall(long beginNs, long endNs) {
        note(TimelineEventType.STALL, beginNs, endNs, own);
    }

    @Override
    public void onRateLimitHit(long timeNs) {
        noteRateLimitHit(timeNs, own);
    }

    @Override
    public void onWakeFailed(long timeNs) {
        noteWakeFailed(timeNs, own);
    }

    @Override
    public void onYielded(long beginNs, long endNs) {
        noteYielded(beginNs, endNs, own);
    }

    @Override
    public void onWakeUp(long timeNs, long blockedSends) {
        noteWakeUp(timeNs, blockedSends, own);
    }

    private void noteRateLimitHit(long timeNs, ObservedThread sender) {
        WakeUpLocks locks = informed;
        if (locks != null) {
            locks.onRateLimitHit(timeNs);
        }
        note(TimelineEventType.RATE_LIMIT_HIT, timeNs, timeNs, sender);
    }

    private void noteWakeFailed(long timeNs, ObservedThread sender) {
        WakeUpLocks locks = informed;
        if (locks != null) {
            locks.onWakeFailed(timeNs);
        }
        if (!isRetry) {
            note(TimelineEventType.WAKE_FAILED, timeNs, timeNs, sender);
        }
    }

    /** Of intervals that refused nothing nobody is woken. */
    private void noteWakeUp(long timeNs, long blockedSends, ObservedThread sender) {
        isRetry = false;
        if (blockedSends > 0) {
            note(new Happening(TimelineEventType.SENDERS_WOKEN, new Interval(timeNs, timeNs), blockedSends, sender));
        }
    }

    /** A lock that stays held is tried each duty cycle: of such a row the first counts, and what takes long. */
    private void noteYielded(long beginNs, long endNs, ObservedThread sender) {
        if (!isRetry || endNs - beginNs >= LONG_YIELD_NS) {
            note(TimelineEventType.YIELDED, beginNs, endNs, sender);
        }
        isRetry = true;
    }

    /** Connects the lock faults with the events of their rate limiter, from now on. */
    public void inform(WakeUpLocks locks) {
        informed = locks;
    }

    /** Calls the listener after each reported event, from now on, on the reporting thread. */
    public void inform(Consumer<ProcessEvent> listener) {
        eventListener = listener;
    }

    boolean imageSeen() {
        return imageSeen;
    }

    /** Happenings that found the queue full. */
    long lost() {
        return lost.get();
    }

    /**
     * Reports the events noted since the last call; called by one thread, often, so that faults can be put to their stall. A reported event had ended
     * before the sample: a fault that ends while others are sampled belongs to a stall that is told the next time. Without a sample nothing is
     * told for a while.
     */
    void report(ControlChannel link) {
        int ended = happenings.size();
        boolean isSampled = true;
        for (ObservedThread thread : observed) {
            isSampled &= thread.faults().sample();
        }
        pressure.sample();
        stolen.sample();
        collections.sample();
        if (!isSampled && heldBack++ < MAX_HELD_BACK) {
            return;
        }
        heldBack = 0;
        for (int i = 0; i < ended; i++) {
            Happening next = happenings.poll();
            if (next == null) {
                // Counted already, and not yet written down: the next time.
                return;
            }
            ProcessEvent event = event(next);
            link.report(event);
            eventListener.accept(event);
        }
    }

    private ProcessEvent event(Happening happening) {
        long beginNs = happening.span().beginNs();
        String thread = happening.of().name();
        return switch (happening.type()) {
            case RATE_LIMIT_HIT -> new ProcessEvent.RateLimitHit(beginNs, thread);
            case WAKE_FAILED -> new ProcessEvent.WakeFailed(beginNs, thread);
            case SENDERS_WOKEN -> new ProcessEvent.SendersWoken(beginNs, thread, happening.blockedSends());
            case YIELDED -> new ProcessEvent.Yielded(beginNs, thread, interruption(happening));
            case STALL -> new ProcessEvent.Stalled(beginNs, thread, interruption(happening));
            default -> throw new IllegalStateException("nobody notes " + happening.type());
        };
    }

    private Interruption interruption(Happening happening) {
        Interval span = happening.span();
        MajorFaultHistory faults = happening.of().faults();
        return new Interruption(
                span.lengthMs(),
                faults.in(span),
                faults.waitMsIn(span),
                collections.stoppedMsIn(span),
                pressure.stalledMsIn(span),
                stolen.stolenMsIn(span));
    }

    private void note(TimelineEventType type, long beginNs, long endNs, ObservedThread thread) {
        note(new Happening(type, new Interval(beginNs, endNs), 0, thread));
    }

    private void note(Happening happening) {
        if (!happenings.offer(happening)) {
            lost.incrementAndGet();
        }
    }
}
