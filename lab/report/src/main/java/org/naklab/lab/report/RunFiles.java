package org.naklab.lab.report;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.runs.record.DiagnosedStalls;
import org.naklab.lab.runs.record.DiagnosisRecord;
import org.naklab.lab.runs.record.FaultStackRecord;
import org.naklab.lab.runs.record.KeyFigures;
import org.naklab.lab.runs.record.RunDocument;
import org.naklab.lab.runs.record.RunRecord;
import org.naklab.lab.runs.record.Stall;

/**
 * The files of a run directory, as far as they exist.
 *
 * @param run {@code run.json}
 * @param diagnosis {@code diagnosis.json}
 * @param diagnosed the stalls and causes that {@code diagnosis.json} names
 * @param faultStacks {@code fault-stacks.json}
 * @param absent what a report would want and the directory has not, each one line
 */
record RunFiles(
        Path directory,
        RunRecord run,
        Optional<DiagnosisRecord> diagnosis,
        DiagnosedStalls diagnosed,
        List<FaultStackRecord> faultStacks,
        List<TimelineEvent> events,
        Samples samples,
        List<String> absent) {
    /** @throws LabException there is no {@code run.json}, or a file of the run is damaged */
    static RunFiles read(Path directory) {
        Path run = directory.resolve(RunRecord.NAME);
        if (!Files.isReadable(run)) {
            throw new LabException("no run in " + directory + ": it has no " + RunRecord.NAME);
        }
        List<String> absent = new ArrayList<>();
        Optional<DiagnosisRecord> diagnosis =
                document(present(directory, DiagnosisRecord.NAME, absent), DiagnosisRecord.class);
        RunRecord runRecord = document(run, RunRecord.class)
                .orElseThrow(() -> new LabException("cannot read " + run + ": no record"));
        String window = runRecord.isOfWatch() ? "window-" : "";
        Path timeline = present(directory, window + "timeline.jsonl", absent);
        Path samples = present(directory, window + "samples.csv.gz", absent);
        return new RunFiles(
                directory,
                runRecord,
                diagnosis,
                document(directory.resolve(DiagnosisRecord.NAME), DiagnosedStalls.class)
                        .orElse(DiagnosedStalls.NONE),
                document(directory.resolve(FaultStackRecord.NAME), FaultStackRecord[].class)
                        .map(RunFiles::listOf)
                        .orElse(List.of()),
                isThere(timeline) ? timeline(timeline) : List.of(),
                isThere(samples) ? Samples.read(samples) : Samples.NONE,
                List.copyOf(absent));
    }

    RunDocument document() {
        return run.document();
    }

    /** Returns the stall that matters. */
    Optional<Stall> mainStall() {
        return diagnosed.main(document());
    }

    /** Returns the time that the diagnosis is about: the stall that matters, or the time of its evidence. */
    Optional<Interval> focus() {
        return diagnosed.focus(document(), diagnosis.orElse(null));
    }

    /** Returns the figures that people are told first; the command line prints the same. */
    KeyFigures keyFigures() {
        return KeyFigures.of(run, diagnosed, events(TimelineEventType.DATAGRAMS_DISCARDED));
    }

    /** Returns the diagnosed cause. */
    String cause() {
        return diagnosis.map(DiagnosisRecord::cause).orElse(document().diagnosis());
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
            throw new LabException(String.valueOf(e.getMessage()), e);
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
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static List<FaultStackRecord> listOf(FaultStackRecord[] stacks) {
        return Arrays.stream(stacks).filter(Objects::nonNull).toList();
    }
}
