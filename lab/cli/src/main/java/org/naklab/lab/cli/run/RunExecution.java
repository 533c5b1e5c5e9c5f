package org.naklab.lab.cli.run;

import java.nio.file.Path;
import java.util.List;
import org.naklab.faults.host.SoftirqStormFault;
import org.naklab.lab.cli.hunt.RunFiles;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.process.Installation;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.record.RunOwnership;
import org.naklab.lab.scenarios.record.RunRecorder;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.lab.terminal.KilledLabs;
import org.naklab.lab.terminal.MachineLoad;
import org.naklab.lab.terminal.SudoUser;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.terminal.live.LiveView;
import org.naklab.lab.terminal.runs.RunArchiver;

/** Executes the runs of one command, and keeps the evidence of each. */
final class RunExecution {
    private static final String BUSY =
            "the verdict may be UNKNOWN, or the cause cpu-preemption: stop them, or use --retry 2";

    /** A burst is handed over to a thread of the kernel when the CPU has other work, and interrupts nobody then. */
    private static final String STORM = new SoftirqStormFault().name();

    private final RunArchiver evidence;
    private final Terminal terminal;
    private final Path runs;
    private final List<String> arguments;
    private final Cancellation cancellation;
    private final LiveView view;
    private boolean isPrepared;

    /**
     * @param runs the directory of all runs
     * @param arguments of the command line
     */
    RunExecution(
            RunArchiver evidence, Terminal terminal, Path runs, List<String> arguments, Cancellation cancellation) {
        this(evidence, terminal, runs, arguments, cancellation, LiveView.NONE);
    }

    /** @param view shows each run while it goes on */
    RunExecution(
            RunArchiver evidence,
            Terminal terminal,
            Path runs,
            List<String> arguments,
            Cancellation cancellation,
            LiveView view) {
        this.view = view;
        this.evidence = evidence;
        this.terminal = terminal;
        this.runs = runs;
        this.arguments = Secrets.of(arguments, System.getenv()).mask(arguments);
        this.cancellation = cancellation;
    }

    /** Executes a placed plan, writes its record and its report, and adds it to the history. */
    RunResult run(Scenario scenario, RunPlan plan, RunListener listener) throws InterruptedException {
        prepareMachine(scenario, plan);
        view.beginRun(scenario.name() + "/" + plan.directory().getFileName(), plan.directory());
        RunResult kept;
        try (RunRecorder recorder = RunRecorder.begin(scenario, plan, Version.current(), arguments, view.openUrl())) {
            RunResult result = recorder.record(
                    () -> new ScenarioRun(scenario, plan, Installation.current(), listener, cancellation, view.open())
                            .execute(),
                    record -> evidence.keepUnfinished(plan.directory(), record));
            kept = recorder.rewrite(result, evidence.keepReport(plan.directory()));
        }
        evidence.keepInHistory(plan.directory());
        new SudoUser(terminal.err()).give("the run", owner -> RunOwnership.giveTo(owner, plan.directory()));
        view.endRun(plan.directory(), "The run has ended: " + kept.verdict().label() + ".");
        listener.onFinished(kept);
        return kept;
    }

    /** Returns the directories of the runs, for a hunt. */
    RunFiles files() {
        return new RunFiles() {
            @Override
            public void forget(Path run) {
                evidence.forget(run);
            }
        };
    }

    /** Writes the calendar again, which would have links to deleted runs. */
    void rewriteCalendar() {
        evidence.writeCalendarOf(runs);
    }

    /** Returns what may come of a busy machine, for the faults of the run. */
    static String consequence(Scenario scenario, RunPlan plan) {
        boolean hasStorm = scenario.faultKinds().contains(STORM)
                || plan.added().faults().stream().anyMatch(fault -> fault.kind().equals(STORM));
        return hasStorm ? STORM + " cannot be expected to fire, and " + BUSY : BUSY;
    }

    /** Not before the first plan is made: a command line that is refused changes nothing and prints one line. */
    private void prepareMachine(Scenario scenario, RunPlan plan) {
        if (!isPrepared) {
            isPrepared = true;
            KilledLabs.undo(terminal.err());
            MachineLoad.warn(terminal, consequence(scenario, plan));
        }
    }
}
