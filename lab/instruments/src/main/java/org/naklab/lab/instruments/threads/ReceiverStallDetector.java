package org.naklab.lab.instruments.threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.SocketEvent.Standstill;
import org.naklab.lab.core.timeline.StreamEvent.Unpolled;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Detects stalls of the threads that read UDP sockets, in a process without a heartbeat: a socket held datagrams, nobody received them, and its reader
 * was off the CPU meanwhile, or was on the CPU and did not receive. It stands between the instruments of a process and the timeline:
 *
 * <ul>
 *   <li>of {@link TimelineEventType#SOCKET_UNREAD} it makes a {@link TimelineEventType#STALL} of the thread that reads the socket,
 *   <li>of {@link TimelineEventType#SUBSCRIPTION_UNPOLLED} it makes a stall of the thread that polls, or of no known thread,
 *   <li>of {@link TimelineEventType#DATAGRAMS_DROPPED} outside of such a time it makes a stall of the reader too, marked as an overflow,
 *   <li>of absences, shorter waits, page faults and stacks it passes on those of a stalled thread in its stall, and of one that was on the CPU the absence of another thread that ended with it,
 *   <li>everything else it passes on at once.
 * </ul>
 *
 * <p>The reader is the thread that was seen waiting for the socket. If none was, it is the one that polled before and then worked on something else. If none did, and of a
 * subscription, it is the thread that came back to the CPU when the socket began to drain, or the position moved. If several processes may contain the client of a subscription, it is the one with that thread.
 *
 * <p>A stall is told when the kernel's records of its time have come, however late they are; after {@link #MOST_PATIENCE_NS} it is told with what is known by then.
 */
public final class ReceiverStallDetector implements Instrument, TimelineListener {
    /** A shorter stall is reported only if datagrams were dropped. */
    static final long LEAST_NS = DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS;
    /** A thread may be back on the CPU so long after its stall, and what was dropped in it may be counted so late. */
    static final long LATE_NS = 300 * MILLISECOND_NS;
    /** The stall of a thread that the kernel's records do not show away is told so late: JFR delivers stacks and waits by then. */
    public static final long PATIENCE_NS = 2_500 * MILLISECOND_NS;
    /** The kernel's records are waited for at most so long. */
    public static final long MOST_PATIENCE_NS = 15_000 * MILLISECOND_NS;
    /** Drops are reported once in a tenth of a second. */
    private static final long AFTERMATH_NS = 100 * MILLISECOND_NS;
    /** A reader with more than that left in its socket lags behind, as after a stall. */
    private static final long LAG_BYTES = 4 * 1024;

    /** A thread on the CPU may empty its socket between two samples that are further apart. */
    private static final long MAX_GAP_NS = 5 * MILLISECOND_NS;

    private static final double LEAST_SHARE = 0.5;
    /** A thread that polls does something all the time; others of a JVM wake once a second. */
    private static final long ACTIVE_NS = 500 * MILLISECOND_NS;

    private static final int MAX_KEPT = 20_000;
    private static final String BEHIND = "the kernel recorder is more than " + MOST_PATIENCE_NS / 1_000 / MILLISECOND_NS
            + " s behind: which thread stood still meanwhile, and why, is not known";

    private final String process;
    private final LongFunction<Set<String>> readers;
    private final BooleanSupplier isAlive;
    private final LongUnaryOperator recorded;
    private final StandstillClaims claims;
    private final ThreadLabels labels;
    private final TimelineListener listener;
    private final ManyToOneConcurrentLinkedQueue<TimelineEvent> arrivals = new ManyToOneConcurrentLinkedQueue<>();
    private final List<Standstill> unread = new ArrayList<>();
    private final AbsenceLog absences = new AbsenceLog();
    private final PollingThreads polling;
    private final SlowReaders slow;
    private final Deque<Interval> reported = new ArrayDeque<>();
    private final Deque<SocketEvent.Dropped> drops = new ArrayDeque<>();
    private final Deque<TimelineEvent> stacks = new ArrayDeque<>();
    private final Map<String, LastStall> lastStalls = new HashMap<>();
    private final StreamPollers pollers = new StreamPollers(absences);
    private boolean isBehind;
    private volatile long toldNs = Long.MIN_VALUE;
    private volatile Settled settled = new Settled(0, 0);

    /** Nothing that began before {@code pendingNs}, and had come by {@code refreshedNs}, waits to be told. */
    private record Settled(long refreshedNs, long pendingNs) {}

    /** The stall of a thread that was reported last, and what was passed on with it that goes on after it. */
    private record LastStall(Interval interval, Set<TimelineEvent> goingOn) {
        static LastStall of(Interval interval, List<TimelineEvent> records) {
            return new LastStall(
                    interval,
                    records.stream()
                            .filter(event -> event.endNs() - interval.endNs() > 0)
                            .collect(Collectors.toSet()));
        }

        /** Returns whether an event was told by then: what goes on may have come later, or be told again as a whole. */
        boolean hasPassedOn(TimelineEvent event) {
            return isIn(event, interval) && (event.endNs() - interval.endNs() <= 0 || goingOn.contains(event));
        }
    }

    /** A stall before it is reported. */
    private record UnreadStall(
            String thread,
            Interval interval,
            long peakBytes,
            boolean isLasting,
            String subscription,
            boolean isOverflow) {
        UnreadStall merged(UnreadStall other) {
            return new UnreadStall(
                    thread,
                    new Interval(
                            Math.min(interval.beginNs(), other.interval.beginNs()),
                            Math.max(interval.endNs(), other.interval.endNs())),
                    Math.max(peakBytes, other.peakBytes),
                    isLasting || other.isLasting,
                    subscription.isEmpty() ? other.subscription : subscription,
                    isOverflow && other.isOverflow);
        }
    }

    /**
     * Creates the detector of one process.
     *
     * @param process name on the timeline
     * @param readers of a socket by its inode: labels of the threads
     * @param isAlive whether the process still exists: nobody reads the sockets of one that has ended
     * @param listener receives everything that belongs on the timeline
     */
    public ReceiverStallDetector(
            String process, LongFunction<Set<String>> readers, BooleanSupplier isAlive, TimelineListener listener) {
        this(
                process,
                readers,
                isAlive,
                nowNs -> nowNs,
                new StandstillClaims(),
                WatchedThreads.of(),
                new ThreadLabels(),
                listener);
    }

    /**
     * Creates the detector of a process that may contain clients of a media driver.
     *
     * @param recorded returns until when all records of the kernel have come, ns, for the present time, ns
     * @param claims of all processes that use the driver
     * @param polled receives the names of the threads that take datagrams, also of those that never wait for one
     * @param labels of the threads on the timeline
     */
    public ReceiverStallDetector(
            String process,
            LongFunction<Set<String>> readers,
            BooleanSupplier isAlive,
            LongUnaryOperator recorded,
            StandstillClaims claims,
            WatchedThreads polled,
            ThreadLabels labels,
            TimelineListener listener) {
        this.labels = labels;
        this.claims = claims;
        polling = new PollingThreads(polled);
        this.process = process;
        this.readers = readers;
        this.isAlive = isAlive;
        this.recorded = recorded;
        slow = new SlowReaders(readers, absences, polling);
        this.listener = listener;
    }

    @Override
    public String title() {
        return "the detector of stalls";
    }

    @Override
    public String describe() {
        return "stalls of the threads of " + process
                + " that read UDP sockets: datagrams wait for 20 ms, or 5 ms if some are dropped";
    }

    /** Takes an event. Any thread. */
    @Override
    public void onEvent(TimelineEvent event) {
        switch (event.type()) {
            case THREAD_ABSENT, PAGE_FAULT, THREAD_WAITED, THREAD_SAMPLED, MEMORY_RECLAIMED -> arrivals.offer(event);
            case SOCKET_UNREAD, SUBSCRIPTION_UNPOLLED, DATAGRAMS_DROPPED -> {
                arrivals.offer(event);
                listener.onEvent(event);
            }
            case JAVA_WAIT -> listener.onEvent(ofKernelName(event));
            case JAVA_STACK -> arrivals.offer(ofKernelName(event));
            default -> listener.onEvent(event);
        }
    }

    /**
     * A Java thread has a longer name than the kernel keeps, which is kept for people. Threads that have the same name for the kernel are told apart by their ids.
     */
    private TimelineEvent ofKernelName(TimelineEvent event) {
        if (!(event instanceof ThreadEvent.OfJvm told)) {
            return event;
        }
        String name = ProcessThreads.kept(event.thread());
        long osThread = Objects.requireNonNullElse(told.ids().osThread(), 0L);
        String kept = labels.known(osThread, name).orElse(name);
        return kept.equals(event.thread()) ? event : told.ofThread(kept);
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return 250 * MILLISECOND_NS;
    }

    @Override
    public void refresh(long nowNs) {
        // What has come by that time is among the arrivals.
        long ownNs = recorded.applyAsLong(nowNs);
        takeArrivals();
        Set<Standstill> bidden = bid(nowNs);
        // Who hears that all of this process's records have come finds its bids.
        long allNs = claims.recorded(process, ownNs);
        isBehind &= nowNs - allNs > MOST_PATIENCE_NS - LATE_NS;
        List<Standstill> due = new ArrayList<>();
        for (Standstill event : unread) {
            boolean isRecorded = (isContested(event) ? allNs : ownNs) - event.endNs() >= LATE_NS;
            long ageNs = nowNs - event.endNs();
            if (ageNs > MOST_PATIENCE_NS && !isRecorded && !isExplained(event)) {
                tellBehind(nowNs);
            }
            boolean isEarly = ageNs > LATE_NS && !bidden.contains(event) && isExplained(event);
            if (ageNs > MOST_PATIENCE_NS || (isRecorded && (ageNs > PATIENCE_NS || isEarly))) {
                due.add(event);
            }
        }
        report(due);
        long untilNs = Math.max(nowNs - MOST_PATIENCE_NS, Math.min(nowNs - PATIENCE_NS, allNs - LATE_NS));
        reportSlow(untilNs);
        toldNs = untilNs;
        long pendingNs = unread.stream().mapToLong(TimelineEvent::timeNs).min().orElse(Long.MAX_VALUE);
        settled = new Settled(nowNs, Math.min(pendingNs, slow.earliestNs()));
    }

    /**
     * Returns whether no stall that began before a time is still to be told, of what had come by another time: at once if there was none, and otherwise as
     * {@link #toldNs} says. Any thread.
     *
     * @param untilNs CLOCK_MONOTONIC, ns
     * @param comeNs all that was seen until the other time had come by then, ns
     */
    public boolean isTold(long untilNs, long comeNs) {
        Settled last = settled;
        return last.refreshedNs() - comeNs > 0 && (last.pendingNs() > untilNs || toldNs >= untilNs);
    }

    /**
     * Returns the time until which all stalls that were over have been told, ns. Any thread.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public long toldNs(long nowNs) {
        return Math.max(toldNs, nowNs - MOST_PATIENCE_NS);
    }

    /** Says once that the records do not come, and again when they have come meanwhile. */
    private void tellBehind(long nowNs) {
        if (!isBehind) {
            isBehind = true;
            listener.onEvent(new HostEvent.Blind(nowNs, "lab", "", describe(), BEHIND));
        }
    }

    /** The client of the subscription may be in another process. */
    private static boolean isContested(Standstill event) {
        return event instanceof Unpolled unpolled && unpolled.subscriber().candidates() > 1;
    }

    /** Bids for those that other processes may report, each at its own time, if they have a thread that fits better; returns those for which it has bid. */
    private Set<Standstill> bid(long nowNs) {
        return unread.stream()
                .filter(event -> isContested(event) && nowNs - event.endNs() > LATE_NS && isExplained(event))
                .filter(event -> event instanceof Unpolled unpolled && bid(unpolled))
                .collect(Collectors.toSet());
    }

    /** Says how well the thread fits that came back; returns false if there is none. */
    private boolean bid(Unpolled event) {
        Optional<TimelineEvent> absence = cameBack(event);
        absence.ifPresent(each -> claims.bid(
                StreamPollers.streamOf(event),
                event.interval(),
                process,
                AbsenceLog.mismatchNs(each, event.interval())));
        return absence.isPresent();
    }

    private boolean isExplained(Standstill event) {
        Interval span = event.interval();
        String thread = readerOf(event);
        return thread != null && span.coveredBy(absences.absencesOf(thread)) >= LEAST_SHARE;
    }

    /** Reports all stalls, including those that last; the process's other instruments have ended. */
    @Override
    public void close() {
        takeArrivals();
        report(List.copyOf(unread));
        reportSlow(Long.MAX_VALUE);
        claims.leave(process);
    }

    /** Reports the readers that were slow, after the stalls of that time. */
    private void reportSlow(long untilNs) {
        slow.take(untilNs, reported)
                .forEach(reader -> report(new UnreadStall(reader.thread(), reader.interval(), 0, false, "", true)));
    }

    private void takeArrivals() {
        for (TimelineEvent event = arrivals.poll(); event != null; event = arrivals.poll()) {
            switch (event.type()) {
                case SOCKET_UNREAD, SUBSCRIPTION_UNPOLLED -> {
                    event.as(Standstill.class).ifPresent(unread::add);
                    event.as(Unpolled.class).ifPresent(pollers::add);
                }
                case DATAGRAMS_DROPPED -> {
                    slow.add(event);
                    event.as(SocketEvent.Dropped.class).ifPresent(drop -> keep(drops, drop));
                }
                case JAVA_STACK, THREAD_WAITED, THREAD_SAMPLED, MEMORY_RECLAIMED -> {
                    polling.add(event);
                    slow.add(event);
                    keep(stacks, event);
                }
                default -> absences.add(event);
            }
        }
    }

    private static <T> void keep(Deque<T> kept, T event) {
        kept.addLast(event);
        if (kept.size() > MAX_KEPT) {
            kept.removeFirst();
        }
    }

    private void report(Collection<Standstill> due) {
        unread.removeAll(due);
        List<UnreadStall> stalls = new ArrayList<>();
        due.stream()
                .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                .map(this::stallOf)
                .flatMap(Optional::stream)
                .forEach(stall -> add(stall, stalls));
        stalls.forEach(this::report);
    }

    /** A thread that reads several sockets stalls once. */
    private static void add(UnreadStall stall, List<UnreadStall> stalls) {
        for (Iterator<UnreadStall> others = stalls.iterator(); others.hasNext(); ) {
            UnreadStall other = others.next();
            if (other.thread().equals(stall.thread()) && other.interval().overlaps(stall.interval())) {
                others.remove();
                stalls.add(other.merged(stall));
                return;
            }
        }
        stalls.add(stall);
    }

    private Optional<UnreadStall> stallOf(Standstill event) {
        if (event.isLasting() && !isAlive.getAsBoolean()) {
            return Optional.empty();
        }
        String thread = readerOf(event);
        if (event instanceof Unpolled unpolled) {
            return unpolled(unpolled, thread == null ? "" : thread);
        }
        return thread != null && event instanceof SocketEvent.Unread ofSocket
                ? unread(ofSocket, thread)
                : Optional.empty();
    }

    private Optional<UnreadStall> unread(SocketEvent.Unread event, String thread) {
        Interval stall = absences.exact(event, thread);
        if (stall.coveredBy(absences.waitsFor(thread, event)) >= LEAST_SHARE) {
            return Optional.empty();
        }
        boolean isAbsent = stall.coveredBy(absences.absencesOf(thread)) >= LEAST_SHARE;
        boolean isLong = stall.lengthNs() >= LEAST_NS;
        boolean isStall = isAbsent ? isLong || isDropIn(event) : isLong && isKeptUnread(event);
        return isStall
                ? Optional.of(new UnreadStall(thread, stall, event.peakBytes(), event.isLasting(), "", false))
                : Optional.empty();
    }

    /**
     * Returns the stall of a client that did not poll: the position is exact, so that no absence is needed. If the client may be in another process as well, the process has it whose
     * thread was away from the beginning of the standstill most exactly; or else the likeliest.
     *
     * @param thread empty: unknown
     */
    private Optional<UnreadStall> unpolled(Unpolled event, String thread) {
        Interval stall = absences.exact(event, thread);
        if (stall.lengthNs() < LEAST_NS || (isContested(event) && isOthers(event))) {
            return Optional.empty();
        }
        String stream = StreamPollers.streamOf(event);
        if (!thread.isEmpty() && !absences.isHalted(thread, stall)) {
            pollers.remember(event, thread);
        }
        String subscription =
                event.stream().channel() + " stream " + event.stream().streamId();
        return claims.claim(stream, stall)
                ? Optional.of(new UnreadStall(thread, stall, event.peakBytes(), event.isLasting(), subscription, false))
                : Optional.empty();
    }

    private boolean isOthers(Unpolled event) {
        boolean ignored = bid(event);
        Optional<String> best =
                claims.best(StreamPollers.streamOf(event), event.interval()).or(() -> likeliest(event));
        return best.filter(process::equals).isEmpty();
    }

    private Optional<String> likeliest(Unpolled event) {
        return event.subscriber().isLikeliest() ? Optional.of(process) : Optional.empty();
    }

    /** Returns whether a thread that was on the CPU has certainly not received. */
    private static boolean isKeptUnread(SocketEvent.Unread event) {
        return event.startBytes() <= LAG_BYTES && event.longestGapNs() <= MAX_GAP_NS;
    }

    /** Returns the thread that read the socket before. Of several, as in Go, it is not one that had been away long before: another one received until then. */
    private @Nullable String readerOf(Standstill event) {
        return event instanceof Unpolled unpolled ? pollerOf(unpolled) : readerOf((SocketEvent.Unread) event);
    }

    /**
     * Returns the thread that polls. It was away once: a thread that comes and goes meanwhile, as one that looks for work each hundredth of a second, is the poller only if no other one fits.
     */
    private @Nullable String pollerOf(Unpolled event) {
        Interval span = event.interval();
        Optional<String> known = pollers.known(event);
        return known.filter(thread -> absences.absencesOf(thread).stream()
                        .anyMatch(absence -> span.coveredBy(List.of(absence)) >= LEAST_SHARE))
                .or(() -> cameBack(event).map(TimelineEvent::thread))
                .or(() -> known.filter(thread -> span.coveredBy(absences.absencesOf(thread)) >= LEAST_SHARE))
                .or(() -> absences.left(event, thread -> pollers.canPoll(event, thread))
                        .map(TimelineEvent::thread))
                .orElse(null);
    }

    private @Nullable String readerOf(SocketEvent.Unread event) {
        Interval span = event.interval();
        return readers.apply(event.inode()).stream()
                .max(Comparator.comparingDouble(
                                (String thread) -> span.coveredBy(absences.otherAbsencesOf(thread, event).stream()
                                        .filter(absence -> !AbsenceLog.isIdle(absence, span))
                                        .toList()))
                        .thenComparingDouble(thread -> span.coveredBy(absences.otherAbsencesOf(thread, event)))
                        .thenComparing(Comparator.reverseOrder()))
                .or(() -> polling.stoppedPolling(span))
                .or(() -> cameBack(event).map(TimelineEvent::thread))
                .orElse(null);
    }

    private Optional<TimelineEvent> cameBack(Standstill event) {
        Interval before = new Interval(event.timeNs() - ACTIVE_NS, event.timeNs());
        return absences.cameBack(
                event,
                thread -> !(event instanceof Unpolled unpolled) || pollers.canPoll(unpolled, thread),
                thread -> recordsOf(thread)
                        .filter(each -> before.contains(each.endNs()))
                        .count());
    }

    /** Returns all that is known of a thread: each record says that it did something before or after. */
    private Stream<TimelineEvent> recordsOf(String thread) {
        return Stream.concat(absences.ofThread(thread), stacks.stream().filter(event -> event.thread()
                .equals(thread)));
    }

    private boolean isDropIn(SocketEvent.Unread event) {
        Interval span = event.interval();
        Interval seen = new Interval(span.beginNs(), span.endNs() + AFTERMATH_NS);
        return drops.stream().anyMatch(drop -> drop.inode() == event.inode() && seen.contains(drop.timeNs()));
    }

    private void report(UnreadStall stall) {
        LastStall last = lastStalls.get(stall.thread());
        if (last != null && last.interval().overlaps(stall.interval())) {
            return;
        }
        List<TimelineEvent> records = recordsOf(stall.thread())
                .filter(event -> isIn(event, stall.interval()))
                .toList();
        lastStalls.put(stall.thread(), LastStall.of(stall.interval(), records));
        keep(reported, stall.interval());
        records.stream()
                .filter(event -> last == null || !last.hasPassedOn(event))
                .forEach(listener::onEvent);
        if (stall.interval().coveredBy(absences.absencesOf(stall.thread())) < LEAST_SHARE) {
            absences.endedWith(stall.interval(), stall.thread()).ifPresent(listener::onEvent);
        }
        String subscription = stall.subscription();
        listener.onEvent(new ThreadStall(
                stall.interval().beginNs(),
                TimelineEventType.STALL,
                process,
                stall.thread(),
                Interruption.UNKNOWN,
                new ThreadStall.Sight(
                        stall.interval().lengthNs(),
                        stall.interval().endNs(),
                        stall.peakBytes(),
                        stall.isLasting(),
                        stall.isOverflow() ? true : null,
                        subscription.isEmpty() ? null : subscription)));
    }

    private static boolean isIn(TimelineEvent event, Interval interval) {
        return event.interval().overlaps(interval) || interval.contains(event.timeNs());
    }
}
