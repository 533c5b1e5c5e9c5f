package org.naklab.lab.workshop.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.Units;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.workshop.EvidenceFilter;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.Workshop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop check}. */
@Command(
        name = "check",
        description = "Check that this machine can run the workshop.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "It starts each unit in a directory of its own, opens its evidence, and deletes it again. Do that on each "
                    + "machine on the day before.",
            "",
            "Examples:",
            "  naklab workshop check",
            "",
            "Exit codes: 0 the machine is ready, 66 something is missing."
        })
public final class WorkshopCheckCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() throws IOException {
        options.open();
        Path directory = Files.createTempDirectory("workshop");
        try {
            Workshop workshop = options.open(directory, "check");
            for (Unit unit : workshop.units()) {
                long begin = System.nanoTime();
                workshop.start(unit.name(), false);
                workshop.evidence(View.STATISTICS, EvidenceFilter.ALL);
                parent.terminal()
                        .out()
                        .println(String.format(
                                Locale.ROOT,
                                "%-26s ready in %.1f s",
                                unit.name(),
                                (System.nanoTime() - begin) / Units.NS_PER_S));
            }
        } finally {
            FileTrees.delete(directory);
        }
        parent.terminal().out().println("Java " + Runtime.version() + "; this machine is ready");
        return ExitCode.OK;
    }
}
