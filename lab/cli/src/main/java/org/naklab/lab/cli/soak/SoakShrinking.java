package org.naklab.lab.cli.soak;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Format;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.ReplayCommandLine;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.soak.PrefixSearch;
import org.naklab.lab.scenarios.soak.SoakPlan;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Terminal;

/** The search for the shortest beginning of a soak's plan that still fails, and what the user is told about it. */
public final class SoakShrinking {
    private final Terminal terminal;
    private final PrintStream out;
    private final Cancellation cancellation;
    private final StepProgress steps;

    /** Runs a plan for a certain time. */
    @FunctionalInterface
    public interface Runs {
        Attempt run(FaultPlan faults, long flowNs) throws InterruptedException;
    }

    /** A run, and the faults in it. */
    public record Attempt(FaultPlan faults, RunResult result) {
        public Path file() {
            return result.outcome().plan().directory().resolve(RunPlan.FAULTS_FILE);
        }

        public String replay() {
            return ReplayCommandLine.command(result.outcome().plan());
        }
    }

    /**
     * Prepares a search.
     *
     * @param out takes the result, for people
     * @param steps of {@link #steps}, with which the runs are counted
     */
    public SoakShrinking(Terminal terminal, PrintStream out, Cancellation cancellation, StepProgress steps) {
        this.terminal = terminal;
        this.out = out;
        this.cancellation = cancellation;
        this.steps = steps;
    }

    /** Returns the runs that the search takes at most if none is inconclusive. */
    public static StepProgress steps(Attempt whole) {
        return new StepProgress(PrefixSearch.mostTrials(whole.faults().faults().size()));
    }

    /**
     * Runs beginnings of a plan that failed, each for as long as its faults need, and prints the result.
     *
     * @param flowNs how long the flow of the whole plan lasted, ns
     * @return the run of the shortest beginning that was seen to fail
     */
    public Attempt shrink(Attempt whole, long flowNs, Runs runs) throws InterruptedException {
        int size = whole.faults().faults().size();
        terminal.err()
                .println("searching for the shortest beginning of the plan that fails: at most "
                        + Format.counted(PrefixSearch.mostTrials(size), "run")
                        + ", more if some are inconclusive; --no-shrink leaves it out");
        Attempt[] failing = {whole};
        PrefixSearch.Result result = PrefixSearch.search(size, cancellation::isRequested, (count, isRepeat) -> {
            if (isRepeat) {
                steps.oneMore();
            }
            FaultPlan prefix = SoakPlan.prefix(whole.faults(), count);
            terminal.err().println("the first " + count + " of " + Format.counted(size, "fault") + ":");
            Attempt attempt = runs.run(prefix, Math.min(flowNs, SoakPlan.shortestNs(prefix)));
            if (attempt.result().verdict() == Verdict.FAIL) {
                failing[0] = attempt;
            }
            return attempt.result().verdict();
        });
        print(size, failing[0], result);
        return failing[0];
    }

    private void print(int size, Attempt shortest, PrefixSearch.Result result) {
        List<FaultSpec> faults = shortest.faults().faults();
        String beginning = "the first " + faults.size() + " of " + Format.counted(size, "fault");
        out.println();
        if (result.isCertain()) {
            terminal.printHanging(out, "  shortest ", beginning + " still fail" + last(faults));
        } else {
            terminal.printHanging(
                    out,
                    "  so far   ",
                    beginning + " were seen to fail" + last(faults) + "; fewer may fail as well: "
                            + (result.isComplete()
                                    ? "the runs of " + Format.counted(result.inconclusive(), "shorter beginning")
                                            + " were inconclusive"
                                    : "the search was interrupted"));
        }
        out.println("  plan     " + shortest.file());
        out.println("  again    " + shortest.replay());
    }

    private static String last(List<FaultSpec> faults) {
        if (faults.isEmpty()) {
            return ": the run fails without a fault";
        }
        FaultSpec last = faults.get(faults.size() - 1);
        return "; the last is " + last.id() + " on " + last.on();
    }
}
