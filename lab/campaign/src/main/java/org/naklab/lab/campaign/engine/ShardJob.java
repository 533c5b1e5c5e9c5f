package org.naklab.lab.campaign.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.core.UsageException;

/**
 * The jobs of a campaign. All have the same command; the index of the shard comes from the engine.
 *
 * @param campaign its name
 * @param shards number of jobs
 * @param program the launcher on this machine
 * @param command words behind the program that run one shard; the options {@code --runs} and {@code --shard} are added
 * @param runs directory of the runs on this machine
 * @param exclusive whether each job needs a machine of its own
 * @param dryRun whether the jobs are only described
 * @param image container image with the lab, for engines that need one; {@code null}: none was given
 */
public record ShardJob(
        String campaign,
        int shards,
        String program,
        List<String> command,
        Path runs,
        boolean exclusive,
        boolean dryRun,
        @Nullable String image) {
    public ShardJob {
        command = List.copyOf(command);
    }

    /** Returns the directory for logs and evidence, and for what the engine must remember. */
    public Path directory() {
        return directory(runs, campaign);
    }

    /** Returns the exception for a second submission while jobs wait or run. */
    public UsageException alreadyRunning() {
        return new UsageException(
                "campaign " + campaign + " is running; 'naklab campaign stop " + campaign + "' ends it");
    }

    /** Returns the directory of a campaign for logs and evidence. */
    public static Path directory(Path runs, String campaign) {
        return runs.toAbsolutePath().normalize().resolve("campaigns").resolve(campaign);
    }

    /** Returns the command of a job that finds its index in the environment, where it runs. */
    public List<String> indexedCommand(String programThere, Path runsThere) {
        // Options of the runs come last.
        int options = command.contains("--") ? command.indexOf("--") : command.size();
        List<String> words = new ArrayList<>(List.of(programThere));
        words.addAll(command.subList(0, options));
        words.addAll(List.of("--runs", runsThere.toString(), "--shard", String.valueOf(shards)));
        words.addAll(command.subList(options, command.size()));
        return List.copyOf(words);
    }

    /** Returns the command of a job on a machine that is like this one. */
    List<String> indexedCommand() {
        return indexedCommand(program, runs);
    }

    /** Returns that command for a shell. */
    String shellCommand() {
        return indexedCommand().stream().map(ShellWord::of).collect(Collectors.joining(" "));
    }
}
