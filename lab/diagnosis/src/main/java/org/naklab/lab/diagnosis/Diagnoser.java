package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Turns a case file into a diagnosis: finds the stalls that matter and the losses beside them, names the cause of each, and orders the
 * causes by harm. A short stall that did no harm and is due to the machine is noted but is not a cause.
 */
final class Diagnoser {
    /** Below, a stall of the machine's own making that cost nothing is noise on a machine that others use too. */
    static final long HARMLESS_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A datagram lost later after a stall's end was not lost to that stall, unless its socket had not drained until then. */
    private static final long AFTERMATH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A sender on a busy machine may be silent for less, with nothing wrong but the machine. */
    private static final long LONG_SILENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final CaseFile file;
    private final LossAnalysis losses;
    private final DatagramDiscards discards;
    private final ArrivalAnalysis arrivals;
    private final List<String> noted = new ArrayList<>();

    Diagnoser(CaseFile file) {
        this.file = file;
        losses = new LossAnalysis(file);
        discards = new DatagramDiscards(file);
        arrivals = new ArrivalAnalysis(file);
    }

    /**
     * A cause with what it is the cause of.
     *
     * @param event a stall or a silence; {@code null}: neither
     * @param lost datagrams, at least
     */
    private record Finding(
            Explanation explanation,
            String process,
            @Nullable TimelineEvent event,
            long lost) {
        Cause cause() {
            return explanation.cause();
        }

        @Nullable
        TimelineEvent stall() {
            return event != null && event.type() == STALL ? event : null;
        }

        long lengthNs() {
            return event == null ? 0 : event.interval().lengthNs();
        }
    }

    Diagnosis conclude() {
        List<Finding> findings = new ArrayList<>(stalls());
        findings.addAll(explainLosses(findings.isEmpty()));
        findings.addAll(disorders());
        findings.addAll(silences());
        findings.addAll(ends());
        findings.sort(Comparator.comparing(
                        (Finding finding) -> !finding.process().equals(file.suspect()))
                .thenComparing(Comparator.comparingLong(Finding::lost).reversed())
                .thenComparing(Comparator.comparingLong(Finding::lengthNs).reversed()));
        return findings.isEmpty() ? diagnose(nothingFound(), file.suspect(), null, List.of()) : diagnose(findings);
    }

    private Diagnosis diagnose(List<Finding> findings) {
        Finding first = findings.get(0);
        return diagnose(first.explanation(), first.process(), first.stall(), causes(findings));
    }

    private Diagnosis diagnose(
            Explanation explanation, String process, @Nullable TimelineEvent stall, List<NamedCause> causes) {
        Cause cause = explanation.cause();
        CausalChain chain = chain(cause, process, stall);
        boolean isDoubtful = chain.isBroken() && explanation.confidence() == Confidence.CERTAIN;
        Confidence confidence = isDoubtful ? Confidence.LIKELY : explanation.confidence();
        return new Diagnosis(
                cause,
                confidence,
                IntStream.range(0, causes.size())
                        .mapToObj(i -> i == 0 ? causes.get(i).with(confidence) : causes.get(i))
                        .toList(),
                stall,
                explanation.findings(),
                chain.links(),
                new Suspects(file, stall, explanation).all(),
                noted,
                confidence == Confidence.CERTAIN ? List.of() : wouldSettle(explanation, chain, stall),
                remedy(cause));
    }

    private String remedy(Cause cause) {
        return cause == Cause.NETWORK_LOSS ? discards.remedy() : cause.remedy();
    }

    /** Causes of the same process and kind are one, with the harm of all. */
    private List<NamedCause> causes(List<Finding> findings) {
        Map<List<Object>, NamedCause> causes = new LinkedHashMap<>();
        for (Finding finding : findings) {
            TimelineEvent event = finding.event();
            Explanation explanation = finding.explanation();
            NamedCause named = new NamedCause(
                    finding.cause(),
                    explanation.confidence(),
                    finding.process(),
                    event == null ? "" : event.thread(),
                    event == null ? firstNs(explanation) : event.timeNs(),
                    event == null ? 0 : event.interval().lengthMs(),
                    finding.lost(),
                    remedy(finding.cause()));
            causes.merge(List.of(finding.process(), finding.cause()), named, NamedCause::and);
        }
        return List.copyOf(causes.values());
    }

    private long firstNs(Explanation explanation) {
        return explanation.findings().stream()
                .mapToLong(Evidence::atNs)
                .min()
                .orElse(file.counted().beginNs());
    }

    /** Names what is missing: sources of the account, then links of the chain, then what belongs to the cause. */
    private List<String> wouldSettle(Explanation explanation, CausalChain chain, @Nullable TimelineEvent stall) {
        List<String> missing = new ArrayList<>();
        if (stall != null
                && file.of(stall.process(), TimelineEventType.KERNEL_RECORDED).isEmpty()) {
            missing.add(
                    "the kernel recorder, which did not cover this stall: run as root; naklab doctor says what it needs");
        }
        if (stall != null && explanation.confidence() == Confidence.CERTAIN) {
            chain.missing().forEach(link -> missing.add("the missing link of the chain: " + link));
        }
        if (missing.isEmpty() && !explanation.cause().settledBy().isEmpty()) {
            missing.add(explanation.cause().settledBy());
        }
        return missing;
    }

    private CausalChain chain(Cause cause, String process, @Nullable TimelineEvent stall) {
        Optional<TimelineEvent> burst = cause == Cause.TRAFFIC_BURST ? harmfulBurst() : Optional.empty();
        return burst.map(its -> CausalChain.ofBurst(file, its))
                .orElseGet(() -> CausalChain.of(file, cause, process, stall));
    }

    /** Returns the stalls that matter; the others are noted. */
    private List<Finding> stalls() {
        List<Finding> serious = new ArrayList<>();
        for (TimelineEvent stall : file.of(STALL)) {
            if (isReceiver(stall.process()) && file.counted().contains(stall.timeNs())) {
                Explanation explanation = new StallAttribution(file, stall).explain();
                long lost = losses.dropsOf(stall.process(), withAftermath(stall));
                if (isNoise(stall, explanation.cause(), lost)) {
                    note(stall, explanation.cause());
                } else {
                    serious.add(new Finding(explanation, stall.process(), stall, lost));
                }
            }
        }
        return serious;
    }

    /** Returns the times in which the sender sent nothing, not even heartbeats. What a busy machine did to the sender is noted. */
    private List<Finding> silences() {
        List<Finding> findings = new ArrayList<>();
        for (TimelineEvent silence : new FeedObservations(file).silences()) {
            if (isOfMachine(silence)) {
                noted.add(String.format(
                        Locale.ROOT,
                        "%s sent nothing for %.1f ms: the machine was busy",
                        silence.process(),
                        silence.interval().lengthMs()));
            } else {
                Evidence evidence = FeedObservations.silence(silence);
                findings.add(new Finding(
                        new Explanation(
                                Cause.SENDER_PAUSED,
                                isHalted(silence) ? 1 : Explanation.LEAST_SHARE,
                                List.of(evidence)),
                        silence.process(),
                        silence,
                        0));
            }
        }
        return findings;
    }

    /** A sender that nobody stopped, and that was silent for less than a second, waited for a busy machine. */
    private boolean isOfMachine(TimelineEvent silence) {
        List<Interval> late = file.of(TimelineEventType.TIMER_LATE).stream()
                .map(TimelineEvent::interval)
                .toList();
        return silence.textDetail("senderState").equals("preempted")
                || (!isHalted(silence) && silence.interval().lengthNs() < LONG_SILENCE_NS)
                || silence.interval().coveredBy(late) >= Explanation.LEAST_SHARE;
    }

    private static boolean isHalted(TimelineEvent silence) {
        return Set.of("stopped", "frozen", "traced").contains(silence.textDetail("senderState"));
    }

    private void note(@Nullable TimelineEvent stall, Cause cause) {
        if (stall != null) {
            noted.add(String.format(
                    Locale.ROOT,
                    "%s also stalled for %.1f ms: %s",
                    stall.thread(),
                    stall.interval().lengthMs(),
                    cause == Cause.UNEXPLAINED ? "cause unknown" : cause.label()));
        }
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
        return stall.detail("processorPressureMs") instanceof Number ms
                && ms.doubleValue()
                        >= Explanation.LEAST_SHARE * stall.interval().lengthMs();
    }

    private boolean isReceiver(String process) {
        return file.receivers().stream().anyMatch(receiver -> receiver.name().equals(process));
    }

    /** Returns the first burst in or soon after which a socket overflowed, other than one that catches up after a stall of sender or receiver. */
    private Optional<TimelineEvent> harmfulBurst() {
        List<Interval> standstills =
                file.of(STALL).stream().map(Diagnoser::withAftermath).toList();
        return file.of(TRAFFIC_BURST).stream()
                .filter(burst -> file.counted().contains(burst.timeNs()))
                .filter(burst -> standstills.stream().noneMatch(stall -> stall.contains(burst.timeNs())))
                .filter(burst -> losses.dropsIn(withAftermath(burst)) > 0)
                .findFirst();
    }

    private static Interval withAftermath(TimelineEvent event) {
        Interval span = event.interval();
        return new Interval(span.beginNs(), span.endNs() + AFTERMATH_NS);
    }

    /** @param isAlone whether there is no stall that could have cost what is missing */
    private List<Finding> explainLosses(boolean isAlone) {
        CaseFile.Receiver suspect = file.receiver(file.suspect());
        Optional<TimelineEvent> burst = harmfulBurst();
        if (burst.isPresent()) {
            return List.of(finding(explainBurst(), losses.dropsIn(withAftermath(burst.orElseThrow()))));
        }
        if (suspect.ringFull() > 0) {
            Evidence full = new Evidence(
                    ringFullNs(),
                    "the ring was full while the context thread kept running",
                    suspect.ringFull() + " times refused");
            return List.of(finding(new Explanation(Cause.SLOW_CONSUMER, 1, List.of(full)), 0));
        }
        if (!losses.lossyReceivers().isEmpty()) {
            return losses.lossyReceivers().stream()
                    .map(receiver -> onTheWay(receiver, nakWithoutDrop(receiver)))
                    .toList();
        }
        if (!file.areNaksCounted(file.suspect()) && discards.beforeSockets() > 0) {
            return List.of(finding(discarded(), discards.beforeSockets()));
        }
        if (!losses.shortReceivers().isEmpty()) {
            return losses.shortReceivers().stream()
                    .map(receiver -> onTheWay(receiver, missingBesideDrops(receiver)))
                    .toList();
        }
        return isAlone && (losses.drops() > 0 || losses.naks() > 0)
                ? List.of(finding(unexplained(), losses.drops()))
                : List.of();
    }

    /** Explains a NAK for a datagram that never reached the socket: it was lost, or only late. */
    private Finding onTheWay(String receiver, Evidence asked) {
        if (arrivals.isDelayed(receiver)) {
            Evidence late = arrivals.delay(receiver, asked.atNs());
            return new Finding(new Explanation(Cause.NETWORK_DELAY, 1, List.of(asked, late)), receiver, null, 0);
        }
        return new Finding(networkLoss(asked), receiver, null, losses.datagramsLostOnTheWay(receiver));
    }

    /** Returns what came out of order or twice on the way, at each receiver. */
    private List<Finding> disorders() {
        List<Finding> findings = new ArrayList<>();
        for (CaseFile.Receiver receiver : file.receivers()) {
            addDisorder(findings, receiver.name(), Cause.NETWORK_REORDERING, arrivals.reordering(receiver.name()));
            addDisorder(findings, receiver.name(), Cause.NETWORK_DUPLICATION, arrivals.duplication(receiver.name()));
        }
        return findings;
    }

    private static void addDisorder(List<Finding> findings, String receiver, Cause cause, List<Evidence> evidence) {
        if (!evidence.isEmpty()) {
            findings.add(new Finding(new Explanation(cause, 1, evidence), receiver, null, 0));
        }
    }

    /** Returns the ends of processes in the counted window of which their parent was told; of others it is not known whether they were due. */
    private List<Finding> ends() {
        return file.of(TimelineEventType.PROCESS_ENDED).stream()
                .filter(end -> !end.textDetail("how").isEmpty())
                .filter(end -> file.counted().contains(end.timeNs()))
                .map(this::end)
                .toList();
    }

    private Finding end(TimelineEvent told) {
        long endedNs = file.of(told.process(), TimelineEventType.PROCESS_ENDED).stream()
                .mapToLong(TimelineEvent::timeNs)
                .filter(file.counted()::contains)
                .min()
                .orElse(told.timeNs());
        Evidence evidence =
                new Evidence(endedNs, told.process() + " ended before the flow did", told.textDetail("how"));
        return new Finding(new Explanation(Cause.PROCESS_ENDED, 1, List.of(evidence)), told.process(), null, 0);
    }

    private Finding finding(Explanation explanation, long lost) {
        return new Finding(explanation, file.suspect(), null, lost);
    }

    /** Returns when the ring was first seen to fill; the begin of the counted window if nobody saw it. */
    private long ringFullNs() {
        return file.of(file.suspect(), TimelineEventType.RING_DEPTH_RISE).stream()
                .mapToLong(TimelineEvent::timeNs)
                .filter(file.counted()::contains)
                .findFirst()
                .orElse(file.counted().beginNs());
    }

    private Explanation unexplained() {
        Evidence finding = losses.drops() > 0
                ? new Evidence(losses.firstDropNs(), dropsWithoutStall(), losses.drops() + " datagrams")
                : new Evidence(
                        losses.firstNakNs(),
                        "NAKs for data dropped in the warm-up or outside of the driver's window",
                        losses.naks() + " NAKs");
        return new Explanation(Cause.UNEXPLAINED, 0, List.of(finding));
    }

    private String dropsWithoutStall() {
        SocketDrops drops = discards.drops(losses.drops());
        return drops.isOverflowOnly()
                ? "a socket overflowed without a stall"
                : "no thread stalled, and a socket's datagrams were " + drops.why();
    }

    private Evidence nakWithoutDrop(String receiver) {
        return new Evidence(
                losses.firstLossNs(receiver),
                losses.drops() == 0
                        ? "NAKs for datagrams that no socket dropped"
                        : "NAKs for datagrams that their socket did not drop",
                losses.naks(receiver) + " NAKs of " + receiver + ", " + losses.drops() + " drops in total");
    }

    private Explanation networkLoss(Evidence loss) {
        List<Evidence> findings = new ArrayList<>(List.of(loss));
        findings.addAll(discards.evidence(losses.firstNakNs(), losses.drops()));
        return new Explanation(Cause.NETWORK_LOSS, 1, findings);
    }

    private Explanation discarded() {
        return networkLoss(new Evidence(
                file.counted().beginNs(),
                "this host discarded datagrams before they reached a socket",
                String.format(Locale.ROOT, "%,d datagrams", discards.beforeSockets())));
    }

    private Evidence missingBesideDrops(String receiver) {
        return new Evidence(
                losses.firstNakNs(),
                "more bytes were missing than the dropped datagrams can have contained",
                String.format(
                        Locale.ROOT,
                        "%,d bytes more at %s than in %,d drops",
                        file.receiver(receiver).lostOnTheWayBytes(),
                        receiver,
                        file.receiver(receiver).datagramsDropped()));
    }

    private Explanation explainBurst() {
        List<Evidence> findings = file.of(TRAFFIC_BURST).stream()
                .filter(burst -> file.counted().contains(burst.timeNs()))
                .map(burst -> new Evidence(
                        burst.timeNs(),
                        "the rate rose at " + burst.process(),
                        String.format(
                                Locale.ROOT,
                                "%,d bytes/s, before %,d",
                                burst.longDetail("peakPerSecond", 0),
                                burst.longDetail("baselinePerSecond", 0))))
                .toList();
        long witnesses = file.of(TRAFFIC_BURST).stream()
                .map(TimelineEvent::process)
                .distinct()
                .count();
        return new Explanation(Cause.TRAFFIC_BURST, witnesses > 1 ? 1 : Explanation.LEAST_SHARE, findings);
    }

    /** Returns CLEAN only if the run has no problem that needs a cause. */
    private Explanation nothingFound() {
        return file.problems().isEmpty()
                ? new Explanation(Cause.CLEAN, 1, List.of())
                : Explanation.ofProblems(file.counted().endNs(), file.problems());
    }
}
