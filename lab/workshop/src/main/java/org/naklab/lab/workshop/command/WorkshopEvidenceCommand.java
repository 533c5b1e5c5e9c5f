package org.naklab.lab.workshop.command;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.workshop.EvidenceFilter;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.Workshop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop evidence}. */
@Command(
        name = "evidence",
        description = "Show evidence of the current case, without a verdict.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Begin with statistics, then logs, then packets: they are free. The other kinds cost points, once for each "
                    + "unit. Without a kind, it lists all kinds. Times are seconds since the begin of the case; one "
                    + "before it is negative, and one after the observed time belongs to the end of the programs. "
                    + "The event's number, such as e17, is what an answer cites.",
            "",
            "Examples:",
            "  naklab workshop evidence",
            "  naklab workshop evidence statistics",
            "  naklab workshop evidence packets --from 0.5 --to 0.8 --process mds",
            "",
            "Exit codes: 0 shown, 64 no such kind, or too few points are left."
        })
public final class WorkshopEvidenceCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Parameters(arity = "0..1", paramLabel = "KIND", description = "Kind of evidence.")
    private @Nullable String kind;

    @Option(names = "--from", paramLabel = "SECONDS", description = "Only what ends after that (default: -1).")
    private double from = EvidenceFilter.ALL.from();

    @Option(names = "--to", paramLabel = "SECONDS", description = "Only what begins before that.")
    private double to = EvidenceFilter.ALL.to();

    @Option(names = "--process", paramLabel = "NAME", description = "Only of that process.")
    private String process = "";

    @Option(names = "--rows", paramLabel = "N", description = "At most so many events (default: 40).")
    private int rows = EvidenceFilter.ALL.rows();

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        Workshop workshop = options.open();
        String wanted = kind;
        if (wanted == null) {
            for (View view : View.values()) {
                parent.terminal()
                        .printHanging(
                                parent.terminal().out(),
                                String.format(Locale.ROOT, "%-14s %s  ", view.label(), price(view)),
                                view.about());
            }
            return ExitCode.OK;
        }
        if (rows < 1 || from > to) {
            throw new UsageException("nothing would be shown: --rows is at least 1, and --from is before --to");
        }
        View view = View.of(wanted)
                .orElseThrow(() -> new UsageException("there is no evidence of the kind '" + wanted + "': choose "
                        + Arrays.stream(View.values()).map(View::label).collect(Collectors.joining(", "))));
        workshop.evidence(view, new EvidenceFilter(from, to, process, rows))
                .forEach(parent.terminal().out()::println);
        if (view.cost() > 0) {
            parent.terminal()
                    .out()
                    .println("(" + workshop.left(workshop.current()) + " points left; to look at " + view.label()
                            + " again costs nothing)");
        }
        return ExitCode.OK;
    }

    private static String price(View view) {
        return view.cost() == 0 ? "free    " : view.cost() + " points";
    }
}
