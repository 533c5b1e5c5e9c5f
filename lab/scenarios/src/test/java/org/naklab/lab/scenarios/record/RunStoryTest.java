package org.naklab.lab.scenarios.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.records.DiagnosedStalls;
import org.naklab.lab.records.KeyFigures;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.scenarios.Diagnoses;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.causes.SlowConsumer;
import org.naklab.lab.scenarios.mystery.Mystery;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RunStoryTest {
    /** The report reads the record that the command line's run writes. */
    @Test
    void shouldHaveTheSameFiguresOnTheCommandLineAndInTheRecord() {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.gatewayDrops = 763;
        run.gatewayNaks = 14;
        run.stall(0, 165.1, Cause.CPU_PREEMPTION.label());
        RunResult result = RunResult.of(new Mystery(), run.outcome());
        RunRecord record = recorded(result);

        KeyFigures ofReport = KeyFigures.of(record, DiagnosedStalls.NONE, List.of());

        assertThat(RunStory.figures(result.outcome())).isEqualTo(ofReport);
        assertThat(ofReport.all())
                .allSatisfy(figure -> assertThat(record.origin().story())
                        .contains(String.format("%-9s%s", figure.head(), figure.sentence())));
        assertThat(line(result, "lost"))
                .startsWith("375 datagrams: the service mds: ")
                .contains("6 NAKs asked");
        assertThat(line(result, "control"))
                .startsWith("763 datagrams: ")
                .contains("gateway-1: 763 datagrams dropped, 14 NAKs");
    }

    @Test
    void shouldTellOfTheStallWithTheDiagnosedCauseAlthoughAnotherIsLonger() {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.stall(0, 165.1, Cause.CPU_PREEMPTION.label());
        RunResult result = RunResult.of(new Mystery(), run.outcome());
        assertThat(line(result, "stalled")).startsWith("150.9 ms: mds-context");
        assertThat(line(result, "result")).contains("150.9 ms").contains("late-binding-delay, likely");
        assertThat(line(result, "why")).startsWith("snapshots hit the rate limit");
        assertThat(result.mainStall()).map(stall -> stall.durationMs()).isEqualTo(Optional.of(150.9));
    }

    /** The report shows that of the diagnosis, too. */
    @Test
    void shouldGiveTheRemedyOfTheDiagnosis() {
        RunResult injected = diagnosed(Cause.LATE_BINDING_DELAY);
        assertThat(line(injected, "remedy")).isEqualTo(Cause.LATE_BINDING_DELAY.remedy());
        assertThat(line(injected, "tried")).contains("bind-now removes the cause");
        RunResult other = diagnosed(Cause.CPU_PREEMPTION);
        assertThat(line(other, "remedy")).isEqualTo(Cause.CPU_PREEMPTION.remedy());
        assertThat(other.story()).extracting(StoryLine::text).noneMatch(text -> text.contains("bind-now removes"));
    }

    private static RunResult diagnosed(Cause cause) {
        return RunResult.of(
                new Mystery(),
                new MysteryRun(Remedy.NONE).outcome().withDiagnosis(Diagnoses.of(cause, Confidence.CERTAIN)));
    }

    /** An instrument that did not look does not say that nothing was there. */
    @Test
    void shouldSayUnknownOfWhatNoInstrumentObserved() {
        MysteryRun run = new MysteryRun(Remedy.BIND_NOW);
        run.blindTo("mds");
        RunResult result = RunResult.of(new Mystery(), run.outcome());
        KeyFigures ofReport = KeyFigures.of(recorded(result), DiagnosedStalls.NONE, List.of());

        assertThat(RunStory.figures(result.outcome())).isEqualTo(ofReport);
        assertThat(line(result, "stalled"))
                .isEqualTo("unknown: no stall was seen, but no instrument observed the sockets of mds");
        assertThat(line(result, "lost")).startsWith("unknown: ").endsWith("no instrument observed the sockets of mds");
        assertThat(ofReport.answer("clean", "certain"))
                .isEqualTo("Whether anything was lost is not known: no instrument observed the sockets of mds (clean,"
                        + " certain).");
        assertThat(ofReport.answer("lock-wait", "likely")).contains(" is not known to have lost anything");
    }

    @Test
    void shouldRepeatAnInconclusiveRunAsItWas() {
        MysteryRun run = new MysteryRun(Remedy.BIND_NOW);
        run.blindTo("mds");
        RunResult result = RunResult.of(new Mystery(), run.outcome());
        assertThat(result.story())
                .filteredOn(StoryLine::holdsCommands)
                .singleElement()
                .satisfies(next -> assertThat(next.text())
                        .contains(ReplayCommandLine.command(run.plan()))
                        .contains("--remedy bind-now", "--stall 150ms", "--fidelity audited"));
    }

    @Test
    void shouldTellTheStoryOfEveryScenario() {
        RunOutcome outcome = new MysteryRun(Remedy.NONE).outcome();
        assertThat(RunResult.of(new SlowConsumer(), outcome).story())
                .extracting(StoryLine::head)
                .startsWith("result", "stalled", "lost", "control");
    }

    @Test
    void shouldRecordTheCountedTime() {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        assertThat(recorded(RunResult.of(new Mystery(), run.outcome())).course().counted())
                .isEqualTo(run.counted);
        run.counted = null;
        assertThat(Json.pretty(recorded(RunResult.of(new Mystery(), run.outcome()))))
                .doesNotContain("\"counted\"");
        RunRecord read = Json.fromLine("{\"counted\":{\"beginNs\":5,\"endNs\":9}}", RunRecord.class);
        assertThat(read.course().counted()).isEqualTo(new Interval(5, 9));
    }

    private static RunRecord recorded(RunResult result) {
        RunRecord record = RunRecords.end(
                result, RunRecords.start(result.outcome().plan(), "test", List.of("run", "mystery")), null);
        return Json.fromLine(Json.line(record), RunRecord.class);
    }

    private static String line(RunResult result, String head) {
        return result.story().stream()
                .filter(line -> line.head().equals(head))
                .map(StoryLine::text)
                .findFirst()
                .orElse("no line " + head);
    }
}
