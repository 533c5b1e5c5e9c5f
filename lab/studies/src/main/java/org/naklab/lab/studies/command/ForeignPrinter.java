package org.naklab.lab.studies.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.records.Stall;
import org.naklab.lab.studies.foreign.Disturbance;
import org.naklab.lab.studies.foreign.ForeignAttempt;
import org.naklab.lab.studies.foreign.ForeignExperiment;
import org.naklab.lab.studies.foreign.ForeignMatrix;
import org.naklab.lab.studies.foreign.ForeignMatrix.Score;
import org.naklab.lab.studies.foreign.Judgement;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Prints the blind matrix: each attempt on standard error, the table on standard output. */
final class ForeignPrinter implements ForeignExperiment.Listener {
    private static final double PERCENT = 100;

    private final Terminal terminal;
    private final int runsOfEach;
    private final StepProgress steps;

    /**
     * Creates a printer that has printed nothing.
     *
     * @param runsOfEach how many runs each disturbance has
     * @param steps of all disturbances
     */
    ForeignPrinter(Terminal terminal, int runsOfEach, StepProgress steps) {
        this.terminal = terminal;
        this.runsOfEach = runsOfEach;
        this.steps = steps;
    }

    /** Prints what each disturbance does and what it needs. */
    void printDisturbances(List<Disturbance> disturbances) {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT);
        disturbances.forEach(each -> table.row(
                each.name(),
                each.summary() + " (needs " + String.join(", ", each.demands().needs()) + ")"));
        table.print();
    }

    @Override
    public void onLeftOut(Disturbance disturbance, String reason) {
        steps.leaveOut(runsOfEach);
        terminal.err().println("left out: " + disturbance.name() + ": " + reason);
    }

    @Override
    public void onAttempt(ForeignAttempt attempt) {
        if (!attempt.isMade()) {
            steps.oneMore();
        }
        terminal.err()
                .printf(
                        Locale.ROOT,
                        "%s%-24s %-4s seed %-4d %-13s %s%n",
                        steps.ended(),
                        attempt.trial().disturbance().name(),
                        attempt.trial().load().label(),
                        attempt.trial().seed(),
                        ForeignMatrix.word(attempt),
                        attempt.isMade()
                                ? said(attempt) + ", " + attempt.verdict()
                                : attempt.proof().text());
        if (attempt.isMade()) {
            terminal.err().println("    measured: " + attempt.proof().text());
        }
        if (attempt.diagnosed().judgement() != Judgement.NAMED
                && !attempt.directory().toString().isEmpty()) {
            terminal.err().println("    " + attempt.directory());
        }
    }

    /** Prints a row for each disturbance, and the score. */
    void print(ForeignMatrix matrix) {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.RIGHT, Align.LEFT, Align.LEFT);
        table.head("disturbance", "made", "named", "verdicts", "said");
        matrix.scores().forEach((disturbance, score) -> {
            List<ForeignAttempt> made = matrix.attempts().stream()
                    .filter(each -> each.isMade() && each.trial().disturbance().equals(disturbance))
                    .toList();
            table.row(
                    disturbance.name(),
                    score.tries().made() + "/" + score.tries().attempts(),
                    String.valueOf(score.results().named()),
                    counted(made.stream().map(ForeignPrinter::verdict).toList()),
                    counted(made.stream().map(ForeignPrinter::said).toList()));
        });
        terminal.out().println();
        table.print();
        terminal.out().println();
        printScore(matrix.score());
        matrix.leftOut()
                .forEach((disturbance, reason) ->
                        terminal.printHanging(terminal.out(), "  left out " + disturbance.name() + ": ", reason));
    }

    private void printScore(Score score) {
        terminal.printHanging(
                terminal.out(),
                "  made     ",
                score.tries().made() + " of " + score.tries().attempts() + ": "
                        + share(score, score.results().named(), "named") + ", "
                        + share(score, score.results().part(), "in part") + ", "
                        + share(score, score.results().notExplained(), "not explained, with account") + ", "
                        + share(score, score.results().silent(), "cannot tell, without account") + ", "
                        + share(score, score.results().wrong(), "wrong (!)"));
        terminal.printHanging(
                terminal.out(),
                "  certain  ",
                score.sure().certain() == 0
                        ? "no statement was certain"
                        : String.format(
                                Locale.ROOT,
                                "%d of %d statements right (%.0f %%)",
                                score.rightCertain(),
                                score.sure().certain(),
                                PERCENT * score.rightCertain() / score.sure().certain()));
        if (score.unexpectedVerdicts() > 0) {
            terminal.printHanging(
                    terminal.out(), "  verdicts ", score.unexpectedVerdicts() + " do not fit the disturbance (!)");
        }
    }

    private static String share(Score score, int count, String what) {
        return String.format(Locale.ROOT, "%d %s (%.0f %%)", count, what, PERCENT * score.share(count));
    }

    private static String verdict(ForeignAttempt attempt) {
        return attempt.verdict() + (attempt.isVerdictExpected() ? "" : " (!)");
    }

    /** The causes, the confidence of the first, and the longest part of the account. */
    private static String said(ForeignAttempt attempt) {
        String causes = attempt.diagnosed().statements().stream()
                .map(statement -> statement.cause())
                .distinct()
                .collect(Collectors.joining(" + "));
        boolean isWrong = attempt.diagnosed().judgement() == Judgement.WRONG
                || !attempt.diagnosed().wrongCertain().isEmpty();
        return causes
                + (attempt.confidence().isEmpty() ? "" : " " + attempt.confidence())
                + account(attempt.diagnosed().stall())
                + (isWrong ? " (!)" : "");
    }

    private static String account(@Nullable Stall stall) {
        return stall == null
                ? ""
                : stall.account().entries().stream()
                        .findFirst()
                        .map(AccountEntry::kind)
                        .map(kind -> ", account " + kind)
                        .orElse("");
    }

    private static String counted(List<String> words) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        words.forEach(word -> counts.merge(word, 1, Integer::sum));
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " x" + each.getValue())
                .collect(Collectors.joining("; "));
    }
}
