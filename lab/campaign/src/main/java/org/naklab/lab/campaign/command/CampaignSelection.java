package org.naklab.lab.campaign.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.campaign.engine.ShardJob;
import org.naklab.lab.core.InputException;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells which campaign a command is about. */
final class CampaignSelection {
    @Parameters(paramLabel = "NAME", arity = "0..1", description = "Name of the campaign (default: the latest).")
    private @Nullable String name;

    @Mixin
    private RunsOption runs;

    @Mixin
    private HistoryOptions history;

    /**
     * Opens the history, which must be there.
     *
     * @throws org.naklab.lab.core.LabException it cannot be read
     */
    CampaignStore store() {
        return CampaignStore.existing(history.url(runs.directory()));
    }

    /**
     * Returns the campaign that was named, or the latest.
     *
     * @throws InputException there is none
     */
    Campaign campaign(CampaignStore store) {
        String wanted = name == null
                ? store.names().stream()
                        .findFirst()
                        .orElseThrow(() -> new InputException(
                                "no campaign yet; 'naklab campaign run --help' tells how to begin one"))
                : name;
        return store.find(wanted)
                .orElseThrow(() -> new InputException(
                        "no campaign is called '" + wanted + "'; there are: " + String.join(", ", store.names())));
    }

    /** Returns the directory of all runs. */
    Path runs() {
        return runs.directory().toAbsolutePath().normalize();
    }

    /** Returns the directory of a campaign's logs and evidence. */
    Path directory(Campaign campaign) {
        return ShardJob.directory(runs.directory(), campaign.name());
    }
}
