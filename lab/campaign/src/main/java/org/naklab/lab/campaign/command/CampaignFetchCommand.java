package org.naklab.lab.campaign.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.campaign.Cell;
import org.naklab.lab.campaign.TrialRow;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab campaign fetch}. */
@Command(
        name = "fetch",
        description = {
            "Copy the evidence of a seed that did not pass to this machine, and print where it is.",
            "",
            "Evidence of other machines is below the directory of the runs, where a campaign of this machine would have "
                    + "left it. From Kubernetes, a pod that reads the volume is started for the copy."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab campaign fetch baseline/none/17",
            "  naklab campaign fetch mystery/bind-now/3 night --to evidence",
            "",
            "Exit codes: 0 it is here, 64 wrong usage, 66 no such seed or no evidence, 69 the engine is not available."
        })
final class CampaignFetchCommand implements Callable<Integer> {
    private static final int PARTS = 3;

    private final Terminal terminal;

    @Parameters(
            index = "0",
            paramLabel = "CASE",
            description = "SCENARIO/ARM/SEED, as 'naklab campaign status' and 'tail' name a seed.")
    private String wanted;

    @Mixin
    private CampaignSelection selection;

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "Directory for the copy; must not exist (default: below the directory of the runs).")
    private @Nullable Path to;

    CampaignFetchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        CampaignStore store = selection.store();
        Campaign campaign = selection.campaign(store);
        TrialRow row = row(store, campaign);
        String directory = row.result().runDirectory();
        if (directory == null) {
            throw new InputException("there is no evidence of " + wanted + " ("
                    + row.result().verdict().label() + "); this runs it again: "
                    + row.result().replay());
        }
        Path there = Path.of(directory);
        Path here = to == null ? usual(campaign, there) : to.toAbsolutePath().normalize();
        if (to != null && Files.exists(here)) {
            throw new UsageException("--to " + to + " exists already; name a directory that does not");
        }
        if (!Files.exists(here) && Files.isDirectory(there)) {
            copy(there, here);
        } else if (!Files.exists(here)) {
            Submission.in(selection.directory(campaign))
                    .orElseThrow(() -> new InputException(there + " is not on this machine, and the campaign was not"
                            + " submitted from it; it was on " + row.host()))
                    .fetch(there, here);
        }
        terminal.out().println(here);
        terminal.err().println("next: " + Program.name() + " report " + here);
        terminal.err().println("      " + Program.name() + " case keep " + here + " --as NAME");
        return ExitCode.OK;
    }

    private TrialRow row(CampaignStore store, Campaign campaign) {
        List<String> words = List.of(wanted.split("/", -1));
        if (words.size() != PARTS || !words.get(2).matches("\\d{1,18}")) {
            throw new UsageException(
                    "'" + wanted + "' names no seed: write SCENARIO/ARM/SEED, such as baseline/none/17");
        }
        TrialRow.Key key = new TrialRow.Key(new Cell(words.get(0), words.get(1)), Long.parseLong(words.get(2)));
        return store.trial(campaign.name(), key)
                .orElseThrow(() -> new InputException("campaign " + campaign.name() + " has no result of " + wanted
                        + "; '" + Program.name() + " campaign tail --errors' prints those that did not pass"));
    }

    private static void copy(Path there, Path here) {
        try (Stream<Path> files = Files.walk(there)) {
            for (Path file : files.toList()) {
                Path copy = here.resolve(there.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy, LinkOption.NOFOLLOW_LINKS);
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot copy " + there + " to " + here + ": " + e, e);
        }
    }

    /** Returns where a campaign of this machine would have left the evidence. */
    private Path usual(Campaign campaign, Path there) {
        if (Files.isDirectory(there)) {
            return there;
        }
        Path directory = selection.directory(campaign);
        for (int i = there.getNameCount() - 1; i > 0; i--) {
            if (there.getName(i).toString().equals(campaign.name())) {
                return directory.resolve(there.subpath(i + 1, there.getNameCount()));
            }
        }
        return directory.resolve(there.getFileName());
    }
}
