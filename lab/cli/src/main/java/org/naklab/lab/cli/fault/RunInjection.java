package org.naklab.lab.cli.fault;

import java.io.PrintStream;
import java.util.Set;
import java.util.TreeSet;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.PlanUnit;
import org.naklab.faults.notation.FaultNotation;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.scenarios.control.RunningRun;
import org.naklab.lab.terminal.KilledLabs;

/** One fault in a run that is under way, from the command to its proof. The run arms it and undoes it. */
final class RunInjection implements RunningRun.Listener {
    /** How long a fault stays armed for which that is not said. */
    private static final long USUAL_MS = 5_000;

    private final RunningRun run;
    private final FaultSpec spec;
    private final PrintStream progress;
    private String id = "";
    private String target = "";

    /** @param progress takes a line when the fault is armed */
    RunInjection(RunningRun run, FaultSpec spec, PrintStream progress) {
        this.run = run;
        this.spec = spec;
        this.progress = progress;
    }

    /**
     * Reads a fault of a kind.
     *
     * @param events that it can wait for
     * @throws UsageException naming what is wrong, and what may have been meant
     */
    static FaultSpec parse(CatalogEntry entry, String text, Set<String> events) {
        try {
            return FaultNotation.parse(text, entry.kind(), entry.kind().name(), events, USUAL_MS);
        } catch (FaultException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the events that a fault can wait for: the flow has begun before. */
    static Set<String> events() {
        Set<String> events = new TreeSet<>(ProcessFaults.triggers());
        events.remove(ProcessFaults.FLOW_TRIGGER);
        return events;
    }

    /** Waits until the fault is over or cancelled and undone, and returns its proof. */
    FaultProof await(Cancellation cancellation) throws InterruptedException {
        return run.inject(spec, this, cancellation::isRequested);
    }

    /** Returns the identifier of the fault in {@code run.json}. */
    String id() {
        return id;
    }

    /** Returns what the fault is on, for people: a process of this machine by its id, one in a container by its name. */
    String target() {
        return target;
    }

    String runDirectory() {
        return run.description().runDirectory();
    }

    @Override
    public void onAccepted(String itsId, String process) {
        id = itsId;
        long pid = run.description().processes().getOrDefault(process, 0L);
        target = pid == 0 ? process : "process " + pid;
        // Only now: a command line that is refused changes nothing and prints one line.
        KilledLabs.undo(progress);
    }

    @Override
    public void onArmed() {
        progress.println(spec.kind() + " on " + target + " for " + PlanUnit.MILLISECONDS.text(spec.forMs())
                + "; Ctrl-C undoes it");
    }
}
