package org.naklab.lab.campaign.command;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.campaign.CampaignPlan;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a campaign that do not decide what is run. */
final class ShardOptions {
    /** A name is also that of a directory, of a job of Slurm and of an object of Kubernetes. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the campaign (default: from the scenario and the other options).")
    private @Nullable String name;

    @Option(
            names = "--budget",
            paramLabel = "T",
            converter = Converters.Duration.class,
            description = "Begin no seed later than this after the start of a shard, such as 30m (default: no limit).")
    private @Nullable Long budgetNs;

    @Mixin
    private RunsOption runs;

    @Mixin
    private HistoryOptions history;

    /** @throws UsageException the name cannot be used */
    String name(CampaignPlan plan) {
        if (name != null && !NAME.matcher(name).matches()) {
            throw new UsageException(
                    "--name " + name + " cannot be used; a name has lower-case letters, digits and hyphens");
        }
        return name == null ? plan.usualName() : name;
    }

    long budgetNs() {
        return budgetNs == null ? Long.MAX_VALUE : budgetNs;
    }

    boolean hasBudget() {
        return budgetNs != null;
    }

    Path runs() {
        return runs.directory().toAbsolutePath().normalize();
    }

    /** Returns the launcher, by a name that holds in other directories. */
    static String program() {
        String name = Program.name();
        return name.contains("/") ? Path.of(name).toAbsolutePath().normalize().toString() : name;
    }

    HistoryUrl url() {
        return history.url(runs.directory());
    }
}
