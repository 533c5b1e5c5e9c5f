package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.HeadedLine;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.InstrumentsRecord;
import org.naklab.lab.records.KeyFigures;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.Stall;

/** A run in at most ten lines, told from its figures alone. */
final class RunSummary {
    private final RunRecord run;
    private final RunDocument document;
    private final @Nullable DiagnosisRecord diagnosis;
    private final RunFiles files;
    private final TimeAxis axis;
    private final Optional<Stall> stall;
    private final KeyFigures figures;
    private final List<HeadedLine> lines = new ArrayList<>();

    private RunSummary(RunFiles files, TimeAxis axis) {
        this.files = files;
        this.axis = axis;
        run = files.run();
        document = run.document();
        diagnosis = files.diagnosis().orElse(null);
        stall = files.mainStall();
        figures = files.keyFigures();
    }

    static List<HeadedLine> tell(RunFiles files, TimeAxis axis) {
        RunSummary story = new RunSummary(files, axis);
        story.ran();
        story.cause();
        story.stalled();
        story.why();
        story.lost();
        if (story.run.isOfWatch()) {
            story.naks();
        } else {
            story.asked();
            story.control();
            story.end();
        }
        story.ruledOut();
        story.remedy();
        return List.copyOf(story.lines);
    }

    private void ran() {
        if (run.isOfWatch()) {
            say("Watched", list(run.origin().story().stream()));
            return;
        }
        RunCase given = document.runCase();
        say(
                "Ran",
                given.scenario() + ", fidelity " + given.fidelity() + ", remedy " + given.remedy() + ", profile "
                        + given.profile() + ", seed " + given.seed() + ": "
                        + Format.count(document.messages().published()) + " events published in "
                        + Format.seconds(run.course().elapsedMs() * Units.MS_NS));
    }

    private void cause() {
        if (diagnosis == null) {
            say("Cause", document.finding().diagnosis() + " (the run contains no diagnosis with evidence)");
            return;
        }
        String settle = list(diagnosis.advice().wouldSettle().stream());
        say(
                "Cause",
                diagnosis.named().cause() + ", "
                        + Objects.requireNonNullElse(diagnosis.named().confidence(), "")
                        + (settle.isEmpty() ? "" : "; what would settle it: " + settle));
    }

    private void stalled() {
        if (stall.isEmpty()) {
            say("Stalled", "no receipt thread stalled for 20 ms or more after the warm-up");
            return;
        }
        Stall longest = stall.orElseThrow();
        Double phaseMs = axis.phaseMs(longest.atNs());
        int others = document.stalls().size() - 1;
        say(
                "Stalled",
                longest.who() + " for " + Format.milliseconds(longest.durationMs()) + ", from "
                        + axis.clock(longest.atNs())
                        + (phaseMs == null ? "" : ", " + Format.milliseconds(phaseMs) + " after a second boundary")
                        + (longest.majorFaults() < 0
                                ? ""
                                : ", with " + Format.count(longest.majorFaults()) + " major faults")
                        + (others > 0 ? "; other stalls: " + others : ""));
    }

    private void why() {
        String evidence = diagnosis == null
                ? ""
                : list(diagnosis.grounds().evidence().stream().map(each -> each.text() + " (" + each.figure() + ")"));
        if (!evidence.isEmpty()) {
            say("Because", evidence + bind());
        } else if (stall.isPresent()) {
            say("Because", "cause " + stall.orElseThrow().cause() + " according to the run");
        }
    }

    /** Returns the distance between the late bind and the stall, which relates the two; empty if the chain has no bind. */
    private String bind() {
        Optional<Long> boundNs = diagnosis == null
                ? Optional.empty()
                : diagnosis.grounds().chain().stream()
                        .filter(link -> link.link().equals(TimelineEventType.SYMBOL_BOUND.name()) && link.present())
                        .findFirst()
                        .map(DiagnosisRecord.Link::atNs);
        return stall.flatMap(begun ->
                        boundNs.map(atNs -> "; the bind began " + Format.distance(atNs - begun.atNs()) + " the stall"))
                .orElse("");
    }

    /** The service's alone: the sum over all receivers would blame it for what the control group lost. */
    private void lost() {
        say(
                "Lost",
                figures.lost().sentence() + "; its deepest socket held " + Format.bytes(depth(run.subjectProcess()))
                        + (limitBytes() == 0 ? "" : " of " + Format.bytes(limitBytes()))
                        + after(TimelineEventType.DATAGRAMS_DROPPED, "first drop")
                        + headroom());
    }

    /** Returns the headroom of the service's socket that has the least; empty if none is known. */
    private String headroom() {
        return run.reported().sockets().stream()
                .filter(socket -> socket.process().equals(run.subjectProcess()))
                .flatMap(socket -> Optional.ofNullable(socket.headroom()).stream())
                .filter(Headroom::isKnown)
                .min(Headroom.LEAST_FIRST)
                .map(headroom -> "; headroom: " + headroom.sentence())
                .orElse("");
    }

    private long depth(String process) {
        return run.reported().sockets().stream()
                .filter(socket -> socket.process().equals(process))
                .mapToLong(RunRecord.Socket::maxDepthBytes)
                .max()
                .orElse(0);
    }

    private long limitBytes() {
        return run.reported().subscribers().stream()
                .filter(subscriber -> subscriber.name().equals(run.subjectProcess()))
                .findFirst()
                .map(each -> each.intake().grantedReceiveBufferBytes())
                .orElse(0);
    }

    /** Returns the time from the beginning of the stall to the service's first event of a type; empty if there is none. */
    private String after(TimelineEventType type, String what) {
        return stall.flatMap(begun -> files.events(type).stream()
                        .filter(event -> event.process().equals(run.subjectProcess()) && event.timeNs() >= begun.atNs())
                        .findFirst()
                        .map(event -> String.format(
                                Locale.ROOT,
                                "; %s %.1f ms after the stall began",
                                what,
                                (event.timeNs() - begun.atNs()) / Units.NS_PER_MS)))
                .orElse("");
    }

    private void asked() {
        long naks = run.service()
                .map(service -> service.intake().transport().naksSent())
                .orElse(0L);
        say(
                "Asked",
                "the service sent " + Format.count(naks) + " NAKs; the exchange answered all receivers with "
                        + Format.count(document.counts().retransmits()) + " retransmissions"
                        + after(TimelineEventType.NAK_SENT, "first NAK")
                        + after(TimelineEventType.REPAIRED, "repaired"));
    }

    private void naks() {
        if (document.counts().naks() > 0) {
            say(
                    "Asked",
                    Format.count(document.counts().naks()) + " NAKs"
                            + after(TimelineEventType.NAK_SENT, "first NAK")
                            + after(TimelineEventType.REPAIRED, "repaired"));
        }
    }

    private void control() {
        if (!figures.controls().isEmpty()) {
            say("Control", figures.control().sentence());
        }
    }

    private void end() {
        RunDocument.Messages messages = document.messages();
        String troubles = list(run.judged().troubles().stream());
        say(
                "At the end",
                "the service received " + Format.count(messages.received()) + " events and journaled "
                        + Format.count(messages.journaled()) + "; " + messages.sentence()
                        + (troubles.isEmpty() ? "" : "; trouble: " + troubles));
    }

    private void ruledOut() {
        List<DiagnosisRecord.Suspect> suspects =
                diagnosis == null ? List.of() : diagnosis.grounds().suspects();
        if (suspects.isEmpty()) {
            return;
        }
        String left = suspects.stream()
                .filter(suspect -> !suspect.ruledOut())
                .map(DiagnosisRecord.Suspect::suspect)
                .collect(Collectors.joining(", "));
        long out = suspects.stream().filter(DiagnosisRecord.Suspect::ruledOut).count();
        InstrumentsRecord instruments = run.reported().instruments();
        int blind = instruments == null ? 0 : instruments.blind().size();
        say(
                "Ruled out",
                out + " of " + suspects.size() + " suspects by figures below"
                        + (left.isEmpty() ? "" : "; not: " + left)
                        + (blind == 0 ? "" : "; blind instruments: " + blind));
    }

    private void remedy() {
        String remedy = diagnosis == null ? "" : diagnosis.advice().remedy();
        if (!remedy.isEmpty()) {
            say("Remedy", remedy);
        }
    }

    private void say(String head, String text) {
        lines.add(new HeadedLine(head, text));
    }

    private static String list(Stream<String> texts) {
        return texts.filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
    }
}
