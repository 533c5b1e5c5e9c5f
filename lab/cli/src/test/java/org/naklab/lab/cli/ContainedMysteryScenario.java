package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.containers.BlockDevice;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.ReadAhead;
import org.naklab.lab.containers.pace.ReadCalibration;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ContainerEngine;
import org.naklab.testing.host.ImagePages;

/** The mystery in containers: the bind is late for real, and waits for real pages. */
@Contained
@ExtendWith(ContainerEngine.class)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class ContainedMysteryScenario {
    /** What the engine may take for networks, volumes and images, beside what the run bounds itself. */
    private static final long ENGINE_NS = Docker.TIMEOUT_NS;

    private static final long TOLERANCE_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Kept when a test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @BeforeEach
    void requireRoot() {
        assumeThat(System.getProperty("user.name"))
                .as("only root's instruments see into containers")
                .isEqualTo("root");
    }

    /** On a machine that has not read the image yet, and whose kernel reads ahead no further than by default. */
    @Test
    void shouldReproduceTheIncidentFromAColdImageAndLeaveNothingAtTheEngine() throws IOException {
        try (ReadAhead lowered = ReadAhead.lowered(BlockDevice.find())) {
            assertThat(lowered.formerKib()).isPositive();
            ImagePages.evict();
            long patienceNs =
                    ReadCalibration.longestNs() + ScenarioRun.longestNs(ContainedFlow.evictedNs()) + ENGINE_NS;
            assertBoundLateByMajorFaults("evicted", patienceNs);
        }
    }

    /** Nobody evicts anything: memory pressure does. */
    @Test
    void shouldReproduceTheIncidentWithNothingForced() throws IOException {
        assertBoundLateByMajorFaults("natural", ScenarioRun.longestNs(ContainedFlow.naturalNs()) + ENGINE_NS);
    }

    /** The same squeeze, and the symbol is bound late all the same. */
    @Test
    void shouldBeCuredByLockedPages() throws IOException {
        JsonNode document = new MysteryRuns(directory, ScenarioRun.longestNs(ContainedFlow.naturalNs()) + ENGINE_NS)
                .pass("--fidelity", "natural", "--containers", "--remedy", "locked-pages");
        assertThat(document.path("naks").asLong()).isZero();
        assertThat(NaklabProcess.reported(directory, "RESOURCES_USED", "mds")
                        .path("lockedBytes")
                        .asLong())
                .as("what the kernel counts as locked")
                .isPositive();
    }

    private void assertBoundLateByMajorFaults(String fidelity, long patienceNs) throws IOException {
        JsonNode document = new MysteryRuns(directory, patienceNs).pass("--fidelity", fidelity, "--containers");
        MysteryRuns.assertIncident(document, fidelity, "late-binding-major-fault");
        assertThat(document.path("stalls"))
                .anySatisfy(
                        stall -> assertThat(stall.path("majorFaults").asLong()).isPositive());
        assertFaultsAreTheBind(run(document));
        assertThat(left(document, "ps", "--all")).isEmpty();
        assertThat(left(document, "network", "ls")).isEmpty();
        assertThat(left(document, "volume", "ls")).isEmpty();
    }

    private static Path run(JsonNode document) {
        return Path.of(document.path("runDirectory").asText());
    }

    /** The page faults of the receipt thread that touch the longest bind are together as long as it, and each names the file and its section. */
    private static void assertFaultsAreTheBind(Path run) {
        List<TimelineEvent> events = TimelineReader.read(run.resolve("timeline.jsonl"));
        Interval bind = events.stream()
                .filter(event -> event.type() == TimelineEventType.SYMBOL_BOUND)
                .map(TimelineEvent::interval)
                .max(Comparator.comparingLong(Interval::lengthNs))
                .orElseThrow();
        List<PageFault> faults = events.stream()
                .filter(event -> event.type() == TimelineEventType.PAGE_FAULT)
                .flatMap(TimelineEvent.only(PageFault.class))
                .filter(fault ->
                        fault.process().equals("mds") && fault.interval().overlaps(bind))
                .toList();
        assertThat(faults).as("page faults in %s", run).isNotEmpty().allSatisfy(fault -> assertThat(fault.place())
                .containsPattern("^\\S+\\.so\\S* \\.\\S+"));
        long faultsNs = Interval.union(faults.stream().map(PageFault::interval).toList()).stream()
                .mapToLong(Interval::lengthNs)
                .sum();
        assertThat(Math.abs(bind.lengthNs() - faultsNs))
                .as("bind %s, page faults %s in %s", bind, faults, run)
                .isLessThan(TOLERANCE_NS);
    }

    /** What of the run's is still there, by its name. */
    private static String left(JsonNode document, String... list) {
        String run = String.valueOf(run(document).getFileName());
        List<String> command = new ArrayList<>(List.of(list));
        command.addAll(List.of("--quiet", "--filter", "name=" + run.toLowerCase(Locale.ROOT)));
        return Docker.run(command.toArray(String[]::new));
    }
}
