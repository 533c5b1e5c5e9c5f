package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;

@Timeout(60)
final class RemedyComparisonTest {
    private final List<String> runs = new ArrayList<>();
    private final Cancellation cancellation = new Cancellation();

    /** The same seeds for each remedy, all remedies close together in time, and none of them always first. */
    @Test
    void shouldRunAllRemediesWithASeedBeforeTheNextSeed() throws Exception {
        RemedyComparison comparison = run(2, Integer.MAX_VALUE);
        assertThat(runs).containsExactly("none 42", "bind-now 42", "bind-now 43", "none 43");
        assertThat(comparison.summaries())
                .extracting(RemedySummary::remedy, each -> each.verdicts().runs())
                .containsExactly(tuple(Remedy.NONE, 2), tuple(Remedy.BIND_NOW, 2));
        assertThat(comparison.verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldKeepTheFinishedRunsWhenTheUserCancels() throws Exception {
        RemedyComparison comparison = run(2, 3);
        assertThat(runs).containsExactly("none 42", "bind-now 42", "bind-now 43");
        assertThat(comparison.results()).hasSize(3);
    }

    private RemedyComparison run(int repeat, int cancelledAfter) throws InterruptedException {
        return RemedyComparison.run(List.of(Remedy.NONE, Remedy.BIND_NOW), repeat, 42, cancellation, (remedy, seed) -> {
            runs.add(remedy + " " + seed);
            if (runs.size() == cancelledAfter) {
                cancellation.request();
            }
            return new RunResult(new MysteryRun(remedy).outcome(), List.of(), Verdict.PASS, List.of());
        });
    }
}
