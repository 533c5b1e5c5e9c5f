package org.naklab.lab.workshop.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.naklab.files.FileTrees;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.workshop.Unit;
import org.naklab.lab.workshop.Workshop;
import org.naklab.lab.workshop.seal.SealScan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code naklab workshop solve}. */
@Command(
        name = "solve",
        description = "Play units through the commands, with their reference solutions and as a guesser.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "For who writes units. Each case of a unit is played with its reference solution, which must earn all points, "
                    + "then three wrong answers are given, and a guesser names each suspect. The guesser must score "
                    + "below who says that one cannot tell. It plays in a directory of its own: no session is touched.",
            "",
            "Examples:",
            "  naklab workshop solve",
            "  naklab workshop solve 1 --json",
            "",
            "Exit codes: 0 all units are right, 1 one is not, 64 no such unit, 66 a unit cannot be played."
        })
public final class WorkshopSolveCommand implements Callable<Integer> {
    private static final int FAIL = 1;

    @ParentCommand
    private WorkshopCommand parent;

    @Parameters(arity = "0..*", paramLabel = "UNIT", description = "Names or numbers of units (default: all).")
    private List<String> names = List.of();

    @Mixin
    private JsonOption json;

    @Mixin
    private WorkshopOptions options;

    private record Line(String unit, double score, int full, List<Double> wrong, double guesser) {}

    private record Document(List<Line> units) {}

    @Override
    public Integer call() throws IOException {
        Path directory = Files.createTempDirectory("workshop");
        try {
            return play(directory);
        } finally {
            FileTrees.delete(directory);
        }
    }

    private int play(Path directory) {
        Workshop workshop = options.open(directory, "reference");
        List<Unit> units = names.isEmpty()
                ? workshop.units()
                : names.stream().map(workshop::unit).toList();
        SealScan scan = SealScan.of(options.corpus());
        List<UnitPlayer.Result> results = units.parallelStream()
                .map(unit -> UnitPlayer.in(directory, unit, options, scan).play(unit))
                .toList();
        if (!json.isGiven()) {
            results.forEach(this::print);
        }
        if (json.isGiven()) {
            json.print(
                    parent.terminal(),
                    new Document(results.stream()
                            .map(result -> new Line(
                                    result.unit(), result.score(), result.full(), result.wrong(), result.guesser()))
                            .toList()));
        }
        return results.stream().allMatch(UnitPlayer.Result::isGood) ? ExitCode.OK : FAIL;
    }

    private void print(UnitPlayer.Result result) {
        parent.terminal()
                .out()
                .println(String.format(
                        Locale.ROOT,
                        "%-26s %s of %d, wrong %s, guesser %.1f, cannot tell %.1f%s",
                        result.unit(),
                        Workshop.points(result.score()),
                        result.full(),
                        result.wrong().stream().map(Workshop::points).collect(Collectors.joining(" ")),
                        result.guesser(),
                        result.cannotTell(),
                        result.isGood() ? "" : "  NOT RIGHT"));
        result.leaks().forEach(leak -> parent.terminal().out().println("  gives away: " + leak));
    }
}
