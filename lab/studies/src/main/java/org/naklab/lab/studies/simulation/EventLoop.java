package org.naklab.lab.studies.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** Runs events in the order of their times, and in the order of their scheduling at the same time. The time is simulated. */
final class EventLoop {
    private record Event(long timeNs, long order, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::timeNs).thenComparingLong(Event::order));
    private long nowNs;
    private long scheduled;

    /** Returns the time of the event that runs, ns since the beginning. */
    long nowNs() {
        return nowNs;
    }

    /** Schedules an event; one in the past runs next. */
    void at(long timeNs, Runnable action) {
        events.add(new Event(Math.max(timeNs, nowNs), scheduled++, action));
    }

    /** Runs until no event is left, the next one is later than that, or the condition holds after an event. */
    void run(long endNs, BooleanSupplier isDone) {
        while (!events.isEmpty() && events.peek().timeNs <= endNs && !isDone.getAsBoolean()) {
            Event event = events.remove();
            nowNs = event.timeNs;
            event.action.run();
        }
    }
}
