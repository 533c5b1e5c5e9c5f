package org.naklab.lab.workshop.command;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop status}. */
@Command(
        name = "status",
        description = "Show where you are in the current unit.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab workshop status",
            "  naklab workshop status --text",
            "",
            "Exit codes: 0 shown, 64 no unit was started."
        })
public final class WorkshopStatusCommand implements Callable<Integer> {
    private static final long MS_PER_MINUTE = 60_000;

    @ParentCommand
    private WorkshopCommand parent;

    @Option(names = "--text", description = "Show the texts of the unit and what an answer can say, as 'start' did.")
    private boolean isWithText;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        Workshop workshop = options.open();
        Session session = workshop.current();
        Unit unit = workshop.unit(session.unit());
        long end = session.answeredMs() == 0 ? System.currentTimeMillis() : session.answeredMs();
        PrintStream out = parent.terminal().out();
        out.println(unit.name() + ": " + unit.settings().title() + ", " + WorkshopCommand.state(session));
        out.println("time    " + (end - session.startedMs()) / MS_PER_MINUTE + " of "
                + unit.settings().minutes() + " minutes");
        out.println(
                "points  " + workshop.left(session) + " of " + unit.settings().budget() + " left");
        out.println("looked  " + String.join(", ", session.looked()));
        out.println("asked   " + String.join(", ", session.asked()));
        out.println("hints   " + session.hints().size());
        if (isWithText) {
            parent.printBrief(unit);
            return ExitCode.OK;
        }
        out.println();
        parent.print(unit.section(Unit.QUESTION).lines().toList());
        return ExitCode.OK;
    }
}
