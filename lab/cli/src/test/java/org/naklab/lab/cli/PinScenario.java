package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.core.trace.TraceFile;
import org.naklab.lab.core.trace.TraceSummary;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.testing.Matrix;

/** A thread that is bound to a CPU: another one that is bound there is named, with the trace of the kernel. */
@Matrix
@Timeout(300)
final class PinScenario {
    /** The kernel names a script's process after its file. */
    private static final String BURNER = "naklab-burn";

    @TempDir
    private Path directory;

    @Test
    void shouldNameAThreadThatRanOnTheSameCpu() throws Exception {
        int cpu = ThreadAffinity.allowed().get(0);
        assertThat(sharedBeside(cpu, cpu)).anySatisfy(one -> {
            assertThat(one.thread()).isEqualTo("mds-context");
            assertThat(one.other()).isEqualTo(BURNER);
            assertThat(one.cpu()).isEqualTo(cpu);
            assertThat(one.share().longestNs()).isPositive();
        });
    }

    @Test
    void shouldNotNameAThreadThatRanOnAnotherCpu() throws Exception {
        List<Integer> cpus = ThreadAffinity.allowed();
        assumeThat(cpus).as("CPUs").hasSizeGreaterThan(1);
        assertThat(sharedBeside(cpus.get(0), cpus.get(1)))
                .noneMatch(one -> one.other().equals(BURNER));
    }

    /** Returns who shared the CPU of the receipt thread, while a busy process was bound to a CPU. */
    private List<CoreShared> sharedBeside(int cpu, int burnt) throws IOException {
        Path script = directory.resolve(BURNER);
        Files.writeString(script, "#!/bin/sh\nwhile :; do :; done\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Process burner = new ProcessBuilder("taskset", "-c", String.valueOf(burnt), script.toString()).start();
        try {
            return sharedIn("mds-context=" + cpu);
        } finally {
            burner.destroyForcibly();
        }
    }

    private List<CoreShared> sharedIn(String pin) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.runScenario(
                "baseline", directory, "--duration", "2", "--rate", "2000", "--pin", pin, "--json")) {
            NaklabOutcome outcome = naklab.outcome();
            assertThat(outcome.err()).doesNotContain("no thread");
        }
        Path run = NaklabProcess.latest(directory);
        JsonNode record = Json.parse(Files.readString(run.resolve("run.json")));
        assertThat(record.path("plan").path("pins").path("mds-context").asInt(-1))
                .isEqualTo(Integer.parseInt(pin.substring(pin.indexOf('=') + 1)));
        assertThat(Files.exists(run.resolve(TraceFile.NAME))).isEqualTo(Files.exists(run.resolve(TraceSummary.NAME)));
        List<TimelineEvent> events = TimelineReader.readWhole(run.resolve("timeline.jsonl"));
        return CoreShared.summed(events);
    }
}
