package org.naklab.lab.campaign.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.ShellWord;

/**
 * The jobs of a campaign. All have the same command; the index of the shard comes from the engine.
 *
 * @param campaign its name
 * @param shards number of jobs
 * @param command words of a command that runs one shard; the option {@code --shard} is added
 * @param directory for logs and for what the engine must remember
 * @param exclusive whether each job needs a machine of its own
 * @param dryRun whether the jobs are only described
 * @param image container image with the lab, for engines that need one; {@code null}: none was given
 */
public record ShardJob(
        String campaign,
        int shards,
        List<String> command,
        Path directory,
        boolean exclusive,
        boolean dryRun,
        @Nullable String image) {
    public ShardJob {
        command = List.copyOf(command);
    }

    /** Returns the command of a job that finds its index in the environment. */
    public List<String> indexedCommand() {
        // Options of the runs come last.
        int runs = command.contains("--") ? command.indexOf("--") : command.size();
        List<String> words = new ArrayList<>(command.subList(0, runs));
        words.addAll(List.of("--shard", String.valueOf(shards)));
        words.addAll(command.subList(runs, command.size()));
        return List.copyOf(words);
    }

    /** Returns that command for a shell. */
    String shellCommand() {
        return indexedCommand().stream().map(ShellWord::of).collect(Collectors.joining(" "));
    }
}
