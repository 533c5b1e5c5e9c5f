package org.naklab.lab.cli.workshop;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop start}. */
@Command(
        name = "start",
        description = "Start a unit: draw its case, and read what it is about.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The case is drawn from the workshop's key, your name and the unit, so that neighbours have different ones. "
                    + "The truth lies sealed beside the case. Its hash is printed: it shows later that nothing was changed.",
            "",
            "Examples:",
            "  naklab workshop start 1",
            "  naklab workshop start 03-processor --again",
            "",
            "Exit codes: 0 started, 64 no such unit, or it was started before, 66 the case cannot be written."
        })
public final class WorkshopStartCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Parameters(arity = "1", paramLabel = "UNIT", description = "Name or number of the unit.")
    private String unit = "";

    @Option(names = "--again", description = "Begin anew, with the next case, if it was started before.")
    private boolean isAgain;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        Workshop workshop = options.open();
        Session session = workshop.start(unit, isAgain);
        Unit started = workshop.unit(session.unit());
        PrintStream out = parent.terminal().out();
        out.println(started.name() + ": " + started.settings().title() + ", "
                + started.settings().minutes() + " minutes");
        out.println("case   " + workshop.caseDirectory(started));
        out.println("sealed " + session.seal());
        for (String section : new String[] {Unit.QUESTION, Unit.BACKGROUND, Unit.HUNT}) {
            out.println();
            out.println(section.toUpperCase(Locale.ROOT));
            out.println();
            parent.print(started.section(section).lines().toList());
        }
        out.println();
        out.println("The answer is one of:");
        started.settings().suspects().forEach(suspect -> out.println("  " + suspect));
        out.println();
        out.println("You have " + started.settings().budget() + " points for evidence. Next:");
        out.println("  naklab workshop evidence statistics");
        return ExitCode.OK;
    }
}
