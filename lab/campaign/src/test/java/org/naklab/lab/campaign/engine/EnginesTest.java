package org.naklab.lab.campaign.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;

/** Engines with a script in place of the lab: it notes its index and its words, and ends as the test says. */
@Timeout(60)
final class EnginesTest {
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @TempDir
    private Path directory;

    private Path noted = Path.of("none");

    /** @param end the last line of the script */
    private ShardJob job(int shards, String end, boolean isDry) throws IOException {
        noted = directory.resolve("noted");
        Path program = Files.writeString(
                directory.resolve("program"),
                "#!/bin/sh\necho \"$JOB_COMPLETION_INDEX $*\" >>" + noted + "\n" + end + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new ShardJob(
                "night",
                shards,
                program.toString(),
                List.of("campaign", "run", "--", "it's"),
                directory.resolve("runs"),
                false,
                isDry,
                null);
    }

    private static Engine local() {
        return Engines.named("local", Path.of("/nonexistent"));
    }

    private static void awaitEnd(Engine engine, ShardJob job) {
        while (!engine.status(job).isEmpty()) {
            LockSupport.parkNanos(STEP_NS);
        }
    }

    private List<String> run(int shards, String end) throws IOException {
        ShardJob job = job(shards, end, false);
        assertThat(local().submit(job)).singleElement().asString().contains(shards + " shards");
        awaitEnd(local(), job);
        return Files.readAllLines(noted);
    }

    @Test
    void shouldTellEachShardItsIndex() throws IOException {
        String words = " campaign run --runs " + directory.resolve("runs") + " --shard 3 -- it's";
        assertThat(run(3, "exit 0")).containsExactlyInAnyOrder("0" + words, "1" + words, "2" + words);
        assertThat(directory.resolve("runs/campaigns/night/shard-3.log")).exists();
    }

    @Test
    void shouldNotRepeatAFindingNorEndTheCampaignForIt() throws IOException {
        assertThat(run(3, "exit 1")).hasSize(3);
    }

    @Test
    void shouldRepeatAShardWithoutAVerdictOnce() throws IOException {
        assertThat(run(2, "exit 2")).hasSize(4);
    }

    @Test
    void shouldEndTheCampaignWhenTheCommandIsWrong() throws IOException {
        assertThat(run(2_000, "exit 64")).hasSizeLessThan(2_000);
    }

    @Test
    void shouldEndShardsWhenTheCampaignIsStopped() throws IOException {
        ShardJob job = job(50, "exec sleep 1000", false);
        local().submit(job);
        while (!Files.exists(noted)) {
            LockSupport.parkNanos(STEP_NS);
        }
        assertThat(local().status(job)).singleElement().asString().startsWith("running");
        assertThatThrownBy(() -> local().submit(job))
                .isInstanceOf(UsageException.class)
                .hasMessage("campaign night is running; 'naklab campaign stop night' ends it");
        local().stop(job);
        awaitEnd(local(), job);
        assertThat(Files.readAllLines(noted)).hasSizeLessThan(50);
    }

    @Test
    void shouldSubmitNothingInADryRun() throws IOException {
        assertThat(local().submit(job(4, "", true))).anyMatch(line -> line.endsWith("--shard 4 -- 'it'\\''s'"));
        assertThat(noted).doesNotExist();
    }

    @Test
    void shouldDescribeTheArrayOfSlurmInADryRun() throws IOException {
        List<String> lines = Engines.named("slurm", Path.of("/nonexistent")).submit(job(20, "", true));
        assertThat(lines.get(0))
                .startsWith("sbatch --parsable --job-name naklab-night --array 0-19 --requeue")
                .contains("--cpus-per-task 2")
                .doesNotContain("--exclusive");
        assertThat(lines).anyMatch(line -> line.endsWith("--shard 20 -- 'it'\\''s'"));
        assertThat(String.join("\n", lines)).contains("scontrol requeue", "64) scancel");
    }

    @Test
    void shouldTellWhichEnginesThereAre() {
        assertThatThrownBy(() -> Engines.named("nomad", Path.of("/nonexistent")))
                .isInstanceOf(UsageException.class)
                .hasMessage("no engine is called 'nomad'; there are: kubernetes, local, slurm");
        assertThatThrownBy(() -> Engines.named("kubernetes", Path.of("/nonexistent")))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("not built");
    }
}
