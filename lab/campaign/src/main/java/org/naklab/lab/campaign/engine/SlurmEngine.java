package org.naklab.lab.campaign.engine;

import com.google.auto.service.AutoService;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.ShellWord;

/**
 * An array of Slurm, a task for each shard. The partition, the account and other choices of the site come from Slurm's own variables, such as
 * {@code SBATCH_PARTITION}.
 */
@AutoService(Engine.class)
public final class SlurmEngine implements Engine {
    /** A task that is put back is run by Slurm two minutes later at the earliest. */
    private static final String POLICY = """
            code=$?
            case $code in
                2 | 69)
                    if [ "${SLURM_RESTART_COUNT:-0}" -lt 1 ]; then
                        scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
                    fi ;;
                64) scancel "$SLURM_ARRAY_JOB_ID" ;;
            esac
            exit "$code"
            """;

    @Override
    public String name() {
        return "slurm";
    }

    @Override
    public List<String> submit(ShardJob job) {
        List<String> submit = submission(job);
        String script = "#!/bin/sh\n" + job.shellCommand() + "\n" + POLICY;
        if (job.dryRun()) {
            List<String> lines = new ArrayList<>();
            lines.add(submit.stream().map(ShellWord::of).collect(Collectors.joining(" ")) + " <<'END'");
            script.lines().forEach(lines::add);
            lines.add("END");
            return lines;
        }
        if (!status(job).isEmpty()) {
            throw job.alreadyRunning();
        }
        try {
            Files.createDirectories(job.directory());
        } catch (IOException e) {
            throw new LabException("cannot make " + job.directory() + ": " + e, e);
        }
        String id = SystemCommand.run(submit, script);
        return List.of(job.shards() + " tasks in the array " + id + " of Slurm; logs in " + job.directory());
    }

    @Override
    public List<String> status(ShardJob job) {
        return SystemCommand.run(
                        List.of(
                                "squeue",
                                "--noheader",
                                "--array",
                                "--name",
                                jobName(job),
                                "--format",
                                "task %K: %T, %r"),
                        "")
                .lines()
                .toList();
    }

    @Override
    public void stop(ShardJob job) {
        SystemCommand.run(List.of("scancel", "--name", jobName(job)), "");
    }

    private static List<String> submission(ShardJob job) {
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name",
                jobName(job),
                "--array",
                "0-" + (job.shards() - 1),
                "--requeue",
                "--open-mode",
                "append",
                "--output",
                job.directory().resolve("shard-%a.log").toString()));
        if (job.exclusive()) {
            words.add("--exclusive");
        } else {
            words.addAll(List.of("--cpus-per-task", "2"));
        }
        return words;
    }

    private static String jobName(ShardJob job) {
        return "naklab-" + job.campaign();
    }
}
