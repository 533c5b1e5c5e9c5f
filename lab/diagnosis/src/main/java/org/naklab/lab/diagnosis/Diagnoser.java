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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;

/**
 * Turns a case file into a diagnosis: determines the damage, then the stall, burst or full ring that preceded it, then the cause of that. A
 * short stall that caused no damage and is due to the machine is noted but is not the diagnosis.
 */
final class Diagnoser {
    /** Below, a stall of the machine's own making that cost nothing is noise on a machine that others use too. */
    static final long HARMLESS_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A datagram lost later after a stall's end was not lost to that stall. */
    private static final long AFTERMATH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final CaseFile file;
    private final LossAnalysis losses;
    private final DatagramDiscards discards;
    private final List<String> noted = new ArrayList<>();

    Diagnoser(CaseFile file) {
        this.file = file;
        losses = new LossAnalysis(file);
        discards = new DatagramDiscards(file);
    }

    Diagnosis conclude() {
        TimelineEvent stall = worstStall();
        Explanation explanation = stall == null ? nothingFound() : new StallAttribution(file, stall).explain();
        // On a busy machine threads wait for a processor all the time: whatever else was seen is the better answer.
        if (stall == null || explanation.cause().isMachineNoise()) {
            Optional<Explanation> ofLosses = explainLosses(stall == null);
            if (ofLosses.isPresent()) {
                note(stall, explanation.cause());
                explanation = ofLosses.get();
                stall = null;
            }
        }
        CausalChain chain = chain(explanation.cause(), stall);
        Confidence confidence = chain.isBroken() && explanation.confidence() == Confidence.CERTAIN
                ? Confidence.LIKELY
                : explanation.confidence();
        return new Diagnosis(
                explanation.cause(),
                confidence,
                explanation.findings(),
                chain.links(),
                new Suspects(file, stall, explanation.cause()).all(),
                noted,
                confidence == Confidence.CERTAIN ? "" : explanation.cause().settledBy(),
                explanation.cause() == Cause.NETWORK_LOSS
                        ? discards.remedy()
                        : explanation.cause().remedy());
    }

    private CausalChain chain(Cause cause, @Nullable TimelineEvent stall) {
        Optional<TimelineEvent> burst = cause == Cause.TRAFFIC_BURST ? harmfulBurst() : Optional.empty();
        return burst.map(its -> CausalChain.ofBurst(file, its)).orElseGet(() -> CausalChain.of(file, cause, stall));
    }

    /**
     * The stall that matters most: the suspect's before the control group's, one with a cause of its own before one that a busy
     * machine explains, one whose missing pages are known before one that had missing pages of some kind, the longest.
     */
    private @Nullable TimelineEvent worstStall() {
        Map<TimelineEvent, Cause> serious = new LinkedHashMap<>();
        for (TimelineEvent stall : file.of(STALL)) {
            if (isReceiver(stall.process()) && file.counted().contains(stall.timeNs())) {
                Cause cause = new StallAttribution(file, stall).explain().cause();
                if (isNoise(stall, cause)) {
                    note(stall, cause);
                } else {
                    serious.put(stall, cause);
                }
            }
        }
        return serious.entrySet().stream()
                .min(Comparator.comparing((Map.Entry<TimelineEvent, Cause> entry) ->
                                !entry.getKey().process().equals(file.suspect()))
                        .thenComparing(entry -> entry.getValue().isMachineNoise())
                        .thenComparing(entry -> entry.getValue() == Cause.MAJOR_FAULT)
                        .thenComparing(entry -> -entry.getKey().interval().lengthNs()))
                .map(Map.Entry::getKey)
                .orElse(null);
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

    private boolean isNoise(TimelineEvent stall, Cause cause) {
        boolean isHarmful = losses.isDropIn(stall.process(), withAftermath(stall));
        boolean isShort = stall.interval().lengthNs() < HARMLESS_NS;
        boolean isControlGroup = !stall.process().equals(file.suspect());
        return !isHarmful && (isControlGroup || (isShort && isOfBusyMachine(stall, cause)));
    }

    /**
     * Also of a callback while threads waited for a processor: it may be the holder of a lock that the callback needs which waited, such as a
     * compiler thread with the JVM's queue of methods to compile.
     */
    private boolean isOfBusyMachine(TimelineEvent stall, Cause cause) {
        return cause.isMachineNoise()
                || (cause == Cause.SLOW_CALLBACK
                        && new StallBreakdown(file, stall).pressed() >= Explanation.LEAST_SHARE);
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
                .filter(burst -> losses.isDropIn(withAftermath(burst)))
                .findFirst();
    }

    private static Interval withAftermath(TimelineEvent event) {
        Interval span = event.interval();
        return new Interval(span.beginNs(), span.endNs() + AFTERMATH_NS);
    }

    /** @param isAlone whether there is no stall that could have cost what is missing */
    private Optional<Explanation> explainLosses(boolean isAlone) {
        CaseFile.Receiver suspect = file.receiver(file.suspect());
        if (harmfulBurst().isPresent()) {
            return Optional.of(explainBurst());
        }
        if (suspect.ringFull() > 0) {
            return Optional.of(new Explanation(
                    Cause.SLOW_CONSUMER,
                    1,
                    List.of(new Evidence(
                            file.counted().beginNs(),
                            "the ring was full while the context thread kept running",
                            suspect.ringFull() + " times refused"))));
        }
        if (losses.isWithoutAnyDrop() || losses.isNakWithoutDrop()) {
            return Optional.of(networkLoss());
        }
        if (losses.naks() > 0 && losses.lostOnTheWayBytes() > 0) {
            return Optional.of(lossBesideDrops());
        }
        return isAlone && (losses.drops() > 0 || losses.naks() > 0) ? Optional.of(unexplained()) : Optional.empty();
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
        return drops.badChecksums() == 0
                ? "a socket overflowed without a stall"
                : "no thread stalled, and a socket's datagrams were " + drops.why();
    }

    private Explanation networkLoss() {
        return networkLoss(new Evidence(
                losses.firstNakNs(),
                "NAKs for datagrams that no socket dropped, and no thread stalled",
                losses.naks() + " NAKs, " + losses.drops() + " drops in total"));
    }

    private Explanation networkLoss(Evidence loss) {
        List<Evidence> findings = new ArrayList<>(List.of(loss));
        findings.addAll(discards.evidence(losses.firstNakNs(), losses.drops()));
        return new Explanation(Cause.NETWORK_LOSS, 1, findings);
    }

    private Explanation lossBesideDrops() {
        return networkLoss(new Evidence(
                losses.firstNakNs(),
                "more bytes were missing than the dropped datagrams can have contained",
                String.format(
                        Locale.ROOT, "%,d bytes more than in %,d drops", losses.lostOnTheWayBytes(), losses.drops())));
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
