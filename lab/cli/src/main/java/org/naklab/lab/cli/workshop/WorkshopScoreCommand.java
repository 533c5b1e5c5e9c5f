package org.naklab.lab.cli.workshop;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop score}. */
@Command(
        name = "score",
        description = "Show the scores of all units.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab workshop score",
            "  naklab workshop score --trainee ada",
            "",
            "Exit codes: 0 shown, 66 the workshop's files cannot be used."
        })
public final class WorkshopScoreCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        Workshop workshop = options.open();
        double sum = 0;
        int answered = 0;
        for (Unit unit : workshop.units()) {
            Optional<Session> session = workshop.session(unit);
            parent.terminal()
                    .out()
                    .println(String.format(
                            Locale.ROOT,
                            "%-26s %s",
                            unit.name(),
                            session.map(WorkshopCommand::state).orElse("-")));
            Grade grade = session.map(Session::grade).orElse(null);
            if (grade != null) {
                sum += grade.score();
                answered++;
            }
        }
        parent.terminal()
                .out()
                .println("all: " + Workshop.points(sum) + " of " + answered * Grade.FULL + " points in " + answered
                        + " answered units");
        return ExitCode.OK;
    }
}
