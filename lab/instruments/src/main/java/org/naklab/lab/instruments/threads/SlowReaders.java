package org.naklab.lab.instruments.threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.Instrument;

/**
 * Finds the threads whose sockets overflowed although they did not stand still: they take datagrams more slowly than these come in. A thread counts only if it
 * is known for most of that time what it did. Of a thread that is still away, that is not known; and one that waits for the next datagram does
 * nothing: its buffer is too small for what comes in at once.
 */
final class SlowReaders {
    /** A shorter overflow belongs to a burst, or follows a stall. */
    static final long LEAST_NS = DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS;
    /** A socket may overflow while its reader catches up after a stall. */
    private static final long AFTERMATH_NS = 100 * Instrument.MILLISECOND_NS;
    /** The most overflows that wait until something is known of their readers; the oldest of more are not reported. */
    private static final int MAX_WAITING = 20;

    private static final double LEAST_SHARE = 0.5;
    private static final int MAX_KEPT = 20_000;

    private final LongFunction<Set<String>> readers;
    private final AbsenceLog absences;
    private final PollingThreads polling;
    private final Overflows overflows = new Overflows();
    private final List<Overflows.Overflow> waiting = new ArrayList<>();
    private final Deque<TimelineEvent> doings = new ArrayDeque<>();

    /**
     * A time in which the socket of a thread overflowed although the thread did not stand still.
     *
     * @param interval from the first drop to the last
     */
    record SlowReader(String thread, Interval interval) {}

    /**
     * Creates the search.
     *
     * @param readers of a socket by its inode: labels of the threads
     */
    SlowReaders(LongFunction<Set<String>> readers, AbsenceLog absences, PollingThreads polling) {
        this.readers = readers;
        this.absences = absences;
        this.polling = polling;
    }

    /** Takes a report of drops, or of what a thread did. */
    void add(TimelineEvent event) {
        switch (event.type()) {
            case DATAGRAMS_DROPPED -> event.as(SocketEvent.Dropped.class).ifPresent(overflows::add);
            case THREAD_SAMPLED, THREAD_WAITED, JAVA_STACK -> {
                doings.addLast(event);
                if (doings.size() > MAX_KEPT) {
                    doings.removeFirst();
                }
            }
            default -> {
                // Absences are in their own log.
            }
        }
    }

    /**
     * Removes and returns the readers that were slow, by time.
     *
     * @param untilNs the latest end of an overflow
     * @param stalls of any reader: what overflows in and soon after one belongs to it
     */
    List<SlowReader> take(long untilNs, Collection<Interval> stalls) {
        waiting.addAll(overflows.take(untilNs));
        List<Interval> explained = stalls.stream()
                .map(stall -> new Interval(stall.beginNs(), stall.endNs() + AFTERMATH_NS))
                .toList();
        List<SlowReader> slow = new ArrayList<>();
        for (Iterator<Overflows.Overflow> each = waiting.iterator(); each.hasNext(); ) {
            Overflows.Overflow overflow = each.next();
            Interval interval = overflow.interval();
            boolean isDone = interval.lengthNs() < LEAST_NS
                    || interval.coveredBy(explained) >= LEAST_SHARE
                    || waiting.size() > MAX_WAITING;
            Optional<String> thread = isDone ? Optional.empty() : readerOf(overflow);
            if (isDone || thread.isPresent()) {
                each.remove();
            }
            thread.ifPresent(name -> slow.add(new SlowReader(name, interval)));
        }
        slow.sort(Comparator.comparingLong(reader -> reader.interval().beginNs()));
        return slow;
    }

    /** Returns when the first overflow began that was not taken, ns; the greatest value: none is left. */
    long earliestNs() {
        return overflows.earliestNs();
    }

    /** Returns the reader of which is known what it did; of several, the one of which most is known. */
    private Optional<String> readerOf(Overflows.Overflow overflow) {
        Set<String> known = readers.apply(overflow.inode());
        Collection<String> candidates = known.isEmpty()
                ? polling.pollingIn(overflow.interval()).stream().toList()
                : known;
        return candidates.stream()
                .filter(thread -> knownShare(thread, overflow) >= LEAST_SHARE)
                .max(Comparator.comparingDouble((String thread) -> knownShare(thread, overflow))
                        .thenComparing(Comparator.reverseOrder()));
    }

    private double knownShare(String thread, Overflows.Overflow overflow) {
        Stream<Interval> done =
                doings.stream().filter(event -> event.thread().equals(thread)).map(SlowReaders::spanOf);
        return overflow.interval()
                .coveredBy(Stream.concat(done, absences.busyAbsencesOf(thread, overflow.inode()).stream())
                        .toList());
    }

    /** A sample stands for the CPU time since the sample before. */
    private static Interval spanOf(TimelineEvent event) {
        return event.type() == TimelineEventType.THREAD_SAMPLED
                ? new Interval(event.timeNs() - ThreadSample.PERIOD_NS, event.timeNs())
                : event.interval();
    }
}
