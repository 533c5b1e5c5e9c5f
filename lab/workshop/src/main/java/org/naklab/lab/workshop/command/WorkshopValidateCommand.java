package org.naklab.lab.workshop.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.InputException;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.UnitCheck;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.seal.SealScan;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop validate}. */
@Command(
        name = "validate",
        description = "Check units: their texts and settings, their seals, and their solutions.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "For who writes units. No text or hint that is read before the answer names the cause, all cases are in the "
                    + "corpus, the sections are whole, no file of the trainee gives the cause away, and the reference "
                    + "solutions earn all points.",
            "",
            "Examples:",
            "  naklab workshop validate",
            "  naklab workshop validate 3 --units my-units",
            "",
            "Exit codes: 0 all units are right, 1 one is not, 64 no such unit, 66 a unit cannot be read."
        })
public final class WorkshopValidateCommand implements Callable<Integer> {
    private static final int FAIL = 1;

    @ParentCommand
    private WorkshopCommand parent;

    @Parameters(arity = "0..*", paramLabel = "UNIT", description = "Names or numbers of units (default: all).")
    private List<String> names = List.of();

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() throws IOException {
        Path directory = Files.createTempDirectory("workshop");
        try {
            return validate(directory);
        } finally {
            FileTrees.delete(directory);
        }
    }

    private int validate(Path directory) {
        UnitCheck check = new UnitCheck(options.corpus());
        SealScan scan = SealScan.of(options.corpus());
        Workshop workshop = options.open(directory, "reference");
        int code = ExitCode.OK;
        for (Unit unit : names.isEmpty()
                ? workshop.units()
                : names.stream().map(workshop::unit).toList()) {
            List<String> problems = check.problems(unit);
            if (problems.isEmpty()) {
                problems = played(UnitPlayer.in(directory, unit, options, scan), unit);
            }
            parent.terminal().out().println(unit.name() + ": " + (problems.isEmpty() ? "right" : "NOT RIGHT"));
            problems.forEach(problem -> parent.terminal().out().println("  " + problem));
            code = problems.isEmpty() ? code : FAIL;
        }
        return code;
    }

    /** A solution that the commands refuse is not right either. */
    private static List<String> played(UnitPlayer player, Unit unit) {
        try {
            return player.play(unit).problems();
        } catch (InputException e) {
            return List.of(String.valueOf(e.getMessage()).strip());
        }
    }
}
