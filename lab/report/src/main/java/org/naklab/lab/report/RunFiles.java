package org.naklab.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;

/**
 * What a run's directory holds, as far as it is there.
 *
 * @param run {@code run.json}
 * @param diagnosis {@code diagnosis.json}, or a missing node
 * @param faultStacks {@code fault-stacks.json}, or a missing node
 * @param absent what a report would want and the directory has not, each one line
 */
record RunFiles(
        Path directory,
        JsonNode run,
        JsonNode diagnosis,
        JsonNode faultStacks,
        List<Event> events,
        Samples samples,
        List<String> absent) {
    /** @throws LabException there is no {@code run.json}, or a file of the run is damaged */
    static RunFiles read(Path directory) {
        if (!Files.isReadable(directory.resolve("run.json"))) {
            throw new LabException("no run in " + directory + ": it has no run.json");
        }
        List<String> absent = new ArrayList<>();
        JsonNode diagnosis = document(directory, "diagnosis.json", absent);
        Path timeline = present(directory, "timeline.jsonl", absent);
        Path samples = present(directory, "samples.csv.gz", absent);
        JsonNode faultStacks = document(directory, "fault-stacks.json", new ArrayList<>());
        return new RunFiles(
                directory,
                document(directory, "run.json", absent),
                diagnosis,
                faultStacks,
                isThere(timeline) ? Event.read(timeline) : List.of(),
                isThere(samples) ? Samples.read(samples) : Samples.NONE,
                List.copyOf(absent));
    }

    List<Event> events(String type) {
        return events.stream().filter(event -> event.type().equals(type)).toList();
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

    private static JsonNode document(Path directory, String name, List<String> absent) {
        Path file = present(directory, name, absent);
        if (!isThere(file)) {
            return MissingNode.getInstance();
        }
        try {
            return Json.read(file, JsonNode.class);
        } catch (UncheckedIOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
