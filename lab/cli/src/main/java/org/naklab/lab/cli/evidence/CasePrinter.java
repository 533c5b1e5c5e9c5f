package org.naklab.lab.cli.evidence;

import java.io.PrintStream;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.cli.run.BindMatch;
import org.naklab.lab.cli.run.StallPrinter;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.records.KeyFigures;
import org.naklab.lab.terminal.Terminal;

/** Prints the judgement of a case as a run prints it. */
final class CasePrinter {
    /** Longer lines are hard to read, however wide the terminal. */
    private static final int WIDTH = 110;

    private final Terminal terminal;
    private final PrintStream out;
    private final boolean isVerbose;

    /** @param isVerbose whether evidence, chain and suspects are printed */
    CasePrinter(Terminal terminal, PrintStream out, boolean isVerbose) {
        this.terminal = terminal;
        this.out = out;
        this.isVerbose = isVerbose;
    }

    void print(String name, Case evidence, Judgement judgement) {
        Diagnosis diagnosis = judgement.diagnosis();
        KeyFigures figures = judgement.figures(evidence);
        out.println(name + "  diagnosis " + diagnosis.cause().label() + ", "
                + diagnosis.confidence().label());
        line(
                "result",
                figures.answer(diagnosis.cause().label(), diagnosis.confidence().label()));
        figures.all().forEach(figure -> line(figure.head(), figure.sentence()));
        if (diagnosis.cause() != Cause.CLEAN && !diagnosis.remedy().isEmpty()) {
            line("remedy", diagnosis.remedy());
        }
        diagnosis.causes().stream().skip(1).forEach(cause -> line("also", cause.sentence()));
        new StallPrinter(terminal, out)
                .print(judgement.stalls(), judgement.mainStall(), stall -> BindMatch.of(evidence.events(), stall)
                        .map(BindMatch::toString));
        evidence.document().limits().blind().forEach(line -> line("blind", line));
        if (isVerbose) {
            details(diagnosis);
        }
    }

    private void details(Diagnosis diagnosis) {
        diagnosis.evidence().forEach(each -> line("because", each.text() + " (" + each.figure() + ")"));
        diagnosis
                .chain()
                .forEach(link -> line(
                        "link",
                        link.type() + (link.present() ? (link.inOrder() ? "" : ", before its cause") : ", not seen")));
        diagnosis
                .suspects()
                .forEach(each -> line(
                        "suspect",
                        each.name() + (each.ruledOut() ? ", ruled out: " : ", not ruled out: ") + each.figure()));
        diagnosis.noted().forEach(each -> line("noted", each));
        diagnosis.wouldSettle().forEach(each -> line("settle", each));
    }

    private void line(String head, String text) {
        terminal.printHanging(out, String.format("  %-9s", head), text, WIDTH);
    }
}
