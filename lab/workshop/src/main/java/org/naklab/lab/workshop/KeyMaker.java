package org.naklab.lab.workshop;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.cases.Truth;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.Evidence;
import org.naklab.lab.diagnosis.Link;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.diagnosis.Suspect;
import org.naklab.lab.records.FaultRecord;

/** Makes the key of a case: the right cause is the corpus's own, the times and figures are those of the diagnosis. */
final class KeyMaker {
    /** What a person reads off a chart with 70 columns is no better. */
    private static final long TOLERANCE_NS = 25_000_000;

    private static final long AFTER_CHAIN_NS = 250_000_000;
    private static final long SAME_NS = 1_000_000;
    private static final double LEAST_COVERED = 0.4;
    /** Of each fault; a lossy network drops hundreds of datagrams. */
    private static final int FIRINGS = 5;

    private static final Set<Cause> ON_THE_WIRE = EnumSet.of(
            Cause.NETWORK_LOSS,
            Cause.NETWORK_DELAY,
            Cause.NETWORK_REORDERING,
            Cause.NETWORK_DUPLICATION,
            Cause.TRAFFIC_BURST,
            Cause.SENDER_PAUSED,
            Cause.PROCESS_ENDED);

    /** Causes whose traces are in other threads than the one that stalled. */
    private static final Set<Cause> BY_OTHER_THREADS = EnumSet.of(
            Cause.TIME_TO_SAFEPOINT, Cause.GC_OR_SAFEPOINT, Cause.VM_OPERATION, Cause.LOCK_WAIT, Cause.SLOW_CONSUMER);

    /** What tells where the harm was when no thread stalled. */
    private static final Set<TimelineEventType> WITHOUT_STALL = EnumSet.of(
            TimelineEventType.RING_DEPTH_RISE,
            TimelineEventType.JOURNAL_LAG_RISE,
            TimelineEventType.FEED_SILENT,
            TimelineEventType.PROCESS_ENDED);

    /** Statistics that tell for a cause if they are above zero. */
    private static final Map<Cause, List<String>> TELLING = Map.of(
            Cause.SLOW_CONSUMER, List.of("ring-full", "overruns"),
            Cause.NETWORK_LOSS, List.of("lost-on-the-way-bytes"),
            Cause.TRAFFIC_BURST, List.of("dropped"));

    private final SealedCase.Content content;
    private final Judgement judgement;
    private final Expected expected;
    private final Optional<Truth> truth;

    /** @param truth what the injector knows; empty if the case has none with it */
    KeyMaker(SealedCase.Content content, Judgement judgement, Expected expected, Optional<Truth> truth) {
        this.content = content;
        this.judgement = judgement;
        this.expected = expected;
        this.truth = truth;
    }

    AnswerKey make(String caseName) {
        List<Cause> causes = expected.causes().toList();
        List<Interval> links = causes.get(0) == Cause.CLEAN ? List.of() : links(causes.get(0));
        Map<String, String> measurements = new HashMap<>();
        Set<String> ruledOut = new HashSet<>();
        for (Suspect suspect : judgement.diagnosis().suspects()) {
            Measurement.ofSuspect(suspect.name()).ifPresent(measurement -> {
                measurements.put(measurement.label(), suspect.figure());
                if (suspect.ruledOut()) {
                    ruledOut.add(measurement.label());
                }
            });
        }
        return new AnswerKey(
                caseName,
                expected.about(),
                causes,
                new AnswerKey.Signs(chain(links), links, facts(causes.get(0), links)),
                new AnswerKey.Suspects(measurements, ruledOut),
                new AnswerKey.Words(injected(), words()));
    }

    private List<String> injected() {
        List<String> lines = new ArrayList<>();
        truth.map(Truth::faults).ifPresent(faults -> new TreeMap<>(faults).forEach((id, fault) -> {
            FaultRecord.Proof proof = fault.proof();
            if (proof.equals(FaultRecord.Proof.NONE)) {
                lines.add(id + ": it left no proof");
                return;
            }
            lines.add(id + ": " + proof.explanation());
            proof.firings().stream()
                    .limit(FIRINGS)
                    .forEach(firing -> lines.add("  " + seconds(firing.beginNs()) + "  " + firing.what()));
            int more = proof.firings().size() - FIRINGS;
            if (more > 0) {
                lines.add("  and " + more + " more");
            }
        }));
        return lines;
    }

    private List<Interval> links(Cause cause) {
        List<Interval> links = new ArrayList<>();
        TimelineEvent stall = judgement.diagnosis().stall();
        if (stall != null) {
            links.add(since(stall.interval()));
        } else {
            judgement.diagnosis().evidence().forEach(evidence -> links.add(instant(evidence.atNs())));
        }
        judgement.diagnosis().causes().stream()
                .filter(named -> named.cause() == cause && named.thread().isEmpty())
                .forEach(named -> links.add(instant(named.atNs())));
        if (stall == null) {
            content.events().stream()
                    .filter(event -> WITHOUT_STALL.contains(event.type()) && counts(event.span()))
                    .forEach(event -> links.add(widened(event.span(), TOLERANCE_NS)));
        }
        if (ON_THE_WIRE.contains(cause)) {
            content.events().stream()
                    .filter(event -> View.PACKETS.shows(event.type()) && counts(event.span()))
                    .filter(event ->
                            !event.type().name().startsWith("SOCKET_") && event.type() != TimelineEventType.UDP_ERRORS)
                    .forEach(event -> links.add(widened(event.span(), TOLERANCE_NS)));
        }
        return Interval.union(links);
    }

    private boolean counts(Interval span) {
        return span.endNs() >= 0 && span.beginNs() <= content.facts().lengthNs();
    }

    private List<Interval> chain(List<Interval> links) {
        if (links.isEmpty()) {
            return List.of();
        }
        long begin = links.get(0).beginNs();
        long end = links.get(links.size() - 1).endNs();
        for (Link link : judgement.diagnosis().chain()) {
            Long atNs = link.atNs();
            if (atNs != null) {
                begin = Math.min(begin, atNs - content.zeroNs());
                end = Math.max(end, atNs - content.zeroNs());
            }
        }
        return List.of(new Interval(begin - TOLERANCE_NS, end + AFTER_CHAIN_NS));
    }

    private Set<String> facts(Cause cause, List<Interval> links) {
        Set<String> facts = new HashSet<>();
        if (cause == Cause.CLEAN) {
            content.facts().receivers().stream()
                    .filter(receiver -> receiver.name().equals(content.facts().suspect()))
                    .flatMap(receiver -> receiver.counters().entrySet().stream())
                    .filter(counter -> counter.getValue() == 0)
                    .forEach(counter -> facts.add(counter.getKey()));
            return facts;
        }
        for (Facts.Receiver receiver : content.facts().receivers()) {
            if (receiver.name().equals(content.facts().suspect())) {
                TELLING.getOrDefault(cause, List.of()).stream()
                        .filter(counter -> receiver.counters().getOrDefault(counter, 0L) > 0)
                        .forEach(facts::add);
            }
        }
        TimelineEvent stall = judgement.diagnosis().stall();
        for (CaseEvent event : content.events()) {
            if (isEvidence(event) || isFact(event, cause, links, stall == null ? "" : stall.thread())) {
                facts.add(event.id());
            }
        }
        return facts;
    }

    private boolean isEvidence(CaseEvent event) {
        return concernsSuspect(event)
                && judgement.diagnosis().evidence().stream()
                        .map(Evidence::atNs)
                        .anyMatch(atNs ->
                                Math.abs(atNs - content.zeroNs() - event.span().beginNs()) <= SAME_NS);
    }

    private boolean concernsSuspect(CaseEvent event) {
        return event.process().equals(content.facts().suspect())
                || event.process().equals(TimelineEvent.HOST);
    }

    private boolean isFact(CaseEvent event, Cause cause, List<Interval> links, String thread) {
        if (View.PACKETS.shows(event.type())) {
            return ON_THE_WIRE.contains(cause)
                    && links.stream()
                            .anyMatch(link -> link.contains(event.span().beginNs()));
        }
        if (stallIsAbsent() && WITHOUT_STALL.contains(event.type())) {
            return counts(event.span());
        }
        boolean isShown = List.of(View.values()).stream().anyMatch(view -> view.shows(event.type()));
        boolean isOfThread = event.thread().isEmpty()
                || thread.startsWith(event.thread())
                || event.thread().startsWith(thread)
                || BY_OTHER_THREADS.contains(cause);
        return isShown
                && concernsSuspect(event)
                && isOfThread
                && links.stream().anyMatch(link -> covers(event.span(), link));
    }

    /** Events that are an instant, such as a wake-up that failed, tell in their link; those with a length must fill it. */
    private static boolean covers(Interval span, Interval link) {
        return span.lengthNs() == 0 ? link.contains(span.beginNs()) : link.coveredBy(List.of(span)) >= LEAST_COVERED;
    }

    private boolean stallIsAbsent() {
        return judgement.diagnosis().stall() == null;
    }

    private List<String> words() {
        Diagnosis diagnosis = judgement.diagnosis();
        List<String> words = new ArrayList<>();
        diagnosis.causes().stream().map(NamedCause::sentence).forEach(words::add);
        for (Evidence evidence : diagnosis.evidence()) {
            words.add(seconds(evidence.atNs()) + "  " + evidence.text() + " (" + evidence.figure() + ")");
        }
        for (Link link : diagnosis.chain()) {
            Long atNs = link.atNs();
            words.add((atNs == null ? "not seen" : seconds(atNs)) + "  " + link.type());
        }
        judgement
                .stalls()
                .forEach(stall -> words.add("stall of " + stall.process() + ", " + stall.thread() + ": "
                        + Format.milliseconds(stall.durationMs()) + ", " + stall.cause()));
        words.add("remedy: " + diagnosis.remedy());
        return words;
    }

    private String seconds(long atNs) {
        return Words.seconds(atNs - content.zeroNs());
    }

    private Interval since(Interval monotonic) {
        return widened(
                new Interval(monotonic.beginNs() - content.zeroNs(), monotonic.endNs() - content.zeroNs()),
                TOLERANCE_NS / 5);
    }

    private Interval instant(long atNs) {
        return widened(new Interval(atNs - content.zeroNs(), atNs - content.zeroNs()), TOLERANCE_NS);
    }

    private static Interval widened(Interval span, long byNs) {
        return new Interval(span.beginNs() - byNs, span.endNs() + byNs);
    }
}
