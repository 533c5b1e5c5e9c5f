package org.naklab.lab.workshop.command;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.workshop.Grade;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.benchmark.AnswerFile;
import org.naklab.lab.workshop.benchmark.Baselines;
import org.naklab.lab.workshop.benchmark.Benchmark;
import org.naklab.lab.workshop.benchmark.Score;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop score}. */
@Command(
        name = "score",
        description = "Show the scores of all units, or those of answers to the benchmark.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "With FILE it scores answers to the benchmark that 'seal' made, one JSON object a line: "
                    + "{\"case\":\"1f2e3d4c\", \"cause\":\"slow-callback\", \"at\":0.573, \"because\":[\"e17\", \"dropped\"], "
                    + "\"remedy\":\"move-work-off\", \"sure\":80}. Beside it stand the lab's own diagnosis, who never "
                    + "tells, and three naive guessers.",
            "",
            "Examples:",
            "  naklab workshop score",
            "  naklab workshop score --trainee ada",
            "  naklab workshop score answers.jsonl --json",
            "",
            "Exit codes: 0 shown, 64 there is no benchmark or no such case, 66 a file cannot be used."
        })
public final class WorkshopScoreCommand implements Callable<Integer> {
    @ParentCommand
    private WorkshopCommand parent;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "Answers to the benchmark, one a line.")
    private @Nullable Path answers;

    @Mixin
    private JsonOption json;

    @Mixin
    private WorkshopOptions options;

    private record UnitLine(
            String unit, String state, @Nullable Double score) {}

    private record UnitsDocument(String trainee, List<UnitLine> units) {}

    private record ScoreLine(
            String who,
            double mean,
            int cases,
            @JsonUnwrapped Score.Answers answers,
            @Nullable Double brier) {}

    private record BenchmarkDocument(List<ScoreLine> scores) {}

    @Override
    public Integer call() {
        Path file = answers;
        if (file == null) {
            units(options.open());
        } else {
            benchmark(file);
        }
        return ExitCode.OK;
    }

    private void benchmark(Path file) {
        options.open();
        Benchmark benchmark = Benchmark.open(options.benchmark(), options.seal());
        List<Score> scores = new ArrayList<>();
        scores.add(benchmark.score(String.valueOf(file.getFileName()), AnswerFile.read(file)));
        scores.addAll(new Baselines(benchmark, options.corpus()).scores());
        if (json.isGiven()) {
            json.print(
                    parent.terminal(),
                    new BenchmarkDocument(
                            scores.stream().map(WorkshopScoreCommand::line).toList()));
            return;
        }
        Table table = new Table(
                parent.terminal(),
                parent.terminal().out(),
                Align.LEFT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT);
        table.indent(0);
        table.row("who", "points of 90", "right", "wrong", "cannot tell", "missing", "Brier");
        for (Score score : scores) {
            table.row(
                    score.who(),
                    String.format(Locale.ROOT, "%.1f", score.mean()),
                    String.valueOf(score.answers().right()),
                    String.valueOf(score.answers().wrong()),
                    String.valueOf(score.answers().cannotTell()),
                    String.valueOf(score.answers().missing()),
                    Double.isNaN(score.meanBrier()) ? "-" : String.format(Locale.ROOT, "%.3f", score.meanBrier()));
        }
        table.print();
    }

    private static ScoreLine line(Score score) {
        return new ScoreLine(
                score.who(),
                score.mean(),
                score.total().cases(),
                score.answers(),
                Double.isNaN(score.meanBrier()) ? null : score.meanBrier());
    }

    private void units(Workshop workshop) {
        List<UnitLine> lines = new ArrayList<>();
        double sum = 0;
        int answered = 0;
        for (Unit unit : workshop.units()) {
            Optional<Session> session = workshop.session(unit);
            Grade grade = session.map(Session::grade).orElse(null);
            lines.add(new UnitLine(
                    unit.name(),
                    session.map(WorkshopCommand::state).orElse("-"),
                    grade == null ? null : grade.score()));
            if (grade != null) {
                sum += grade.score();
                answered++;
            }
        }
        if (json.isGiven()) {
            json.print(parent.terminal(), new UnitsDocument(workshop.trainee(), lines));
            return;
        }
        for (UnitLine line : lines) {
            parent.terminal().out().println(String.format(Locale.ROOT, "%-26s %s", line.unit(), line.state()));
        }
        parent.terminal()
                .out()
                .println("all: " + Workshop.points(sum) + " of " + answered * Grade.FULL + " points in " + answered
                        + " answered units");
    }
}
