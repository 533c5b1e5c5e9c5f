package org.naklab.lab.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.cli.doctor.CheckResult;
import org.naklab.lab.cli.doctor.Doctor;
import org.naklab.lab.cli.doctor.tuning.TuningAudit;
import org.naklab.lab.cli.doctor.tuning.TuningFinding;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Program;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Mixin;
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
            "  naklab doctor --runs /data/runs",
            "  naklab doctor --tuning",
            "",
            "If a Docker engine and the lab's image are present, container features are tested, which "
                    + "takes some seconds.",
            "",
            "Exit codes: 0 'naklab run baseline' can run here, 1 it cannot; 0 with --tuning."
        })
final class DoctorCommand implements Callable<Integer> {
    private static final String CLEAR = "\r\033[K";

    private final Terminal terminal;

    @Option(
            names = "--tuning",
            description =
                    "Report instead what this machine is set to where '${ROOT-COMMAND-NAME} tune' can measure another setting: "
                            + "the reason why it may matter here, and the command.")
    private boolean isTuning;

    @Mixin
    private RunsOption runs;

    @Mixin
    private JsonOption json;

    DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (isTuning) {
            examineTuning();
            return ExitCode.OK;
        }
        List<CheckResult> findings = Doctor.examine(runs.directory(), this::showProgress);
        clearProgress();
        boolean canRun = findings.stream().allMatch(finding -> finding.ok() || !finding.needed());
        if (json.isGiven()) {
            json.print(terminal, Json.object().put("canRunBaseline", canRun).putPOJO("findings", findings));
        } else {
            print(findings, canRun);
        }
        return canRun ? ExitCode.OK : 1;
    }

    private void examineTuning() {
        List<TuningFinding> findings = TuningAudit.examine();
        if (json.isGiven()) {
            json.print(terminal, Json.object().putPOJO("tuning", findings));
        } else {
            DoctorTuning.print(terminal, findings);
        }
    }

    /** Rewrites the progress line; prints nothing if the output is not a terminal. */
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
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT, Align.LEFT);
        Text none = terminal.plain(out, "");
        for (CheckResult finding : findings) {
            Text name = terminal.bold(out, finding.name());
            table.row(terminal.markup(out, mark(finding)), name, terminal.plain(out, finding.found()));
            if (!finding.ok()) {
                Text advice = terminal.markup(out, "@|yellow -> |@").concat(terminal.plain(out, finding.advice()));
                table.row(none, none, advice);
            }
        }
        table.print();
        out.println();
        printMarkup(
                canRun ? "@|bold,green This machine can run|@ " : "@|bold,red This machine cannot run yet|@ ",
                canRun ? Program.name() + " run baseline" : Program.name() + " run baseline: see each 'NO' above");
    }

    private static String mark(CheckResult finding) {
        if (finding.ok()) {
            return "@|green yes|@";
        }
        return finding.needed() ? "@|bold,red NO |@" : "@|yellow no |@";
    }

    /** Prints a line; only the markup is styled, because results may contain any text. */
    private void printMarkup(String markup, String plain) {
        terminal.out().println(terminal.styled(terminal.out(), markup) + plain);
    }
}
