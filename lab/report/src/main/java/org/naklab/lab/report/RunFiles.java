package org.naklab.lab.report;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.records.DiagnosedStalls;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.FaultStackRecord;
import org.naklab.lab.records.KeyFigures;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.latency.LatencyFile;

/**
 * The files of a run directory, as far as they exist.
 *
 * @param run {@code run.json}
 * @param diagnosis {@code diagnosis.json}
 * @param diagnosed the stalls and causes that {@code diagnosis.json} names
 */
record RunFiles(
        Path directory,
        RunRecord run,
        Optional<DiagnosisRecord> diagnosis,
        DiagnosedStalls diagnosed,
        List<TimelineEvent> events,
        Samples samples,
        Further further) {
    /**
     * Contains the smaller files, and names those that are not there.
     *
     * @param faultStacks {@code fault-stacks.json}
     * @param latencies {@code latency.json}
     * @param absent what a report would want and the directory has not, each one line
     */
    record Further(List<FaultStackRecord> faultStacks, LatencyFile latencies, List<String> absent) {
        Further {
            absent = List.copyOf(absent);
        }
    }

    private static final SeriesName RING =
            SeriesName.ofProcess(SeriesSource.GAUGE, ProcessNames.SERVICE, "ringDepthSlots");

    /** The events that show a cause which is no stall. */
    private static final Map<String, TimelineEventType> SIGNS = Map.of(
            "slow-consumer", TimelineEventType.RING_DEPTH_RISE,
            "traffic-burst", TimelineEventType.TRAFFIC_BURST,
            "network-loss", TimelineEventType.NAK_SENT);

    /** @throws InputException there is no {@code run.json}, or a file of the run is damaged */
    static RunFiles read(Path directory) {
        Path run = directory.resolve(RunRecord.NAME);
        if (!Files.isReadable(run)) {
            throw new InputException("no run in " + directory + ": it has no " + RunRecord.NAME);
        }
        List<String> absent = new ArrayList<>();
        Optional<DiagnosisRecord> diagnosis =
                document(present(directory, DiagnosisRecord.NAME, absent), DiagnosisRecord.class);
        RunRecord runRecord = document(run, RunRecord.class)
                .orElseThrow(() -> new InputException("cannot read " + run + ": no record"));
        String window = runRecord.isOfWatch() ? "window-" : "";
        Path timeline = present(directory, window + "timeline.jsonl", absent);
        Path samples = present(directory, window + "samples.csv.gz", absent);
        return new RunFiles(
                directory,
                runRecord,
                diagnosis,
                document(directory.resolve(DiagnosisRecord.NAME), DiagnosedStalls.class)
                        .orElse(DiagnosedStalls.NONE),
                isThere(timeline) ? timeline(timeline) : List.of(),
                isThere(samples) ? Samples.read(samples) : Samples.NONE,
                new Further(
                        document(directory.resolve(FaultStackRecord.NAME), FaultStackRecord[].class)
                                .map(RunFiles::listOf)
                                .orElse(List.of()),
                        document(directory.resolve(LatencyFile.NAME), LatencyFile.class)
                                .orElse(new LatencyFile(List.of())),
                        absent));
    }

    RunDocument document() {
        return run.document();
    }

    /** Returns the stall that matters. */
    Optional<Stall> mainStall() {
        return diagnosed.main(document());
    }

    /** Returns the stall that matters if the diagnosed cause is also its own. */
    Optional<Stall> causalStall() {
        return mainStall()
                .filter(stall -> diagnosed.stall() != null || stall.cause().equals(cause()));
    }

    /**
     * Returns the time that the diagnosis is about: the stall that matters if it has the diagnosed cause; or else the longest event of the
     * kind that shows the cause; or else the time of the evidence, or the longest stall.
     */
    Optional<Interval> focus() {
        Optional<Interval> sign =
                Optional.ofNullable(SIGNS.get(cause())).flatMap(this::longest).or(this::ringFull);
        return causalStall().isPresent() || sign.isEmpty() ? diagnosed.focus(document(), diagnosis.orElse(null)) : sign;
    }

    /** Returns the time around the deepest reading of the service's ring in which it was at least half as deep. */
    private Optional<Interval> ringFull() {
        SampleSeries ring = samples.of(RING);
        if (!cause().equals("slow-consumer") || ring.max() == 0) {
            return Optional.empty();
        }
        int deepest = 0;
        while (ring.value(deepest) < ring.max()) {
            deepest++;
        }
        int first = deepest;
        while (first > 0 && ring.value(first - 1) >= ring.max() / 2) {
            first--;
        }
        int last = deepest;
        while (last < ring.size() - 1 && ring.value(last) >= ring.max() / 2) {
            last++;
        }
        return Optional.of(new Interval(ring.timeNs(first), ring.timeNs(last)));
    }

    private Optional<Interval> longest(TimelineEventType type) {
        Interval counted = run.course().counted();
        return events(type).stream()
                .filter(event ->
                        event.process().equals(ProcessNames.SERVICE) || type == TimelineEventType.TRAFFIC_BURST)
                .filter(event -> counted == null || counted.contains(event.timeNs()))
                .map(event -> new Interval(event.timeNs(), Math.max(event.timeNs(), event.endNs())))
                .reduce((one, other) -> other.lengthNs() > one.lengthNs() ? other : one);
    }

    /** Returns the figures that people are told first; the command line prints the same. */
    KeyFigures keyFigures() {
        return KeyFigures.of(run, diagnosed, events(TimelineEventType.DATAGRAMS_DISCARDED));
    }

    /** Returns the diagnosed cause. */
    String cause() {
        return diagnosis
                .map(each -> each.named().cause())
                .orElse(document().finding().diagnosis());
    }

    List<TimelineEvent> events(TimelineEventType type) {
        return events.stream().filter(event -> event.type() == type).toList();
    }

    boolean hasSamples() {
        return !samples.isEmpty();
    }

    /** A device or a pipe may have no end. */
    private static boolean isThere(Path file) {
        return Files.isRegularFile(file) && Files.isReadable(file);
    }

    private static Path present(Path directory, String name, List<String> absent) {
        Path file = directory.resolve(name);
        if (!isThere(file)) {
            absent.add(name + ": this run has none");
        }
        return file;
    }

    private static List<TimelineEvent> timeline(Path file) {
        try {
            return TimelineReader.readWhole(file);
        } catch (DetectException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the content of a file; empty if the file does not exist or contains {@code null}. */
    private static <T> Optional<T> document(Path file, Class<T> type) {
        if (!isThere(file)) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(Json.read(file, type));
        } catch (UncheckedIOException e) {
            throw new InputException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static List<FaultStackRecord> listOf(FaultStackRecord[] stacks) {
        return Arrays.stream(stacks).filter(Objects::nonNull).toList();
    }
}
