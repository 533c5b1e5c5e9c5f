package org.naklab.lab.workshop.command;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.workshop.Workshop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop ask}. */
@Command(
        name = "ask",
        description = "Buy a measurement, or the outcome of a rerun with one change.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A measurement is one figure for or against one suspect over the time that matters. You cite it with --not "
                    + "if it rules the suspect out. An experiment is the same program and load with one change, as it "
                    + "was recorded. Without a name, it lists both with their prices. What nobody looked at costs nothing.",
            "",
            "Examples:",
            "  naklab workshop ask",
            "  naklab workshop ask run-queue",
            "  naklab workshop ask quiet-machine",
            "",
            "Exit codes: 0 answered, 64 there is none of that name, or too few points are left."
        })
public final class WorkshopAskCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Parameters(arity = "0..1", paramLabel = "WHAT", description = "Measurement or experiment.")
    private @Nullable String what;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        Workshop workshop = options.open();
        String wanted = what;
        if (wanted == null) {
            workshop.offers().forEach((name, about) -> parent.terminal()
                    .printHanging(parent.terminal().out(), String.format(Locale.ROOT, "%-20s ", name), about));
        } else {
            parent.terminal().printHanging(parent.terminal().out(), wanted + ": ", workshop.ask(wanted));
            parent.terminal().out().println("(" + workshop.left(workshop.current()) + " points left)");
        }
        return ExitCode.OK;
    }
}
