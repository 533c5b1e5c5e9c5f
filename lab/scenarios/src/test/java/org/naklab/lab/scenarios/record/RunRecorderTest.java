package org.naklab.lab.scenarios.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.UnfinishedRecord;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.runs.history.HistoryEntry;
import org.naklab.lab.runs.history.RunFileReader;
import org.naklab.lab.runs.history.StartedRun;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/** A run that came to no verdict; its keys and their order are a contract, too. */
final class RunRecorderTest {
    private static final String[] KNOWN = {
        "scenario",
        "fidelity",
        "remedy",
        "profile",
        "seed",
        "runDirectory",
        "startedUtc",
        "plan",
        "replay",
        "environment",
        "arguments"
    };

    @TempDir
    private Path directory;

    @Test
    void shouldRecordWhatIsKnownOfARunThatCameToNoVerdict() throws Exception {
        Path run = Files.createDirectories(directory.resolve("runs/baseline/2026-11-23T02-16-56.004Z-42"));
        List<UnfinishedRecord> unfinished = new ArrayList<>();
        List<String> keysBefore = new ArrayList<>();
        try (RunRecorder recorder = RunRecorder.begin(new Baseline(), plan(run), "test", List.of("run", "baseline"))) {
            assertThatThrownBy(() -> recorder.record(
                            () -> {
                                keysBefore.addAll(keys(run.resolve(StartedRun.NAME)));
                                throw new LabException("no port");
                            },
                            unfinished::add))
                    .isInstanceOf(LabException.class);
        }

        assertThat(directory.resolve("runs/latest")).doesNotExist();
        assertThat(directory.resolve("runs/baseline/latest")).doesNotExist();
        assertThat(keysBefore).containsExactly(KNOWN);
        List<String> keys = keys(run.resolve(RunRecord.NAME));
        assertThat(keys.subList(0, KNOWN.length)).containsExactly(KNOWN);
        assertThat(keys.subList(KNOWN.length, keys.size()))
                .containsExactly("verdict", "diagnosis", "reason", "troubles");
        HistoryEntry entry = RunFileReader.read(run);
        assertThat(entry.run().finding().verdict()).isEqualTo("unknown");
        assertThat(entry.run().finding().reason()).isEqualTo("no port");
        assertThat(entry.run().startedUtc()).isEqualTo("2026-11-23T02:16:56.004Z");
        assertThat(unfinished).singleElement().satisfies(record -> assertThat(
                        RunFileReader.of(run, RunRecord.of(record)))
                .isEqualTo(entry));
    }

    private static List<String> keys(Path file) {
        List<String> keys = new ArrayList<>();
        Json.read(file, JsonNode.class).fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    private static RunPlan plan(Path run) {
        return new RunPlan(
                "baseline",
                Fidelity.NONE,
                Remedy.NONE,
                42,
                new RunPlan.Traffic(new Baseline().workload(), RateLimitMode.TRANSPORT, null),
                new RunPlan.Transport(TransportProfile.LBTRM, TopicChannels.onLoopback(23_000), IdleMode.BACKOFF),
                new RunPlan.Placement(run, "aeron-"),
                List.of());
    }
}
