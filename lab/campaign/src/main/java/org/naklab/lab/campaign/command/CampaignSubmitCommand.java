package org.naklab.lab.campaign.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignPlan;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.campaign.Shard;
import org.naklab.lab.campaign.engine.Engine;
import org.naklab.lab.campaign.engine.Engines;
import org.naklab.lab.campaign.engine.LocalEngine;
import org.naklab.lab.campaign.engine.ShardJob;
import org.naklab.lab.cases.RunEnvironment;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.Installation;
import org.naklab.lab.runs.history.HistoryException;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab campaign submit}. */
@Command(
        name = "submit",
        description = {
            "Submit a campaign to an engine of jobs, and return: one job for each shard. Slurm and Kubernetes need a "
                    + "history on PostgreSQL, which all machines reach.",
            "",
            "Jobs are repeated by exit code: a seed that fails is a finding and is not repeated; a shard without a verdict "
                    + "is repeated once; a wrong command ends the campaign."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab campaign submit --scenario mystery --arms none,bind-now",
            "  naklab campaign submit --scenario baseline --engine slurm --shards 20 \\",
            "      --history jdbc:postgresql://db/naklab",
            "  naklab campaign submit --scenario baseline --engine slurm --dry-run",
            "",
            "Exit codes: 0 submitted, 64 wrong usage, 69 the engine is not available, 70 internal error."
        })
final class CampaignSubmitCommand implements Callable<Integer> {
    private static final String LOCAL = "local";

    private final Terminal terminal;

    @Mixin
    private PlanOptions plan;

    @Option(
            names = "--engine",
            paramLabel = "E",
            defaultValue = LOCAL,
            description = "local, slurm or kubernetes (default: ${DEFAULT-VALUE}).")
    private String engine;

    @Option(
            names = "--shards",
            paramLabel = "N",
            converter = Converters.Count.class,
            description = "Number of jobs (default: as many as run at once here).")
    private @Nullable Integer shards;

    @Option(names = "--dry-run", description = "Print what would be submitted, and submit nothing.")
    private boolean isDry;

    @Option(names = "--image", paramLabel = "IMAGE", description = "Container image with the lab, for kubernetes.")
    private @Nullable String image;

    @Mixin
    private ShardOptions options;

    CampaignSubmitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        CampaignPlan wanted = plan.plan();
        wanted.check();
        Engine found = Engines.named(engine, Installation.current().root());
        if (!engine.equals(LOCAL) && options.url().isFile() && !isDry) {
            throw new UsageException("the machines of " + engine + " cannot share a file as history: name a server with"
                    + " --history jdbc:postgresql://HOST/DATABASE");
        }
        String name = options.name(wanted);
        ShardJob job = job(wanted, name);
        if (!isDry) {
            begin(name, wanted);
            make(job.directory());
            new Submission(engine, job).keep();
        }
        found.submit(job).forEach(terminal.out()::println);
        if (!isDry) {
            terminal.out().println("campaign " + name + "; 'naklab campaign status " + name + "' tells how it stands");
        }
        return ExitCode.OK;
    }

    /** A history inside a cluster may be out of reach here; the shards then begin the campaign themselves. */
    private void begin(String name, CampaignPlan wanted) {
        try {
            CampaignStore store = new CampaignStore(options.url());
            Campaign campaign =
                    store.begin(name, wanted, RunEnvironment.describe("").commit(), CampaignRunCommand.now());
            store.setStopped(campaign.name(), false);
        } catch (HistoryException e) {
            if (engine.equals(LOCAL)) {
                throw e;
            }
            terminal.err()
                    .println("note: the shards must reach the history, which is not reached from here: "
                            + e.getMessage());
        }
    }

    private static void make(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new LabException("cannot make " + directory + ": " + e, e);
        }
    }

    private ShardJob job(CampaignPlan wanted, String name) {
        int count = wanted.grid().blocks().isEmpty() ? shards() : 1;
        if (!wanted.grid().blocks().isEmpty() && shards != null && shards > 1) {
            throw new UsageException("blocks follow each other in time, so a campaign with --blocks is one shard");
        }
        return new ShardJob(
                name,
                new Shard(1, count).count(),
                ShardOptions.program(),
                command(wanted, name),
                options.runs(),
                wanted.execution().exclusive(),
                isDry,
                image);
    }

    private int shards() {
        return shards == null ? LocalEngine.parallel() : shards;
    }

    private List<String> command(CampaignPlan wanted, String name) {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("campaign", "run", "--name", name));
        words.addAll(PlanOptions.words(wanted));
        words.add("--resume");
        if (options.hasBudget()) {
            words.addAll(List.of("--budget", options.budgetNs() + "ns"));
        }
        words.addAll(List.of("--history", options.url().jdbc()));
        if (!wanted.options().runOptions().isEmpty()) {
            words.add("--");
            words.addAll(wanted.options().runOptions());
        }
        return words;
    }
}
