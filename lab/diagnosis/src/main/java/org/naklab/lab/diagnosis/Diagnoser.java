package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.PROCESS_ENDED;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.events.LossCharges;

/**
 * Turns a case file into a diagnosis: finds the stalls that matter and the losses beside them, names the cause of each, and orders the
 * causes by harm. A short stall that did no harm and is due to the machine is noted but is not a cause.
 */
final class Diagnoser {
    /** Below, a stall of the machine's own making that cost nothing is noise on a machine that others use too. */
    static final long HARMLESS_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A datagram lost later after a stall's end was not lost to that stall, unless its socket had not drained until then. */
    static final long AFTERMATH_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The longest silence of a sender that is no cause without a reason: a busy machine makes such. */
    private static final long LONG_SILENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final CaseFile file;
    private final StallAttributions attributions;
    private final LossAnalysis losses;
    private final DatagramDiscards discards;
    private final IdentityHashMap<Finding, CausalChain> chains = new IdentityHashMap<>();
    private final List<String> noted = new ArrayList<>();

    Diagnoser(CaseFile file, StallAttributions attributions) {
        this.file = file;
        this.attributions = attributions;
        losses = new LossAnalysis(file);
        discards = new DatagramDiscards(file);
    }

    /**
     * A cause with what it is the cause of.
     *
     * @param event a stall, a silence or a burst; {@code null}: none of these
     * @param span how long it took effect, as far as known
     * @param lost datagrams, at least
     * @param missing what would have to be known to be certain, each one line
     */
    record Finding(
            Explanation explanation,
            String process,
            @Nullable TimelineEvent event,
            Interval span,
            long lost,
            List<String> missing) {
        Finding {
            missing = List.copyOf(missing);
        }

        /** Creates the finding of an event. */
        Finding(Explanation explanation, String process, TimelineEvent event, long lost, List<String> missing) {
            this(explanation, process, event, event.interval(), lost, missing);
        }

        /** Creates a finding without a length. */
        Finding(Explanation explanation, String process, long atNs, long lost, List<String> missing) {
            this(explanation, process, null, new Interval(atNs, atNs), lost, missing);
        }

        Cause cause() {
            return explanation.cause();
        }

        @Nullable
        TimelineEvent stall() {
            return event != null && event.type() == STALL ? event : null;
        }

        /** A process that has ended receives nothing more: how much that is, nobody counts. */
        boolean isEnd() {
            return cause() == Cause.PROCESS_ENDED;
        }
    }

    Diagnosis conclude() {
        LossFindings others = new LossFindings(file, losses, discards);
        LossCharges charges = charges(others);
        List<Finding> findings = new ArrayList<>(stalls(charges));
        findings.addAll(others.all(findings.isEmpty(), charges));
        noted.addAll(others.noted());
        findings.addAll(silences());
        findings.addAll(ends());
        if (findings.isEmpty()) {
            return diagnose(nothingFound(), List.of());
        }
        List<NamedFindings> causes = byHarm(findings);
        return diagnose(
                causes.get(0).main(),
                causes.stream().map(NamedFindings::toCause).toList());
    }

    /** Causes of the same process and kind are one, with the harm of all; the worst first. */
    private List<NamedFindings> byHarm(List<Finding> findings) {
        Map<List<Object>, List<Finding>> causes = new LinkedHashMap<>();
        findings.forEach(
                finding -> causes.computeIfAbsent(List.of(finding.process(), finding.cause()), key -> new ArrayList<>())
                        .add(finding));
        return causes.values().stream()
                .map(NamedFindings::new)
                .sorted(Comparator.comparing(
                                (NamedFindings cause) -> !cause.main().isEnd())
                        .thenComparing(
                                Comparator.comparingLong(NamedFindings::lost).reversed())
                        .thenComparing(Comparator.comparingDouble(NamedFindings::durationMs)
                                .reversed())
                        .thenComparing(cause -> !cause.main().process().equals(file.suspect())))
                .toList();
    }

    /** The findings of one cause. */
    private final class NamedFindings {
        private final List<Finding> findings;
        private final Confidence confidence;

        NamedFindings(List<Finding> findings) {
            this.findings = findings.stream()
                    .sorted(Comparator.comparingLong(Finding::lost)
                            .thenComparingLong(finding -> finding.span().lengthNs())
                            .reversed())
                    .toList();
            confidence = ofMostHarm();
        }

        private long lost() {
            return findings.stream().mapToLong(Finding::lost).sum();
        }

        /** Each moment counts once. */
        private double durationMs() {
            return Interval.union(findings.stream().map(Finding::span).toList()).stream()
                    .mapToDouble(Interval::lengthMs)
                    .sum();
        }

        /** A cause is as certain as those of its findings that did most of the harm. */
        private Confidence ofMostHarm() {
            double all = harm(findings.stream());
            return Stream.of(Confidence.CERTAIN, Confidence.LIKELY)
                    .filter(level -> harm(findings.stream()
                                    .filter(each ->
                                            confidenceOf(each) == level || confidenceOf(each) == Confidence.CERTAIN))
                            >= Explanation.LEAST_SHARE * all)
                    .findFirst()
                    .filter(level -> findings.stream().anyMatch(each -> confidenceOf(each) == level))
                    .orElseGet(() -> confidenceOf(findings.get(0)));
        }

        private double harm(Stream<Finding> some) {
            boolean isLoss = lost() > 0;
            return some.mapToDouble(each -> isLoss ? each.lost() : each.span().lengthNs())
                    .sum();
        }

        /** Returns the worst of those that are as certain as the cause. */
        Finding main() {
            return findings.stream()
                    .filter(each -> confidenceOf(each) == confidence)
                    .findFirst()
                    .orElseThrow();
        }

        NamedCause toCause() {
            Finding main = main();
            TimelineEvent event = main.event();
            return new NamedCause(
                    main.cause(),
                    confidence,
                    main.process(),
                    event == null ? "" : event.thread(),
                    main.span().beginNs(),
                    durationMs(),
                    lost(),
                    remedy(main.cause()));
        }
    }

    private Confidence confidenceOf(Finding finding) {
        return confidence(finding, chain(finding));
    }

    private Diagnosis diagnose(Finding main, List<NamedCause> causes) {
        CausalChain chain = chain(main);
        Confidence confidence = confidence(main, chain);
        return new Diagnosis(
                main.cause(),
                confidence,
                causes,
                main.stall(),
                main.explanation().findings(),
                chain.links(),
                new Suspects(file, attributions, main.stall(), main.explanation()).all(),
                noted,
                confidence == Confidence.CERTAIN ? List.of() : wouldSettle(main, chain),
                remedy(main.cause()));
    }

    /** What is certain has a chain without a gap, and nothing that it rests on was left unseen. */
    private static Confidence confidence(Finding finding, CausalChain chain) {
        Confidence confidence = finding.explanation().confidence();
        boolean isDoubtful = chain.isBroken() || !finding.missing().isEmpty();
        return isDoubtful && confidence == Confidence.CERTAIN ? Confidence.LIKELY : confidence;
    }

    private String remedy(Cause cause) {
        return cause == Cause.NETWORK_LOSS ? discards.remedy() : cause.remedy();
    }

    /** Names what is missing: in the account, in what was looked at, in the chain. */
    private List<String> wouldSettle(Finding main, CausalChain chain) {
        Set<String> missing = new LinkedHashSet<>();
        TimelineEvent stall = main.stall();
        if (stall != null && main.explanation().confidence() != Confidence.CERTAIN) {
            missing.addAll(attributions.of(stall).missing());
        }
        missing.addAll(main.missing());
        if (chain.isBroken()) {
            chain.missing().forEach(link -> missing.add("the missing link of the chain: " + link));
        }
        if (missing.isEmpty() && !main.cause().settledBy().isEmpty()) {
            missing.add(main.cause().settledBy());
        }
        return List.copyOf(missing);
    }

    private CausalChain chain(Finding finding) {
        return chains.computeIfAbsent(finding, this::observed);
    }

    private CausalChain observed(Finding finding) {
        TimelineEvent event = finding.event();
        return event != null && event.type() == TRAFFIC_BURST
                ? CausalChain.ofBurst(file, finding.process(), event)
                : CausalChain.of(file, finding.cause(), finding.process(), finding.stall());
    }

    /** Each lost datagram is charged once: to a stall or to a burst. */
    private LossCharges charges(LossFindings others) {
        List<LossCharges.Claim> claims = new ArrayList<>();
        for (TimelineEvent stall : receiversStalls()) {
            if (!isOfBurst(stall)) {
                Interval aftermath = isOverflow(stall) ? stall.interval() : losses.untilDrained(stall);
                claims.add(new LossCharges.Claim(stall, stall.process(), aftermath));
            }
        }
        others.bursts().forEach(burst -> claims.add(new LossCharges.Claim(burst, null, withAftermath(burst))));
        return losses.charges(claims);
    }

    private List<TimelineEvent> receiversStalls() {
        return file.of(STALL).stream()
                .filter(stall -> isReceiver(stall.process()) && file.counted().contains(stall.timeNs()))
                .toList();
    }

    /** Returns the stalls that matter; the others are noted. */
    private List<Finding> stalls(LossCharges charges) {
        List<Finding> serious = new ArrayList<>();
        for (TimelineEvent stall : receiversStalls()) {
            Explanation explanation = attributions.of(stall).explain();
            long lost = losses.ofFullSocket(charges.of(stall), true);
            if (isNoise(stall, explanation.cause(), lost) || isOfBurst(stall)) {
                note(stall, explanation.cause());
            } else {
                serious.add(new Finding(explanation, stall.process(), stall, lost, unknownOf(stall, explanation)));
            }
        }
        return serious;
    }

    /** In epoll, a thread may have waited for the very socket, which was not armed; not if the sockets of its set are known. */
    private List<String> unknownOf(TimelineEvent stall, Explanation explanation) {
        List<Interval> waits = file.near(stall.interval(), stall.process(), THREAD_ABSENT).stream()
                .filter(absent -> absent.thread().equals(stall.thread()))
                .map(file.index()::absence)
                .filter(absence -> absence.isInEpoll() && absence.sockets() == null)
                .map(ThreadAbsence::blocked)
                .toList();
        return explanation.cause() == Cause.BLOCKING_CALL
                        && stall.interval().coveredBy(waits) >= Explanation.LEAST_SHARE
                ? List.of("for which file " + stall.thread()
                        + " waited in epoll: the socket itself may not have been armed")
                : List.of();
    }

    /** Returns the times in which the sender sent nothing, not even heartbeats. What has no reason, or is the machine's doing, is noted. */
    private List<Finding> silences() {
        List<Finding> findings = new ArrayList<>();
        FeedObservations observations = new FeedObservations(file);
        for (DatagramEvent.Silence silence : observations.silences()) {
            Optional<String> ofHost = ofMembership(silence, observations).or(() -> ofMachine(silence));
            boolean isLong = silence.interval().lengthNs() >= LONG_SILENCE_NS;
            if (isHalted(silence)) {
                findings.add(silence(silence, 1, List.of()));
            } else if (ofHost.isEmpty() && isLong) {
                findings.add(silence(
                        silence,
                        Explanation.LEAST_SHARE,
                        List.of("what the sender did in the silence: " + senderState(silence))));
            } else {
                noted.add(String.format(
                        Locale.ROOT,
                        "%s sent nothing for %.1f ms: %s",
                        silence.process(),
                        silence.interval().lengthMs(),
                        ofHost.orElseGet(() -> "why is unknown, " + senderState(silence))));
            }
        }
        return findings;
    }

    private static Finding silence(DatagramEvent.Silence silence, double share, List<String> missing) {
        Explanation explanation =
                new Explanation(Cause.SENDER_PAUSED, share, List.of(FeedObservations.silence(silence)));
        return new Finding(explanation, silence.process(), silence, 0, missing);
    }

    private static String senderState(DatagramEvent.Silence silence) {
        DatagramEvent.SenderAbsence sender = silence.sender();
        return sender == null
                ? "the state of its threads was not recorded"
                : String.format(
                        Locale.ROOT,
                        "its thread %s was %s for %.1f ms of it",
                        sender.senderThread(),
                        sender.senderState(),
                        new Interval(0, sender.senderAbsentNs()).lengthMs());
    }

    /** Nobody sends to a host that asks for nothing. */
    private static Optional<String> ofMembership(TimelineEvent silence, FeedObservations observations) {
        double without = observations.withoutMembership(silence);
        return without >= Explanation.LEAST_SHARE
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "no socket of this host was a member of the group for %.1f ms of it",
                        without * silence.interval().lengthMs()))
                : Optional.empty();
    }

    /** Returns what was seen of the machine that explains most of a silence; empty if nothing was. */
    private Optional<String> ofMachine(DatagramEvent.Silence silence) {
        double late = silence.interval().coveredBy(file.spansNear(silence.interval(), TIMER_LATE));
        if (late >= Explanation.LEAST_SHARE) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the machine was busy, an idle thread's timer was late for %.1f ms of it",
                    late * silence.interval().lengthMs()));
        }
        return isMostly(silence, Set.of("preempted", "runnable"))
                ? Optional.of("the machine was busy, " + senderState(silence))
                : Optional.empty();
    }

    private static boolean isHalted(DatagramEvent.Silence silence) {
        return isMostly(silence, Set.of("stopped", "frozen", "traced"));
    }

    private static boolean isMostly(DatagramEvent.Silence silence, Set<String> states) {
        DatagramEvent.SenderAbsence sender = silence.sender();
        return sender != null
                && states.contains(sender.senderState())
                && sender.senderAbsentNs()
                        >= Explanation.LEAST_SHARE * silence.interval().lengthNs();
    }

    private void note(TimelineEvent stall, Cause cause) {
        noted.add(String.format(
                Locale.ROOT,
                "%s also stalled for %.1f ms: %s",
                stall.thread(),
                stall.interval().lengthMs(),
                cause == Cause.UNEXPLAINED ? "cause unknown" : cause.label()));
    }

    private boolean isNoise(TimelineEvent stall, Cause cause, long lost) {
        boolean isShort = stall.interval().lengthNs() < HARMLESS_NS;
        boolean isControlGroup = !stall.process().equals(file.suspect());
        return lost == 0 && (isControlGroup || (isShort && isOfBusyMachine(stall, cause)));
    }

    /**
     * Also of a callback while threads waited for a processor: it may be the holder of a lock that the callback needs which waited, such as a
     * compiler thread with the JVM's queue of methods to compile.
     */
    private static boolean isOfBusyMachine(TimelineEvent stall, Cause cause) {
        return cause.isNoiseWhenShort() || (cause == Cause.SLOW_CALLBACK && isMachinePressed(stall));
    }

    /** Returns whether some thread of the machine waited for a processor for half of the stall (PSI). */
    private static boolean isMachinePressed(TimelineEvent stall) {
        Double pressureMs = ThreadStall.figuresOf(stall).processorPressureMs();
        return pressureMs != null
                && pressureMs >= Explanation.LEAST_SHARE * stall.interval().lengthMs();
    }

    /** Returns whether the reader did not stand still: its socket overflowed because it was slower than the datagrams that came in. */
    static boolean isOverflow(TimelineEvent stall) {
        return ThreadStall.isOverflow(stall);
    }

    /** A reader is slower than a burst: the burst is the cause. */
    private boolean isOfBurst(TimelineEvent stall) {
        return isOverflow(stall)
                && file.near(beforeAftermath(stall.interval()), TRAFFIC_BURST).stream()
                        .anyMatch(burst -> withAftermath(burst).overlaps(stall.interval()));
    }

    private boolean isReceiver(String process) {
        return file.receivers().stream().anyMatch(receiver -> receiver.name().equals(process));
    }

    /** Returns the event with the time after it in which a loss may still be its doing. */
    static Interval withAftermath(TimelineEvent event) {
        Interval span = event.interval();
        return new Interval(span.beginNs(), span.endNs() + AFTERMATH_NS);
    }

    /** Returns an interval with the time before it in which an event with its aftermath may reach into it. */
    static Interval beforeAftermath(Interval span) {
        return new Interval(span.beginNs() - AFTERMATH_NS, span.endNs());
    }

    /** Returns the ends of processes in the counted window of which their parent was told; of others it is not known whether they were due. */
    private List<Finding> ends() {
        return file.of(HostEvent.Ended.class).stream()
                .filter(end -> end.how() != null && !end.how().isEmpty())
                .filter(end -> file.counted().contains(end.timeNs()))
                .map(this::end)
                .toList();
    }

    private Finding end(HostEvent.Ended told) {
        long endedNs = file.of(told.process(), PROCESS_ENDED).stream()
                .mapToLong(TimelineEvent::timeNs)
                .filter(file.counted()::contains)
                .min()
                .orElse(told.timeNs());
        Evidence evidence =
                new Evidence(endedNs, told.process() + " ended before the flow did", String.valueOf(told.how()));
        return new Finding(
                new Explanation(Cause.PROCESS_ENDED, 1, List.of(evidence)),
                told.process(),
                null,
                new Interval(endedNs, file.counted().endNs()),
                0,
                List.of());
    }

    /** Returns CLEAN only if the run has no problem that needs a cause. */
    private Finding nothingFound() {
        long endNs = file.counted().endNs();
        Explanation explanation = file.problems().isEmpty()
                ? new Explanation(Cause.CLEAN, 1, List.of())
                : Explanation.ofProblems(endNs, file.problems());
        return new Finding(explanation, file.suspect(), endNs, 0, List.of());
    }
}
