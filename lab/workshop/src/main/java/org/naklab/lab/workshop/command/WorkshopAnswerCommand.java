package org.naklab.lab.workshop.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Workshop;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop answer}. */
@Command(
        name = "answer",
        description = "Answer the current unit, and be graded.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The grade has steps: seen 10, located 10, cause 30, two facts 20, two suspects ruled out 10, remedy 10, "
                    + "certainty 10. The cause 'cannot-tell' earns 10 points, a wrong cause none, and 'clean' is right "
                    + "if nothing of harm was there; then no time is to be named. Only the first answer counts.",
            "",
            "Remedies: bind-now, limit-in-application, move-work-off, dedicated-core, move-interrupts, raise-quota, "
                    + "bigger-buffer, allocate-less, find-who-asks, find-who-stops, find-late-thread, check-network, "
                    + "faster-consumer, more-memory, lock-pages, check-host, look-closer, nothing. "
                    + "'naklab workshop status --text' explains them, and the causes of the unit.",
            "",
            "Examples:",
            "  naklab workshop answer --cause cannot-tell",
            "  naklab workshop answer --cause slow-callback --at 0.9 --because e31,e35 \\",
            "      --not run-queue=0.3 --not stops=0.0 --remedy move-work-off --sure 80",
            "",
            "Exit codes: 0 graded, 64 no such cause, event or remedy, or it was answered before."
        })
public final class WorkshopAnswerCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Option(names = "--cause", paramLabel = "CAUSE", required = true, description = "The cause, or 'cannot-tell'.")
    private String cause = "";

    @Option(names = "--at", paramLabel = "SECONDS", description = "A time at which it took effect: 0.573 or 573ms.")
    private @Nullable String at;

    @Option(
            names = "--because",
            paramLabel = "EVENT",
            split = ",",
            description = "Events or statistics that tell for it: e17 or dropped. A wrong one costs 3 points.")
    private List<String> because = new ArrayList<>();

    @Option(
            names = "--not",
            paramLabel = "MEASUREMENT=FIGURE",
            split = ",",
            description = "A suspect that is ruled out, with a number of the figure that you asked for.")
    private List<String> not = new ArrayList<>();

    @Option(names = "--remedy", paramLabel = "REMEDY", description = "What to do.")
    private @Nullable String remedy;

    @Option(names = "--sure", paramLabel = "PERCENT", description = "How sure you are, 0 to 100 (default: 50).")
    private String sure = "50%";

    @Mixin
    private WorkshopOptions options;

    @Override
    public Integer call() {
        Grade grade = options.open().answer(Answer.of(cause, at, because, not, remedy, sure));
        for (Grade.Step step : grade.steps()) {
            parent.terminal()
                    .out()
                    .println(String.format(
                            Locale.ROOT,
                            "%-24s %5s of %2d  %s",
                            step.name(),
                            Workshop.points(step.points()),
                            step.full(),
                            step.remark()));
        }
        if (grade.hints() > 0) {
            parent.terminal().out().println("hints                    -" + Workshop.points(grade.hints()));
        }
        parent.terminal()
                .out()
                .println("score                    " + Workshop.points(grade.score()) + " of " + Grade.FULL);
        parent.terminal().out().println("next: naklab workshop debrief");
        return ExitCode.OK;
    }
}
