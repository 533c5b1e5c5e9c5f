package org.naklab.lab.scenarios.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.cases.DiagnosisRecords;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.records.DiagnosedStalls;
import org.naklab.lab.records.KeyFigures;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;

/** The findings of a run of any scenario: the answer and the key figures as in the report, then what the scenario adds. */
final class RunStory {
    private RunStory() {}

    static List<StoryLine> tell(Scenario scenario, RunOutcome outcome, Verdict verdict) {
        KeyFigures figures = figures(outcome);
        List<StoryLine> lines = new ArrayList<>();
        lines.add(StoryLine.sentence(
                "result",
                figures.answer(
                        outcome.diagnosis().cause().label(),
                        outcome.diagnosis().confidence().label())));
        figures.all().forEach(figure -> lines.add(StoryLine.sentence(figure.head(), figure.sentence())));
        late(outcome).ifPresent(lines::add);
        CustomersRecord.sentence(CustomersRecords.of(outcome))
                .ifPresent(sentence -> lines.add(StoryLine.sentence("clients", sentence)));
        if (outcome.diagnosis().cause() != Cause.CLEAN
                && !outcome.diagnosis().remedy().isEmpty()) {
            lines.add(StoryLine.sentence("remedy", outcome.diagnosis().remedy()));
        }
        outcome.diagnosis().causes().stream().skip(1).forEach(cause -> lines.add(further(cause)));
        lines.addAll(scenario.story(outcome, verdict));
        AddedFaults.notFired(outcome).forEach(sentence -> lines.add(StoryLine.sentence("fault", sentence)));
        if (verdict == Verdict.UNKNOWN) {
            lines.removeIf(StoryLine::holdsCommands);
            lines.add(StoryLine.commands(
                    "next", ReplayCommandLine.command(outcome.plan()) + "   (again: this run was inconclusive)"));
        }
        return List.copyOf(lines);
    }

    /** Returns how late the events were in the books of the service, and how many of those at the control group. */
    private static Optional<StoryLine> late(RunOutcome outcome) {
        ServiceReport service = outcome.service();
        LatencyRecord own = service == null ? null : service.latency();
        if (own == null || own.dueToBook().count() == 0) {
            return Optional.empty();
        }
        String controls = outcome.subscribers().stream()
                .filter(report -> !report.servesData())
                .flatMap(report -> Stream.ofNullable(report.latency())
                        .map(latency -> report.name() + " "
                                + LatencyRecord.percent(
                                        latency.share(latency.late().over10Ms()))))
                .collect(Collectors.joining(", "));
        return Optional.of(StoryLine.sentence("late", own.sentence() + (controls.isEmpty() ? "" : "; " + controls)));
    }

    /** A cause beside the first, with the process that it befell. */
    private static StoryLine further(NamedCause cause) {
        return StoryLine.sentence("also", cause.sentence());
    }

    /** Returns the key figures; the report takes the same out of the run's files. */
    static KeyFigures figures(RunOutcome outcome) {
        return KeyFigures.of(
                stalls(outcome).main(outcome.diagnosis().cause().label(), outcome.stalls()),
                outcome.subscribers().stream()
                        .map(report -> receiver(outcome, report))
                        .toList(),
                outcome.observation().sight().unseenSockets());
    }

    /** Returns what {@code diagnosis.json} will say about the stalls. */
    static DiagnosedStalls stalls(RunOutcome outcome) {
        return DiagnosisRecords.of(outcome.diagnosis(), outcome.stalls()).diagnosed();
    }

    private static KeyFigures.Receiver receiver(RunOutcome outcome, ServiceReport report) {
        return new KeyFigures.Receiver(
                report.name(),
                outcome.socketDrops(report.name()),
                report.intake().transport().naksSent(),
                report.events().missing(),
                report.end().complete(),
                report.servesData() ? report.events().journaled() : -1);
    }
}
