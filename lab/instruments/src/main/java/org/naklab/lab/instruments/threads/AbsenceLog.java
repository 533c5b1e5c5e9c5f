package org.naklab.lab.instruments.threads;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.SocketEvent.Standstill;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** The latest absences and page faults of the threads of a process, and which of them fit a time without receipt. */
final class AbsenceLog {
    static final long COARSENESS_NS = ThreadAbsence.SAMPLING_NS;
    /** After a wait, the rest of a poll takes up to this share of it. */
    private static final int POLL_SHARE = 20;

    /** Functions of the kernel in which a thread waits for a datagram: it is woken when one arrives. */
    private static final Set<String> RECEIVING =
            Set.of("__skb_wait_for_more_packets", "ep_poll", "do_sys_poll", "do_poll", "do_select", "core_sys_select");

    private static final Set<ThreadAbsence.State> HALTED =
            EnumSet.of(ThreadAbsence.State.STOPPED, ThreadAbsence.State.FROZEN, ThreadAbsence.State.TRACED);

    /** An absence that covers less of the time without receipt is not its reason. */
    private static final double LEAST_SHARE = 0.5;

    private static final int MAX_KEPT = 20_000;

    private final Deque<TimelineEvent> absences = new ArrayDeque<>();

    void add(TimelineEvent event) {
        absences.addLast(event);
        if (absences.size() > MAX_KEPT) {
            absences.removeFirst();
        }
    }

    /** Returns whether a thread had been away long before: another one received until then. */
    static boolean isIdle(Interval absence, Interval span) {
        return span.beginNs() - absence.beginNs() > span.lengthNs();
    }

    /**
     * Returns the thread that was away and came back when the socket began to drain; not one that had been away long before, which is idle. A signal halts all threads of a
     * process at once: of these, the one that did most before. A thread that another one of them woke when it was back itself came back because of that one.
     *
     * @param isPossible whether a thread can be the one
     * @param activity how often a thread was seen to do something before the time without receipt
     */
    Optional<TimelineEvent> cameBack(Standstill event, Predicate<String> isPossible, ToLongFunction<String> activity) {
        Interval span = event.interval();
        Interval back = back(event);
        List<TimelineEvent> candidates = absences.stream()
                .filter(absence -> back.contains(absence.interval().endNs()))
                .filter(absence -> span.coveredBy(List.of(absence.interval())) >= LEAST_SHARE)
                .filter(absence -> !isIdle(absence.interval(), span))
                .filter(absence -> isPossible.test(absence.thread()))
                .toList();
        return candidates.stream()
                .filter(absence -> candidates.stream().noneMatch(other -> hasWoken(other, absence)))
                .min(Comparator.comparingLong((TimelineEvent absence) ->
                                isHalt(absence) ? -activity.applyAsLong(absence.thread()) : 0)
                        .thenComparingLong(absence -> mismatchNs(absence, span))
                        .thenComparing(TimelineEvent::thread));
    }

    /**
     * Returns the thread that left when the time without receipt began and stayed away for most of it, but was back before its end: it may have lost the CPU again before it received. Of several, the one that
     * left most exactly then.
     *
     * @param isPossible whether a thread can be the one
     */
    Optional<TimelineEvent> left(Standstill event, Predicate<String> isPossible) {
        Interval span = event.interval();
        return absences.stream()
                .filter(absence -> absence.type() == TimelineEventType.THREAD_ABSENT)
                .filter(absence -> mismatchNs(absence, span) <= COARSENESS_NS)
                .filter(absence -> span.coveredBy(List.of(absence.interval())) >= LEAST_SHARE)
                .filter(absence -> isPossible.test(absence.thread()))
                .min(Comparator.comparingLong((TimelineEvent absence) -> mismatchNs(absence, span))
                        .thenComparing(TimelineEvent::thread));
    }

    private static boolean hasWoken(TimelineEvent other, TimelineEvent absence) {
        return absence instanceof ThreadAbsence woken
                && !other.thread().equals(woken.thread())
                && other.thread().equals(woken.waker())
                && other.endNs() <= woken.blocked().endNs();
    }

    /**
     * Returns when the thread came back: near the end of the time without receipt. The position of a subscription moves only when a poll has ended, and the sampler may have missed
     * that moment.
     */
    private static Interval back(Standstill event) {
        long endNs = event.endNs();
        if (!(event instanceof StreamEvent.Unpolled unpolled)) {
            return new Interval(endNs - COARSENESS_NS, endNs + COARSENESS_NS);
        }
        long coarsenessNs = Math.max(COARSENESS_NS, event.durationNs() / POLL_SHARE);
        return new Interval(endNs - coarsenessNs, Math.max(endNs, unpolled.seenNs()) + COARSENESS_NS);
    }

    /** The kernel's records are exact, the samples of the socket are not: as long as the thread waited for a datagram of it, there was none. */
    Interval exact(Standstill event, String thread) {
        Interval span = event.interval();
        Interval back = back(event);
        long endNs = absencesOf(thread).stream()
                .mapToLong(Interval::endNs)
                .filter(back::contains)
                .max()
                .orElse(span.endNs());
        long beginNs = ofThread(thread)
                .filter(each -> each.type() == TimelineEventType.THREAD_ABSENT)
                .map(ThreadAbsence::of)
                .filter(absence -> absence.interval().overlaps(span) && isReceiving(absence, event))
                .mapToLong(absence -> absence.blocked().endNs())
                .filter(wokenNs -> wokenNs < endNs)
                .max()
                .orElse(span.beginNs());
        return new Interval(Math.max(beginNs, span.beginNs()), Math.max(endNs, span.beginNs()));
    }

    /**
     * Returns whether the thread waited for a datagram of the socket. If the socket held one for longer than the sampler can have been wrong, the thread waited
     * for something else in the same function: for an answer of another process, or of a name server. A call that receives from the very socket, or an epoll set
     * without it, leaves no doubt.
     */
    private static boolean isReceiving(ThreadAbsence absence, Standstill event) {
        if (!(event instanceof SocketEvent.Unread unread)) {
            return isInReceipt(absence) && !absence.isUnread(event, 0);
        }
        return isForSocket(absence, unread.inode())
                && !(absence.sockets() == null
                        ? absence.isUnread(unread, unread.longestGapNs())
                        : absence.isNotNotified(unread));
    }

    /**
     * Returns the times in which a thread was away for another reason than that it waited for datagrams of a socket.
     *
     * @param event the time without receipt
     */
    List<Interval> otherAbsencesOf(String thread, Standstill event) {
        return ofThread(thread)
                .filter(each -> each.type() == TimelineEventType.THREAD_ABSENT)
                .map(ThreadAbsence::of)
                .map(absence -> isReceiving(absence, event) ? absence.runnable() : absence.interval())
                .toList();
    }

    /** Returns the times in which a thread was away and did not wait for datagrams of a socket. */
    List<Interval> busyAbsencesOf(String thread, long inode) {
        return ofThread(thread)
                .filter(event -> event.type() == TimelineEventType.THREAD_ABSENT)
                .map(ThreadAbsence::of)
                .map(absence -> isForSocket(absence, inode) ? absence.runnable() : absence.interval())
                .toList();
    }

    /** Returns the times in which a thread certainly waited for a datagram of a socket: the descriptor of its call is known. */
    List<Interval> waitsFor(String thread, SocketEvent.Unread unread) {
        return ofThread(thread)
                .filter(event -> event.type() == TimelineEventType.THREAD_ABSENT)
                .map(ThreadAbsence::of)
                .filter(absence -> absence.sockets() != null && isReceiving(absence, unread))
                .map(ThreadAbsence::blocked)
                .toList();
    }

    /**
     * Returns the absence of another thread that ended with an interval and lasted for most of it: a thread that was on the CPU meanwhile may have spun for what the other one held.
     */
    Optional<TimelineEvent> endedWith(Interval interval, String thread) {
        return absences.stream()
                .filter(event -> event.type() == TimelineEventType.THREAD_ABSENT
                        && !event.thread().equals(thread))
                .filter(event -> Math.abs(event.endNs() - interval.endNs()) <= COARSENESS_NS)
                .filter(event -> interval.coveredBy(List.of(event.interval())) >= LEAST_SHARE)
                .min(Comparator.comparingLong((TimelineEvent event) -> Math.abs(event.endNs() - interval.endNs()))
                        .thenComparing(TimelineEvent::thread));
    }

    private static boolean isHalt(TimelineEvent absence) {
        return absence.type() == TimelineEventType.THREAD_ABSENT
                && HALTED.contains(ThreadAbsence.of(absence).state());
    }

    private static boolean isForSocket(ThreadAbsence absence, long inode) {
        ThreadAbsence.SocketWait sockets = absence.sockets();
        return sockets == null
                ? isInReceipt(absence)
                : isAsleep(absence) && sockets.inodes().contains(inode);
    }

    private static boolean isInReceipt(ThreadAbsence absence) {
        return isAsleep(absence) && absence.kernelStack().stream().anyMatch(RECEIVING::contains);
    }

    /** Returns whether a datagram can wake the thread: not one that was stopped or frozen, or waited for a page. */
    private static boolean isAsleep(ThreadAbsence absence) {
        return absence.state() == ThreadAbsence.State.SLEEPING;
    }

    /** Returns whether a thread was stopped, frozen or traced in a part of an interval, as all of its process are together. */
    boolean isHalted(String thread, Interval interval) {
        return ofThread(thread)
                .filter(event -> event.type() == TimelineEventType.THREAD_ABSENT)
                .map(ThreadAbsence::of)
                .anyMatch(absence ->
                        HALTED.contains(absence.state()) && absence.interval().overlaps(interval));
    }

    List<Interval> absencesOf(String thread) {
        return ofThread(thread)
                .filter(event -> event.type() == TimelineEventType.THREAD_ABSENT)
                .map(TimelineEvent::interval)
                .toList();
    }

    /** Returns what is known of a thread: absences and page faults. */
    Stream<TimelineEvent> ofThread(String thread) {
        return absences.stream().filter(event -> event.thread().equals(thread));
    }

    /** Returns the time between the beginning of a standstill and that of a thread's absence, ns. */
    static long mismatchNs(TimelineEvent absence, Interval span) {
        return Math.abs(absence.timeNs() - span.beginNs());
    }
}
