package org.naklab.lab.workshop.command;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.KilledLabs;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.SudoUser;
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
            "With --live, the replica runs on this machine for up to a minute, like one of the unit's recorded cases, and you get "
                    + "what it leaves. Nothing tells which one: no message, no process and no file. As root, more can be run. "
                    + "What the machine cannot run, and a run that it disturbs, start nothing.",
            "",
            "Examples:",
            "  naklab workshop start 1",
            "  naklab workshop start 03-who-took-the-processor --again",
            "  naklab workshop start 9 --live",
            "",
            "Exit codes: 0 started, 64 no such unit, or it was started before, 66 the case cannot be written, 69 the machine "
                    + "can run no case of the unit, or the run was disturbed."
        })
public final class WorkshopStartCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Parameters(arity = "1", paramLabel = "UNIT", description = "Name or number of the unit.")
    private String unit = "";

    @Option(names = "--again", description = "Begin anew, with the next case, if it was started before.")
    private boolean isAgain;

    @Option(names = "--live", description = "Run the case now, on this machine, instead of a recorded one.")
    private boolean isLive;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() throws InterruptedException {
        Workshop workshop = options.open();
        Session session = isLive ? startLive(workshop) : workshop.start(unit, isAgain);
        Unit started = workshop.unit(session.unit());
        PrintStream out = parent.terminal().out();
        out.println(started.name() + ": " + started.settings().title() + ", "
                + started.settings().minutes() + " minutes");
        out.println("case   " + workshop.caseDirectory(started));
        out.println("sealed " + session.seal());
        parent.printBrief(started);
        out.println();
        out.println("'naklab workshop status --text' prints this again. You have "
                + started.settings().budget() + " points for evidence. Next:");
        out.println("  naklab workshop evidence statistics");
        return ExitCode.OK;
    }

    /** Each directory between the workshop's and the case, the outer ones first: those that belong to the user already are left alone. */
    private void giveToSudoUser(Path caseDirectory) {
        SudoUser user = new SudoUser(parent.terminal().err());
        Path each = options.directory();
        user.giveTree("the workshop", each);
        for (Path name : each.relativize(caseDirectory)) {
            each = each.resolve(name);
            user.giveTree("the workshop", each);
        }
    }

    /** What killed labs have left is undone without a word: it could be what a live unit did. */
    private Session startLive(Workshop workshop) throws InterruptedException {
        KilledLabs.undo(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "wind-down"));
        try {
            parent.terminal().err().println("the run takes up to a minute");
            Session session = workshop.startLive(unit, isAgain, new LiveUnits(options.directory(), cancellation));
            giveToSudoUser(workshop.caseDirectory(workshop.unit(session.unit())));
            return session;
        } finally {
            cancellation.done();
        }
    }
}
