package org.naklab.lab.diagnose;

import static org.naklab.lab.detect.TimelineEventType.STALL;
import static org.naklab.lab.detect.TimelineEventType.TRAFFIC_BURST;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.detect.TimelineEvent;

/**
 * From a case file to a diagnosis. First what harm there was, then which stall or burst or full ring came before it, then who
 * can explain that. A short stall that did no harm and is the machine's own is noted and not named.
 */
final class Investigation {
    /** Below, a stall of the machine's own making that cost nothing is noise on a machine that others use too. */
    static final long HARMLESS_NS = TimeUnit.MILLISECONDS.toNanos(60);
    /** A datagram lost later after a stall's end was not lost to that stall. */
    private static final long AFTERMATH_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final CaseFile file;
    private final Losses losses;
    private final List<String> noted = new ArrayList<>();

    Investigation(CaseFile file) {
        this.file = file;
        losses = new Losses(file);
    }

    Diagnosis conclude() {
        TimelineEvent stall = worstStall();
        Explanation explanation = stall == null
                ? explainLosses().orElseGet(Investigation::clean)
                : burstBefore(stall).orElseGet(() -> new StallWitness(file, stall).explain());
        CausalChain chain = CausalChain.of(file, explanation.cause(), stall);
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
                explanation.cause().remedy());
    }

    /** The longest stall that matters; the suspect's before the control group's. */
    private @Nullable TimelineEvent worstStall() {
        List<TimelineEvent> stalls = file.of(STALL).stream()
                .filter(stall -> isReceiver(stall.process()) && file.counted().contains(stall.timeNs()))
                .sorted(Comparator.comparing(
                                (TimelineEvent stall) -> !stall.process().equals(file.suspect()))
                        .thenComparing(stall -> -Span.of(stall).lengthNs()))
                .toList();
        List<TimelineEvent> serious = new ArrayList<>();
        for (TimelineEvent stall : stalls) {
            Cause cause = new StallWitness(file, stall).explain().cause();
            if (isNoise(stall, cause)) {
                noted.add(String.format(
                        Locale.ROOT,
                        "%s stood still for %.1f ms and lost nothing: %s",
                        stall.thread(),
                        Span.of(stall).lengthMs(),
                        cause == Cause.UNEXPLAINED ? "nobody saw why" : cause.label()));
            } else {
                serious.add(stall);
            }
        }
        return serious.isEmpty() ? null : serious.get(0);
    }

    private boolean isNoise(TimelineEvent stall, Cause cause) {
        Span span = Span.of(stall);
        boolean isHarmful = losses.isAnyIn(stall.process(), new Span(span.beginNs(), span.endNs() + AFTERMATH_NS));
        boolean isShort = span.lengthNs() < HARMLESS_NS;
        boolean isControlGroup = !stall.process().equals(file.suspect());
        return !isHarmful && (isControlGroup || (isShort && cause.isMachineNoise()));
    }

    private boolean isReceiver(String process) {
        return file.receivers().stream().anyMatch(receiver -> receiver.name().equals(process));
    }

    /** A burst that began before the stall came first: what follows is its doing. One that came after is catching up. */
    private Optional<Explanation> burstBefore(TimelineEvent stall) {
        Span span = Span.of(stall);
        return bursts().filter(burst -> span.beginNs() - burst.beginNs() > 0
                        && burst.endNs() - span.beginNs() > -AFTERMATH_NS
                        && losses.isAnyIn(stall.process(), new Span(burst.beginNs(), span.beginNs())))
                .findFirst()
                .map(burst -> explainBurst());
    }

    private java.util.stream.Stream<Span> bursts() {
        return file.of(TRAFFIC_BURST).stream().map(Span::of).filter(burst -> file.counted()
                .contains(burst.beginNs()));
    }

    private Optional<Explanation> explainLosses() {
        CaseFile.Receiver suspect = file.receiver(file.suspect());
        if (bursts().anyMatch(burst -> losses.isDropIn(new Span(burst.beginNs(), burst.endNs() + AFTERMATH_NS)))) {
            return Optional.of(explainBurst());
        }
        if (suspect.ringFull() > 0) {
            return Optional.of(new Explanation(
                    Cause.SLOW_CONSUMER,
                    1,
                    List.of(new Finding(
                            file.counted().fromNs(),
                            "the ring was full while the context thread kept running",
                            suspect.ringFull() + " times refused"))));
        }
        if (losses.drops() > 0) {
            return Optional.of(new Explanation(
                    Cause.UNEXPLAINED,
                    0,
                    List.of(new Finding(
                            losses.firstDropNs(),
                            "a socket overflowed without a stall",
                            losses.drops() + " datagrams"))));
        }
        return losses.naks() == 0 ? Optional.empty() : Optional.of(networkLoss());
    }

    private Explanation networkLoss() {
        return new Explanation(
                Cause.NETWORK_LOSS,
                1,
                List.of(new Finding(
                        losses.firstNakNs(),
                        "NAKs for datagrams that no socket dropped, and no thread stood still",
                        losses.naks() + " NAKs, 0 drops")));
    }

    private Explanation explainBurst() {
        List<Finding> findings = file.of(TRAFFIC_BURST).stream()
                .filter(burst -> file.counted().contains(burst.timeNs()))
                .map(burst -> new Finding(
                        burst.timeNs(),
                        "the rate rose at " + burst.process(),
                        burst.longDetail("peakPerSecond", 0) + " messages/s, before "
                                + burst.longDetail("baselinePerSecond", 0)))
                .toList();
        long witnesses = file.of(TRAFFIC_BURST).stream()
                .map(TimelineEvent::process)
                .distinct()
                .count();
        return new Explanation(Cause.TRAFFIC_BURST, witnesses > 1 ? 1 : Explanation.LEAST_SHARE, findings);
    }

    private static Explanation clean() {
        return new Explanation(Cause.CLEAN, 1, List.of());
    }
}
