package org.naklab.lab.cli.workshop;

import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.UnitCheck;
import org.naklab.lab.workshop.UnitReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop validate}. */
@Command(
        name = "validate",
        description = "Check the texts and settings of all units.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "For who writes units: no text or hint that is read before the answer names the cause, all cases are in the "
                    + "corpus, and the sections are whole. 'solve' checks the rest.",
            "",
            "Examples:",
            "  naklab workshop validate",
            "  naklab workshop validate --units my-units",
            "",
            "Exit codes: 0 all units are right, 1 one is not, 66 a unit cannot be read."
        })
public final class WorkshopValidateCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        UnitCheck check = new UnitCheck(options.corpus());
        int code = ExitCode.OK;
        for (Unit unit : UnitReader.read(options.units())) {
            List<String> problems = check.problems(unit);
            parent.terminal().out().println(unit.name() + ": " + (problems.isEmpty() ? "right" : "NOT RIGHT"));
            problems.forEach(problem -> parent.terminal().out().println("  " + problem));
            code = problems.isEmpty() ? code : 1;
        }
        return code;
    }
}
