package org.naklab.lab.cli.fault;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.doctor.KilledLabs;
import picocli.CommandLine.Command;

/** {@code naklab faults remove}. */
@Command(
        name = "remove",
        description = "Undo the faults of 'naklab inject' that are under way, and those that killed labs have left. "
                + "Each command under way prints its proof and ends.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  naklab faults remove"})
final class FaultsRemoveCommand implements Callable<Integer> {
    /** The engine may take this long to undo a fault of a container. */
    private static final long TIMEOUT_S = 90;

    private static final String MAIN = "org.naklab.lab.cli.Naklab";

    private final Terminal terminal;

    FaultsRemoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
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
        KilledLabs.undo(terminal.out());
        if (injections.isEmpty()) {
            terminal.out().println("no fault of naklab inject is under way");
        }
        return code;
    }

    /** Commands of this user; a process of another one cannot be signalled. */
    private static List<ProcessHandle> injections() {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(FaultsRemoveCommand::isInjection).toList();
        }
    }

    private static boolean isInjection(ProcessHandle process) {
        List<String> words = InjectionTargets.commandLine(process);
        int main = words.indexOf(MAIN);
        return main >= 0 && main + 1 < words.size() && words.get(main + 1).equals("inject");
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
