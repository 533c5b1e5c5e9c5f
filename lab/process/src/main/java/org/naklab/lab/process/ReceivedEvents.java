package org.naklab.lab.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the events that a child process has reported, for threads that wait for one. Of the progress reports, the answers of the faults and
 * the books, which come several times a second, only the newest is kept. Any thread.
 */
public final class ReceivedEvents {
    private final List<Numbered> history = new ArrayList<>();
    private final Map<Class<? extends ProcessEvent>, Numbered> latest = new HashMap<>();
    private int count;
    private boolean ended;

    private record Numbered(int number, ProcessEvent event) {}

    /**
     * Adds the event of a line.
     *
     * @return the event
     */
    public ProcessEvent add(String line) {
        ProcessEvent event = ProcessEvent.parse(line);
        synchronized (this) {
            Numbered numbered = new Numbered(count++, event);
            latest.put(event.getClass(), numbered);
            if (!(event instanceof ProcessEvent.Progress
                    || event instanceof ProcessEvent.FaultAnswered
                    || event instanceof ProcessEvent.BooksSeen)) {
                history.add(numbered);
            }
            notifyAll();
        }
        return event;
    }

    /** Takes note that no event follows. */
    public synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Returns the number of events so far, which is the position of the next one. */
    public synchronized int count() {
        return count;
    }

    /**
     * Returns the events of a kind of which all are kept, in their order.
     *
     * @param first position from which an event counts; 0: all
     */
    public synchronized <E extends ProcessEvent> List<E> since(int first, Class<E> kind) {
        return history.stream()
                .filter(numbered -> numbered.number() >= first && kind.isInstance(numbered.event()))
                .map(numbered -> kind.cast(numbered.event()))
                .toList();
    }

    /** Returns the newest event of a kind; {@code null} if there is none. */
    public synchronized <E extends ProcessEvent> @Nullable E latest(Class<E> kind) {
        return latestSince(0, kind);
    }

    private <E extends ProcessEvent> @Nullable E latestSince(int first, Class<E> kind) {
        Numbered newest = latest.get(kind);
        return newest == null || newest.number() < first ? null : kind.cast(newest.event());
    }

    /**
     * Waits for an event of a kind.
     *
     * @param first position from which an event counts; 0: an earlier one counts
     * @param timeoutNs longest wait, ns
     * @return the newest such event; {@code null} if none comes in time or before the process ends
     */
    public synchronized <E extends ProcessEvent> @Nullable E await(int first, Class<E> kind, long timeoutNs)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeoutNs;
        E event = latestSince(first, kind);
        for (long leftNs = timeoutNs; event == null && !ended && leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            event = latestSince(first, kind);
        }
        return event;
    }
}
