package org.naklab.lab.campaign.command;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.campaign.CampaignPlan;
import org.naklab.lab.campaign.Cell;
import org.naklab.lab.campaign.ProcessRunner;
import org.naklab.lab.campaign.SeedResult;
import org.naklab.lab.campaign.bisect.Bisection;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.Units;
import org.naklab.lab.process.Installation;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab campaign bisect}. */
@Command(
        name = "bisect",
        description = {
            "Find the commit since which a seed fails, or since which its longest stall is longer than a limit: git chooses "
                    + "the commits, and each is built and run in a work tree of its own.",
            "",
            "A commit that cannot be built, or whose runs have no verdict, is passed over. With --repeat, a commit is good if all "
                    + "of its runs pass; with --longest-stall, if the median of their longest stalls is within the limit."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab campaign bisect --good v1 --bad HEAD --scenario baseline --seed 7",
            "  naklab campaign bisect --good v1 --bad HEAD --scenario baseline \\",
            "      --longest-stall 50ms --repeat 3 -- --duration 5",
            "",
            "Exit codes: 0 found, 2 commits without a verdict hide it, or an end is not as stated, 64 wrong usage, 66 no such "
                    + "commit, 70 internal error."
        })
final class CampaignBisectCommand implements Callable<Integer> {
    private static final int ABBREVIATED = 10;

    private final Terminal terminal;
    private int judged;

    @Option(names = "--good", paramLabel = "COMMIT", required = true, description = "A commit that is good.")
    private String good;

    @Option(names = "--bad", paramLabel = "COMMIT", required = true, description = "A later commit that is bad.")
    private String bad;

    @Option(names = "--scenario", paramLabel = "S", required = true, description = "A scenario from 'naklab list'.")
    private String scenario;

    @Option(
            names = "--arm",
            paramLabel = "R",
            defaultValue = "none",
            description = "The remedy (default: ${DEFAULT-VALUE}).")
    private String arm;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "The seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--longest-stall",
            paramLabel = "T",
            converter = Converters.Duration.class,
            description =
                    "A commit is bad if its longest stall is longer than this, such as 50ms, whatever the verdict.")
    private @Nullable Long longestStallNs;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "1",
            converter = Converters.Count.class,
            description = "Runs of each commit (default: ${DEFAULT-VALUE}).")
    private int repeat;

    @Parameters(paramLabel = "RUN_OPTION", arity = "0..*", description = "After '--': further options of each run.")
    private List<String> runOptions = List.of();

    @Mixin
    private RunsOption runs;

    CampaignBisectCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        CampaignPlan plan = new CampaignPlan(
                new CampaignPlan.Grid(List.of(scenario), List.of(arm), seed, seed, List.of()),
                new CampaignPlan.Options(false, List.of(), runOptions, null),
                new CampaignPlan.Execution(false, false, null));
        plan.check();
        Path directory = runs.directory()
                .toAbsolutePath()
                .normalize()
                .resolve("campaigns")
                .resolve("bisect-" + Instant.now().toEpochMilli());
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "wind-down"));
        boolean hasOwnNetwork = ProcessRunner.canHaveOwnNetwork();
        try {
            Optional<String> found = new Bisection(Installation.current().root(), directory.resolve("tree"))
                    .search(good, bad, (worktree, commit) -> {
                        ProcessRunner runner = new ProcessRunner(
                                plan,
                                new ProcessRunner.Settings(
                                        worktree.resolve("naklab").toString(),
                                        directory.resolve(commit),
                                        hasOwnNetwork));
                        return judge(runner, commit, cancellation);
                    });
            terminal.out()
                    .println(found.map(commit -> commit + " is the first bad commit")
                            .orElse("commits without a verdict hide the first bad one"));
            return found.isPresent() ? ExitCode.OK : ExitCode.UNKNOWN;
        } finally {
            cancellation.done();
        }
    }

    private Verdict judge(ProcessRunner runner, String commit, Cancellation cancellation) throws InterruptedException {
        Verdict verdict = longestStallNs == null ? allOf(runner, cancellation) : medianOf(runner, cancellation);
        if (cancellation.isRequested()) {
            throw new LabException("interrupted; no commit was found");
        }
        judged++;
        terminal.err().println("commit " + judged + ", " + commit.substring(0, ABBREVIATED) + ": " + verdict.label());
        return verdict;
    }

    /** A seed that fails now and then fails. */
    private Verdict allOf(ProcessRunner runner, Cancellation cancellation) throws InterruptedException {
        Verdict verdict = Verdict.PASS;
        for (int i = 0; i < repeat && verdict == Verdict.PASS && !cancellation.isRequested(); i++) {
            verdict = run(runner, cancellation).map(SeedResult::verdict).orElse(Verdict.UNKNOWN);
        }
        return verdict;
    }

    /** One run may have been disturbed by the machine. */
    private Verdict medianOf(ProcessRunner runner, Cancellation cancellation) throws InterruptedException {
        double[] stallsMs = new double[repeat];
        for (int i = 0; i < repeat && !cancellation.isRequested(); i++) {
            Optional<SeedResult> result = run(runner, cancellation);
            if (result.isEmpty() || result.get().verdict() == Verdict.UNKNOWN) {
                return Verdict.UNKNOWN;
            }
            stallsMs[i] = result.get().longestStallMs();
            terminal.err().println(String.format(Locale.ROOT, "  longest stall %.1f ms", stallsMs[i]));
        }
        double limitMs = Objects.requireNonNull(longestStallNs) / Units.NS_PER_MS;
        return Median.of(DoubleStream.of(stallsMs)) > limitMs ? Verdict.FAIL : Verdict.PASS;
    }

    private Optional<SeedResult> run(ProcessRunner runner, Cancellation cancellation) throws InterruptedException {
        try {
            return Optional.of(runner.run(new Cell(scenario, arm), seed, List.of(), cancellation));
        } catch (UnavailableException e) {
            // The launcher's exit code for a commit that cannot be built.
            terminal.err().println("note: " + e.getMessage());
            return Optional.empty();
        }
    }
}
