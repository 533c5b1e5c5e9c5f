package org.naklab.lab.campaign.command;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignPlan;
import org.naklab.lab.campaign.CampaignReport;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.campaign.MatrixRunner;
import org.naklab.lab.campaign.ProcessRunner;
import org.naklab.lab.campaign.Rehearsal;
import org.naklab.lab.campaign.SeedRunner;
import org.naklab.lab.campaign.Shard;
import org.naklab.lab.campaign.ShardRun;
import org.naklab.lab.campaign.engine.ShardJob;
import org.naklab.lab.cases.RunEnvironment;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.process.Installation;
import org.naklab.lab.records.EnvironmentRecord;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab campaign run}. */
@Command(
        name = "run",
        description = {
            "Run the seeds of a campaign, or one shard of them, and wait for the end.",
            "",
            "Each seed runs in processes of its own and, as root, in a network namespace of its own. A failure does not "
                    + "end the campaign. Each result is in the history as soon as its run has ended: a campaign that "
                    + "was killed goes on with --resume. The first run of a campaign is the canary, which must fail: "
                    + "without it the verdict is unknown. Seeds that failed in earlier campaigns are run first.",
            "",
            "An engine of jobs runs one shard in each job: --shard I/N, or --shard N where the variable "
                    + "JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID or NOMAD_ALLOC_INDEX has the index, from 0."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab campaign run --scenario baseline --seeds 1..20",
            "  naklab campaign run --scenario mystery --arms none,bind-now --seeds 50",
            "  naklab campaign run --scenario baseline --seeds 1..200 --shard 2/4",
            "  naklab campaign run --scenario baseline --seeds 9 -- --duration 3",
            "  naklab campaign run --scenario baseline --seeds 10000 --rehearse 0.05",
            "  naklab campaign run --matrix --seeds 8",
            "",
            "Exit codes: 0 all seeds pass, 1 a seed fails, 2 unknown (a seed has no verdict or was not run, or the canary "
                    + "did not fail), 64 wrong usage, 69 port in use by another run or program, 70 internal error."
        })
final class CampaignRunCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private PlanOptions plan;

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = "Run only the I-th of N equal parts; N alone takes I from the engine of jobs.")
    private @Nullable String shard;

    @Option(names = "--resume", description = "Run only seeds that have no verdict in the history yet.")
    private boolean isResumed;

    @Mixin
    private ShardOptions options;

    @Mixin
    private JsonOption json;

    CampaignRunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        CampaignPlan wanted = plan.plan();
        wanted.check();
        Shard part = Shard.of(shard, System.getenv());
        String name = options.name(wanted);
        EnvironmentRecord environment = RunEnvironment.describe("");
        CampaignStore store = new CampaignStore(options.url());
        Campaign campaign = store.begin(name, wanted, environment.commit(), now());
        boolean isOfEngine = shard != null && !shard.contains("/");
        if (campaign.isStopped() && !isOfEngine) {
            store.setStopped(name, false);
            campaign = store.find(name).orElseThrow();
        }
        Cancellation cancellation = new Cancellation();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "wind-down"));
        try {
            return run(
                    campaign, part, store, String.valueOf(environment.program().host()), cancellation);
        } finally {
            cancellation.done();
        }
    }

    private int run(Campaign campaign, Shard part, CampaignStore store, String host, Cancellation cancellation)
            throws InterruptedException {
        CampaignPrinter printer = new CampaignPrinter(terminal, json.isGiven() ? terminal.err() : terminal.out());
        printer.begin(campaign, part);
        // One process writes the page.
        boolean isWriter = part.number() == 1;
        PageRenewal page = new PageRenewal(options.runs(), store, campaign, terminal, System::nanoTime);
        ShardRun run = new ShardRun(
                campaign,
                part,
                new ShardRun.Place(store, host, options.budgetNs(), System::nanoTime),
                runner(campaign),
                (row, done, all) -> {
                    printer.onTrial(row, done, all);
                    if (isWriter) {
                        page.onTrial();
                    }
                },
                cancellation);
        ShardRun.Summary summary = run.run(isResumed);
        printer.end(summary);
        CampaignReport report = isWriter ? page.renew() : CampaignReport.of(store, campaign);
        if (json.isGiven()) {
            json.print(terminal, report);
        } else if (part.equals(Shard.WHOLE)) {
            printer.print(report);
        }
        if (cancellation.isRequested()) {
            return ExitCode.UNKNOWN;
        }
        return (part.equals(Shard.WHOLE) ? report.state().verdict() : summary.verdict()).exitCode();
    }

    private SeedRunner runner(Campaign campaign) throws InterruptedException {
        Double rehearsal = campaign.plan().execution().rehearsal();
        if (rehearsal != null) {
            return new Rehearsal(rehearsal);
        }
        Path directory = ShardJob.directory(options.runs(), campaign.name());
        SeedRunner runner = new ProcessRunner(
                campaign.plan(),
                new ProcessRunner.Settings(ShardOptions.program(), directory, ProcessRunner.canHaveOwnNetwork()));
        return campaign.plan().isMatrix()
                ? new MatrixRunner(
                        Installation.current().root(),
                        directory,
                        campaign.plan().grid().lastSeed(),
                        runner)
                : runner;
    }

    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
