package org.naklab.lab.cases;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.Examination;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.KeyFigures;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.PageFaultRecord;

/**
 * The judgement of a case.
 *
 * @param stalls of the counted time, with their causes and accounts
 * @param pageFaults of the receipt threads in the counted time, those of 1 ms and more
 * @param own what the lab itself has done to a watched process; its stalls are not among the others
 */
public record Judgement(Diagnosis diagnosis, List<Stall> stalls, List<PageFaultRecord> pageFaults, OwnActs own) {
    public Judgement {
        stalls = List.copyOf(stalls);
        pageFaults = List.copyOf(pageFaults);
    }

    /** Judges the evidence. The same evidence always has the same judgement, live or recorded. */
    public static Judgement of(Case evidence) {
        if (evidence.document().origin().kind() != CaseDocument.Kind.WATCH) {
            return of(evidence, evidence.events(), OwnActs.NONE);
        }
        Judgement all = of(evidence, evidence.events(), OwnActs.NONE);
        OwnActs own = OwnActs.of(evidence.document().subject().suspect(), evidence.events(), all.stalls);
        return own.stalls().isEmpty() ? all : of(evidence, own.without(evidence.events()), own);
    }

    private static Judgement of(Case evidence, List<TimelineEvent> events, OwnActs own) {
        boolean isWatch = evidence.document().origin().kind() == CaseDocument.Kind.WATCH;
        List<Examination> examinations = evidence.document().subject().ports().stream()
                .map(port ->
                        Examination.of(evidence.fileOf(port, isWatch ? PortDiagnosis.eventsOf(port, events) : events)))
                .toList();
        String suspect = evidence.document().subject().suspect();
        return new Judgement(
                PortDiagnosis.together(
                        examinations.stream().map(Examination::diagnosis).toList(), false),
                examinations.get(0).stalls().stream()
                        .filter(stall -> !isWatch || stall.event().process().equals(suspect))
                        .map(Judgement::stall)
                        .toList(),
                PageFaults.of(events, evidence.document().clock().counted()),
                own);
    }

    private static Stall stall(Examination.ExplainedStall stall) {
        TimelineEvent event = stall.event();
        Interruption own = ThreadStall.figuresOf(event);
        return new Stall(
                event.process(),
                event.timeNs(),
                own.durationMs() == null ? event.interval().lengthMs() : own.durationMs(),
                event.thread(),
                own.majorFaults() == null ? -1 : own.majorFaults(),
                stall.cause().label(),
                stall.account());
    }

    /**
     * Judges the evidence as the live run did: with a condition that did not hold, a run without a cause is not clean.
     *
     * @param truth of the run; empty if the case has none with it
     */
    public static Judgement of(Case evidence, Optional<Truth> truth) {
        Judgement judgement = of(evidence);
        return truth.flatMap(Truth::unheldConditions)
                .map(unheld -> new Judgement(
                        judgement.diagnosis.besides(unheld.atNs(), unheld.lines()),
                        judgement.stalls,
                        judgement.pageFaults,
                        judgement.own))
                .orElse(judgement);
    }

    /** Returns the document {@code diagnosis.json}. */
    public DiagnosisRecord toRecord() {
        return DiagnosisRecords.of(diagnosis, stalls);
    }

    /** Returns the stall that matters; empty if there is none. */
    public Optional<Stall> mainStall() {
        return toRecord().diagnosed().main(diagnosis.cause().label(), stalls);
    }

    /**
     * Returns the figures that people are told first.
     *
     * @param evidence that was judged
     */
    public KeyFigures figures(Case evidence) {
        return KeyFigures.of(
                mainStall(),
                evidence.document().counters().receivers().stream()
                        .map(receiver -> new KeyFigures.Receiver(
                                receiver.counters().name(),
                                receiver.drops(),
                                receiver.counters().losses().naksSent(),
                                receiver.counters().events().missing(),
                                receiver.complete(),
                                receiver.journaled()))
                        .toList(),
                Set.of());
    }
}
