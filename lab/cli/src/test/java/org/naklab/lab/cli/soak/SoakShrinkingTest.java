package org.naklab.lab.cli.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.cli.run.EmptyOutcome;
import org.naklab.lab.cli.soak.SoakShrinking.Attempt;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.soak.PrefixSearch;
import org.naklab.lab.scenarios.soak.Soak;
import org.naklab.lab.scenarios.soak.SoakPlan;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Terminal;

/** A failure that one fault of the plan makes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SoakShrinkingTest {
    private static final long FLOW_NS = TimeUnit.SECONDS.toNanos(40);
    private static final FaultPlan WHOLE = SoakPlan.of(7, FLOW_NS);
    private static final int CULPRIT = 9;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    private final Terminal terminal =
            Terminal.of(stream, new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    private final Cancellation cancellation = new Cancellation();
    private final List<Long> flowsNs = new ArrayList<>();

    @Test
    void shouldPrintTheShortestBeginningThatStillFails() throws InterruptedException {
        Attempt shortest = shrink((faults, flowNs) -> attempt(faults, flowNs, fails(faults)));
        assertThat(shortest.faults().faults()).isEqualTo(WHOLE.faults().subList(0, CULPRIT));
        assertThat(text())
                .contains("shortest the first 9 of " + WHOLE.faults().size() + " faults still fail; the last is "
                        + WHOLE.faults().get(CULPRIT - 1).id() + " on "
                        + WHOLE.faults().get(CULPRIT - 1).on())
                .contains("plan /runs/soak/9/faults.json")
                .contains("again ");
        assertThat(flowsNs).allSatisfy(flowNs -> assertThat(flowNs).isBetween(TimeUnit.SECONDS.toNanos(15), FLOW_NS));
    }

    @Test
    void shouldNotCallItTheShortestWhenTheSearchWasInterrupted() throws InterruptedException {
        shrink((faults, flowNs) -> {
            cancellation.request();
            return attempt(faults, flowNs, Verdict.UNKNOWN);
        });
        assertThat(text())
                .doesNotContain("shortest")
                .contains("were seen to fail")
                .contains("fewer may fail as well: the search was interrupted");
    }

    @Test
    void shouldNotCallItTheShortestWhenRunsWereInconclusive() throws InterruptedException {
        shrink((faults, flowNs) ->
                attempt(faults, flowNs, fails(faults) == Verdict.FAIL ? Verdict.FAIL : Verdict.UNKNOWN));
        assertThat(text()).doesNotContain("shortest the first").contains("inconclusive");
    }

    /** The first beginning is inconclusive twice: the two runs more are no part of the number that was known before. */
    @Test
    void shouldCountEachRunOfThoseThatAreKnown() throws InterruptedException {
        Attempt whole = attempt(WHOLE, FLOW_NS, Verdict.FAIL);
        StepProgress steps = SoakShrinking.steps(whole);
        List<String> heads = new ArrayList<>();
        new SoakShrinking(terminal, stream, cancellation, steps).shrink(whole, FLOW_NS, (faults, flowNs) -> {
            heads.add(steps.ended().strip());
            return attempt(faults, flowNs, heads.size() < 3 ? Verdict.UNKNOWN : fails(faults));
        });
        int most = PrefixSearch.mostTrials(WHOLE.faults().size());
        assertThat(heads)
                .startsWith("1 of " + most, "2 of " + (most + 1), "3 of " + (most + 2), "4 of " + (most + 2))
                .hasSizeBetween(most + 1, most + 2);
    }

    private Attempt shrink(SoakShrinking.Runs runs) throws InterruptedException {
        Attempt whole = attempt(WHOLE, FLOW_NS, Verdict.FAIL);
        return new SoakShrinking(terminal, stream, cancellation, SoakShrinking.steps(whole))
                .shrink(whole, FLOW_NS, runs);
    }

    private static Verdict fails(FaultPlan faults) {
        return faults.faults().size() >= CULPRIT ? Verdict.FAIL : Verdict.PASS;
    }

    private Attempt attempt(FaultPlan faults, long flowNs, Verdict verdict) {
        flowsNs.add(flowNs);
        RunPlan plan = RunPlan.draft(new Soak())
                .at(Path.of("/runs/soak/" + faults.faults().size()), "");
        RunOutcome outcome = EmptyOutcome.of(plan);
        return new Attempt(faults, new RunResult(outcome, List.of(), verdict, List.of()));
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ");
    }
}
