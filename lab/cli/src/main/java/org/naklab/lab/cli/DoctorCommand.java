package org.naklab.lab.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Program;
import org.naklab.lab.doctor.CheckResult;
import org.naklab.lab.doctor.Doctor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code naklab doctor}. */
@Command(
        name = "doctor",
        description = "Report what this machine supports, and how to fix what is missing.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab doctor",
            "  naklab doctor --json",
            "",
            "If a Docker engine and the lab's image are present, container features are tested, which "
                    + "takes some seconds.",
            "",
            "Exit codes: 0 'naklab run baseline' can run here, 1 it cannot."
        })
final class DoctorCommand implements Callable<Integer> {
    private static final String CLEAR = "\r\033[K";

    private final Terminal terminal;

    @Option(names = "--json", description = "One JSON document on standard output.")
    private boolean json;

    DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<CheckResult> findings = Doctor.examine(this::showProgress);
        clearProgress();
        boolean canRun = findings.stream().allMatch(finding -> finding.ok() || !finding.needed());
        if (json) {
            terminal.out()
                    .println(Json.pretty(
                            Json.object().put("canRunBaseline", canRun).putPOJO("findings", findings)));
        } else {
            print(findings, canRun);
        }
        return canRun ? ExitCode.OK : 1;
    }

    /** One line, rewritten; nothing where nobody watches. */
    private void showProgress(String what) {
        if (terminal.errIsTerminal()) {
            terminal.err().print(CLEAR + "testing " + what);
            terminal.err().flush();
        }
    }

    private void clearProgress() {
        if (terminal.errIsTerminal()) {
            terminal.err().print(CLEAR);
            terminal.err().flush();
        }
    }

    private void print(List<CheckResult> findings, boolean canRun) {
        PrintStream out = terminal.out();
        int width = findings.stream()
                .mapToInt(finding -> finding.name().length())
                .max()
                .orElse(0);
        for (CheckResult finding : findings) {
            String padding = " ".repeat(width - finding.name().length());
            say("  " + mark(finding) + "  @|bold " + finding.name() + "|@" + padding + "  ", finding.found());
            if (!finding.ok()) {
                say("       " + " ".repeat(width) + "  @|yellow -> |@", finding.advice());
            }
        }
        out.println();
        say(
                canRun ? "@|bold,green This machine can run|@ " : "@|bold,red This machine cannot run yet|@ ",
                canRun ? Program.name() + " run baseline" : Program.name() + " run baseline: see each 'NO' above");
    }

    private static String mark(CheckResult finding) {
        if (finding.ok()) {
            return "@|green yes|@";
        }
        return finding.needed() ? "@|bold,red NO |@" : "@|yellow no |@";
    }

    /** What was found may hold anything; only the markup is styled. */
    private void say(String markup, String plain) {
        terminal.out().println(terminal.styled(terminal.out(), markup) + plain);
    }
}
