package org.naklab.lab.diagnosis;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * A diagnosis with what it rests on: each stall of the counted window, whether it matters or not.
 *
 * @param stalls in the order of the case file
 */
public record Examination(Diagnosis diagnosis, List<ExplainedStall> stalls) {
    /** What leads to a stall, such as the rate limit of a second boundary, comes this long before it at most. */
    private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long NOT_COUNTED = -1;

    /**
     * A stall with its cause and what the thread did, or waited for, in each part of it.
     *
     * @param event the event STALL
     */
    public record ExplainedStall(TimelineEvent event, Cause cause, StallAccount account) {}

    public Examination {
        stalls = List.copyOf(stalls);
    }

    /** Diagnoses a case file, and explains each of its stalls. */
    public static Examination of(CaseFile file) {
        StallAttributions attributions = new StallAttributions(file);
        Diagnosis diagnosis = new Diagnoser(file, attributions).conclude();
        return new Examination(
                diagnosis,
                file.of(TimelineEventType.STALL).stream()
                        .filter(event -> file.counted().contains(event.timeNs()))
                        .map(event -> explained(event, attributions.of(event)))
                        .toList());
    }

    /**
     * Accounts for a stall before everything is known of it: while it lasts, or until its evidence is complete. The rest is unexplained.
     *
     * @param stall until now, if it lasts
     * @param events of its time that were told so far, in any order
     */
    public static StallAccount accountSoFar(TimelineEvent stall, List<TimelineEvent> events) {
        List<TimelineEvent> byTime = events.stream()
                .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                .toList();
        CaseFile file = new CaseFile(stall.process(), 0, stall.interval(), byTime, List.of(), Map.of(), List.of());
        return new StallAccountant(file, stall).account();
    }

    /**
     * Diagnoses a stall that is over before everything is known of it, of the events alone: counters and readings come at the end. What only those can rule out is
     * not ruled out.
     *
     * @param stall that an instrument has reported
     * @param events that were told so far, in any order
     */
    public static Diagnosis soFar(TimelineEvent stall, List<TimelineEvent> events) {
        long beginNs = stall.timeNs() - BEFORE_NS;
        List<TimelineEvent> byTime = Stream.concat(Stream.of(stall), events.stream())
                .filter(event -> event.endNs() >= beginNs)
                .distinct()
                .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                .toList();
        long endNs = byTime.stream().mapToLong(TimelineEvent::endNs).reduce(stall.endNs(), Math::max);
        List<TimelineEvent> own = byTime.stream()
                .filter(event -> event.process().equals(stall.process()))
                .toList();
        long naks = amount(own, TimelineEventType.NAK_SENT);
        CaseFile.Receiver receiver = new CaseFile.Receiver(
                stall.process(),
                new CaseFile.Receiver.Events(0, 0),
                new CaseFile.Receiver.Losses(
                        naks > 0 ? naks : NOT_COUNTED,
                        amount(own, TimelineEventType.DATAGRAMS_DROPPED),
                        NOT_COUNTED,
                        0,
                        0));
        return of(new CaseFile(
                        stall.process(),
                        port(own),
                        new Interval(beginNs, endNs),
                        byTime,
                        List.of(receiver),
                        Map.of(),
                        List.of()))
                .diagnosis();
    }

    private static long amount(List<TimelineEvent> events, TimelineEventType type) {
        return events.stream()
                .filter(event -> event.type() == type)
                .mapToLong(TimelineEvent::amount)
                .sum();
    }

    /** Returns the port of the socket that overflowed, or else of one that filled up; 0: none did. */
    private static int port(List<TimelineEvent> events) {
        return Stream.of(TimelineEventType.DATAGRAMS_DROPPED, TimelineEventType.SOCKET_DEPTH_RISE)
                .flatMap(type -> events.stream().filter(event -> event.type() == type))
                .flatMap(TimelineEvent.only(SocketEvent.class))
                .map(SocketEvent::port)
                .findFirst()
                .orElse(0);
    }

    private static ExplainedStall explained(TimelineEvent event, StallAttribution attribution) {
        return new ExplainedStall(event, attribution.explain().cause(), attribution.account());
    }
}
