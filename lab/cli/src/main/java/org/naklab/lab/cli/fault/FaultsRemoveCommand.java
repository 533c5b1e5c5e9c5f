package org.naklab.lab.cli.fault;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultProof;
import org.naklab.lab.scenarios.control.RemovedFault;
import org.naklab.lab.scenarios.control.RunningRun;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.KilledLabs;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code naklab faults remove}. */
@Command(
        name = "remove",
        description = "Undo the faults of 'naklab inject' and of 'naklab run --fault' that are under way or still to "
                + "come, and those that killed labs have left. Each injecting command prints its proof and ends; runs go "
                + "on without the faults.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab faults remove",
            "  naklab faults remove baseline",
            "",
            "Exit codes: 0 everything is undone, 2 something is not, 64 wrong usage, 66 no such run."
        })
final class FaultsRemoveCommand implements Callable<Integer> {
    /** The engine may take this long to undo a fault of a container. */
    private static final long TIMEOUT_S = 90;

    private final Terminal terminal;

    @Parameters(
            arity = "0..1",
            paramLabel = "TARGET",
            description = "Only those of this target, as 'naklab inject' takes it: a run, a process id or a container "
                    + "(default: all of this user).")
    private @Nullable String target;

    FaultsRemoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<RunningRun> runs = runs();
        List<ProcessHandle> injections = injections();
        int code = ExitCode.OK;
        injections.forEach(ProcessHandle::destroy);
        for (ProcessHandle injection : injections) {
            if (!hasEnded(injection)) {
                terminal.err().println("process " + injection.pid() + " has not undone its fault yet");
                code = ExitCode.UNKNOWN;
            } else {
                terminal.out().println("undone: the fault of process " + injection.pid());
            }
        }
        int removed = 0;
        for (RunningRun run : runs) {
            for (RemovedFault fault : run.removeAdded()) {
                removed++;
                if (!print(run, fault)) {
                    code = ExitCode.UNKNOWN;
                }
            }
        }
        KilledLabs.undo(terminal.out());
        if (injections.isEmpty() && removed == 0) {
            terminal.out().println("no fault of naklab inject, and none that was added to a run, is under way");
        }
        return code;
    }

    private List<RunningRun> runs() {
        return target == null
                ? RunningRun.findAll()
                : InjectionTargets.run(target).stream().toList();
    }

    private boolean print(RunningRun run, RemovedFault fault) {
        String what = fault.id() + " on " + fault.process() + " of "
                + run.description().runDirectory();
        FaultProof proof = fault.proof();
        if (fault.problem() != null || proof == null) {
            terminal.err().println("not undone: " + what + ": " + fault.problem());
            return false;
        }
        terminal.out()
                .println("undone: " + what + (proof.fired() ? ", which fired: " : ", which did not fire: ")
                        + proof.explanation());
        return true;
    }

    private List<ProcessHandle> injections() {
        return ActiveInjection.all().stream()
                .filter(injection -> target == null || injection.target().equals(target))
                .flatMap(injection -> ProcessHandle.of(injection.pid()).stream())
                .toList();
    }

    private static boolean hasEnded(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(TIMEOUT_S, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
