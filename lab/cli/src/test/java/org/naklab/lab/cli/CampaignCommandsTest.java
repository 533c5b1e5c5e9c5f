package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.campaign.Cell;
import org.naklab.lab.campaign.SeedResult;
import org.naklab.lab.campaign.TrialRow;
import org.naklab.lab.core.Json;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.scenarios.Verdict;

/** The commands of campaigns, with computed verdicts. */
@Timeout(60)
final class CampaignCommandsTest {
    @TempDir
    private Path runs;

    private CommandLineRun campaign(String command, String... words) {
        List<String> all = new ArrayList<>(List.of("campaign", command, "--runs", runs.toString()));
        all.addAll(List.of(words));
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    private CommandLineRun run(String... words) {
        List<String> all = new ArrayList<>(List.of("--scenario", "baseline"));
        all.addAll(List.of(words));
        return campaign("run", all.toArray(String[]::new));
    }

    @Test
    void shouldTellHowACampaignStands() throws JsonProcessingException {
        CommandLineRun run = run("--seeds", "30", "--rehearse", "0.3", "--name", "night", "--json");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        JsonNode report = Json.parse(run.out());
        int failed = report.path("arms").get(0).path("failed").path("hits").asInt();
        assertThat(failed).isPositive();
        assertThat(report.path("done").asInt()).isEqualTo(31);

        CommandLineRun status = campaign("status");
        assertThat(status.exitCode()).isZero();
        assertThat(status.out())
                .contains(
                        "night  fail, 31 of 31 runs; the canary failed, as it must", failed + " of 30", "a rehearsal");
        assertThat(Json.parse(campaign("status", "night", "--json").out())).isEqualTo(report);
        assertThat(campaign("tail", "--errors", "--lines", "1000").outLines()).hasSize(failed + 1);
        assertThat(campaign("tail", "--lines", "3").outLines()).hasSize(3);
    }

    @Test
    void shouldPassWithoutFailuresAndNotKnowWithoutAll() {
        assertThat(run("--seeds", "5", "--rehearse", "0").exitCode()).isZero();
        CommandLineRun part = run("--seeds", "5", "--rehearse", "0", "--shard", "2/2", "--name", "part");
        assertThat(part.exitCode()).as("its own part passes").isZero();
        assertThat(campaign("status", "part").out()).contains("part  unknown, 2 of 6 runs; the canary was not run yet");
        assertThat(run("--seeds", "6", "--rehearse", "0", "--budget", "1ns").exitCode())
                .isEqualTo(2);
        assertThat(run("--seeds", "5", "--rehearse", "0", "--name", "part", "--resume")
                        .exitCode())
                .isZero();
    }

    @Test
    void shouldStopACampaign() {
        run("--seeds", "5", "--rehearse", "0", "--shard", "2/2", "--name", "part");
        assertThat(campaign("stop", "part").out()).contains("campaign part is stopped");
        assertThat(run("--seeds", "5", "--rehearse", "0", "--name", "part", "--resume")
                        .exitCode())
                .as("the user goes on")
                .isZero();
    }

    @Test
    void shouldPrintWhatItWouldSubmit() {
        CommandLineRun dry = campaign(
                "submit", "--scenario", "baseline", "--seeds", "9", "--shards", "3", "--engine", "slurm", "--dry-run");
        assertThat(dry.exitCode()).as(dry.err()).isZero();
        assertThat(dry.out())
                .contains(
                        "sbatch --parsable",
                        "--array 0-2",
                        "campaign run --name baseline-",
                        "--seeds 1..9",
                        "--resume");
        assertThat(runs).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run --scenario nothing                                    | no scenario is called 'nothing'",
                "run --scenario baseline --arms nothing                    | baseline has no arm 'nothing'; there are: none",
                "run --scenario baseline --seeds 9..3                      | has no seed",
                "run --scenario baseline --seeds x                         | is no range of seeds",
                "run --scenario baseline --shard 3                         | JOB_COMPLETION_INDEX",
                "run --scenario baseline --shard 5/4                       | a shard is I/N",
                "run --scenario baseline --blocks none:0                   | is no block",
                "run --scenario baseline --until-decided                   | compares two arms",
                "run --scenario baseline --name Night                      | lower-case",
                "run --scenario mystery --fidelity natural                 | --exclusive",
                "run --matrix --arms bind-now                              | leave out --scenario, --arms",
                "run --matrix --seeds 2..3                                 | --seeds N",
                "run --matrix --scenario baseline                          | mutually exclusive",
                "submit --scenario baseline --engine slurm                 | --history jdbc:postgresql",
                "submit --scenario baseline --engine nomad                 | no engine is called 'nomad'",
                "submit --scenario baseline --blocks none:5 --shards 2     | is one shard"
            })
    void shouldRefuseWhatCannotBeRun(String command, String told) {
        String[] words = command.split(" +");
        CommandLineRun run =
                campaign(words[0], List.of(words).subList(1, words.length).toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(64);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).contains(told);
    }

    @Test
    void shouldRefuseAnotherPlanUnderTheSameName() {
        run("--seeds", "5", "--rehearse", "0", "--name", "night");
        CommandLineRun other = run("--seeds", "6", "--rehearse", "0", "--name", "night");
        assertThat(other.exitCode()).isEqualTo(64);
        assertThat(other.err()).contains("campaign night has another plan");
    }

    @Test
    void shouldSayThatThereIsNoCampaign() {
        assertThat(campaign("status").exitCode()).isEqualTo(66);
        assertThat(campaign("status").err()).contains("no history yet");
        run("--seeds", "1", "--rehearse", "0", "--name", "night");
        CommandLineRun unknown = campaign("status", "day");
        assertThat(unknown.exitCode()).isEqualTo(66);
        assertThat(unknown.err()).contains("no campaign is called 'day'; there are: night");
    }

    @Test
    void shouldRefuseABisectionOfNoCommit() {
        CommandLineRun run = campaign("bisect", "--good", "no-such-commit", "--bad", "HEAD", "--scenario", "baseline");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(66);
        assertThat(run.err()).contains("no commit 'no-such-commit'");
    }

    /** What a shard on another machine leaves in the history, and on a disk that all machines have. */
    private void addFailure(Path evidence) {
        run("--seeds", "2", "--rehearse", "0", "--name", "night");
        SeedResult failed = new SeedResult(
                Verdict.FAIL, "claim", "cause", "naklab run baseline", 1, 0, 0, 0, List.of(), evidence.toString());
        new CampaignStore(HistoryUrl.inRuns(runs))
                .record(
                        "night",
                        new TrialRow(
                                new Cell("baseline", "none"),
                                2,
                                failed,
                                1,
                                null,
                                "node-7",
                                "2026-11-27T08:00:00.000Z"));
    }

    @Test
    void shouldFetchTheEvidenceOfASeed(@TempDir Path elsewhere) throws IOException {
        Path evidence = Files.createDirectories(elsewhere.resolve("campaigns/night/baseline-none-2/baseline/run"));
        Files.writeString(evidence.resolve("run.json"), "{}");
        addFailure(evidence);
        assertThat(campaign("fetch", "baseline/none/2").outLines()).containsExactly(evidence.toString());

        Path copy = elsewhere.resolve("copy");
        CommandLineRun fetched = campaign("fetch", "baseline/none/2", "night", "--to", copy.toString());
        assertThat(fetched.exitCode()).as(fetched.err()).isZero();
        assertThat(fetched.outLines()).containsExactly(copy.toString());
        assertThat(copy.resolve("run.json")).hasContent("{}");
        assertThat(campaign("fetch", "baseline/none/2", "--to", copy.toString()).err())
                .contains("exists already");
    }

    @Test
    void shouldSayWhyItCannotFetch() {
        addFailure(Path.of("/runs/campaigns/night/baseline-none-2/baseline/run"));
        assertThat(campaign("status").out()).contains("campaign fetch baseline/none/2 night");
        CommandLineRun elsewhere = campaign("fetch", "baseline/none/2");
        assertThat(elsewhere.exitCode()).isEqualTo(66);
        assertThat(elsewhere.err()).contains("is not on this machine", "node-7");
        CommandLineRun passed = campaign("fetch", "baseline/none/1");
        assertThat(passed.exitCode()).isEqualTo(66);
        assertThat(passed.err()).contains("there is no evidence of baseline/none/1 (pass)", "runs it again");
        assertThat(campaign("fetch", "baseline/none/9").exitCode()).isEqualTo(66);
        assertThat(campaign("fetch", "baseline").err()).contains("write SCENARIO/ARM/SEED");
    }

    @Test
    void shouldDivideTheMatrixIntoParts() throws JsonProcessingException {
        CommandLineRun run = campaign("run", "--matrix", "--seeds", "8", "--rehearse", "0", "--json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = Json.parse(run.out());
        assertThat(report.path("name").asText()).startsWith("matrix-");
        assertThat(report.path("done").asInt()).isEqualTo(9);
        assertThat(campaign("submit", "--matrix", "--seeds", "8", "--engine", "slurm", "--dry-run")
                        .out())
                .contains("--matrix --seeds 1..8")
                .doesNotContain("--scenario");
    }
}
