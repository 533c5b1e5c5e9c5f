package org.naklab.lab.tools.tune.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.tools.tune.BenchTask;
import org.naklab.lab.tools.tune.Experiment;
import org.naklab.lab.tools.tune.SeparateBench;

/** Prints comparisons on a terminal. */
final class TuneTables {
    private final Terminal terminal;

    TuneTables(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Prints the arms, their figures and the proof. */
    void print(Comparison comparison) {
        terminal.printHanging(
                terminal.out(), "", comparison.name() + ": " + comparison.summary() + "; " + comparison.reading());
        List<Align> aligns =
                List.of(Align.LEFT, Align.RIGHT, Align.RIGHT, Align.LEFT, Align.LEFT, Align.RIGHT, Align.RIGHT);
        List<String> heads = List.of(
                "arm", "runs", comparison.metric().unit(), comparison.effectHead(), "answer", "memory", "start");
        // Hits need more room than a median, and what a run needs is not what is asked about them.
        int columns = comparison.metric().isShare() ? aligns.size() - 2 : aligns.size();
        Table table = table(aligns.subList(0, columns).toArray(Align[]::new));
        table.head(heads.subList(0, columns).toArray(String[]::new));
        comparison.arms().forEach(arm -> table.row(Arrays.copyOf(arm.cells(), columns)));
        table.print();
        terminal.out().println();
        printFigures(comparison.arms());
        comparison.arms().forEach(this::printProof);
    }

    private void printFigures(List<TunedArm> arms) {
        List<String> names = TunedArm.figureNames(arms);
        if (names.isEmpty()) {
            return;
        }
        Align[] columns = new Align[names.size() + 1];
        Arrays.fill(columns, Align.RIGHT);
        columns[0] = Align.LEFT;
        Table table = table(columns);
        List<String> head = new ArrayList<>(List.of("arm"));
        head.addAll(names);
        table.head(head.toArray(String[]::new));
        for (TunedArm arm :
                arms.stream().filter(one -> !one.figures().isEmpty()).toList()) {
            List<String> cells = new ArrayList<>(List.of(arm.name()));
            arm.figures().forEach(figure -> cells.add(Format.count(Math.round(figure.value()))));
            table.row(cells.toArray(String[]::new));
        }
        table.print();
        terminal.out().println();
    }

    private void printProof(TunedArm arm) {
        if (!arm.settings().isEmpty()) {
            arm.proof().inEffect().forEach(line -> terminal.out().println("  " + arm.name() + ": " + line));
        }
        arm.noLongerDone().forEach(line -> terminal.out().println("  " + arm.name() + ": price: " + line));
        arm.tries()
                .failures()
                .forEach(line -> terminal.printHanging(terminal.out(), "  " + arm.name() + ": LEFT OUT: ", line));
        arm.proof().missing().forEach(line -> terminal.out().println("  " + arm.name() + ": NOT IN EFFECT: " + line));
    }

    /** Prints one line for each arm of several comparisons. */
    void summarize(List<Comparison> comparisons) {
        terminal.out().println();
        terminal.out().println("all experiments that this machine can run");
        Table table = table(Align.LEFT, Align.LEFT, Align.RIGHT, Align.LEFT, Align.LEFT);
        table.head("experiment", "arm", "runs", "better than default", "answer");
        for (Comparison comparison : comparisons) {
            comparison
                    .changed()
                    .forEach(arm -> table.row(
                            comparison.name(),
                            arm.name(),
                            arm.runsText(),
                            arm.effectText(),
                            String.valueOf(arm.answer())));
            comparison.leftOut().forEach((name, reason) -> table.row(comparison.name(), name, "", "", "left out"));
        }
        table.print();
    }

    /** Prints the benchmarks and the ready-made comparisons. */
    void list() {
        Table tasks = table(Align.LEFT, Align.LEFT).indent(0);
        tasks.head("benchmark", "");
        Arrays.stream(BenchTask.values()).forEach(task -> tasks.row(task.label(), task.summary()));
        tasks.print();
        terminal.out().println();
        Table ready = table(Align.LEFT, Align.LEFT).indent(0);
        ready.head("experiment", "");
        Arrays.stream(Experiment.values()).forEach(one -> ready.row(one.label(), one.summary()));
        Arrays.stream(SeparateBench.values())
                .forEach(one -> ready.row(one.label(), one.summary() + ": " + Program.name() + " " + one.command()));
        ready.print();
    }

    private Table table(Align... columns) {
        return new Table(terminal, terminal.out(), columns);
    }
}
