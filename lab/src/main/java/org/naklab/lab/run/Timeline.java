package org.naklab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.process.Json;

/** Writes what happened to {@code timeline.jsonl}: one event a line, times on CLOCK_MONOTONIC. Thread-safe. */
final class Timeline implements AutoCloseable {
    private static final Set<String> TYPES =
            Set.of("RATE_LIMIT_HIT", "WAKE_FAILED", "YIELDED", "SYMBOL_BOUND", "STALL");

    private final BufferedWriter writer;

    Timeline(Path file) {
        try {
            writer = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the timeline " + file, e);
        }
    }

    /** Takes what belongs on the timeline of what a child reports, and says whether this does. */
    synchronized boolean accept(ChildEvent event) {
        if (!TYPES.contains(event.event())) {
            return false;
        }
        ObjectNode details = event.details().deepCopy();
        JsonNode thread = details.path("thread");
        details.remove(java.util.List.of("event", "atNs", "thread"));
        ObjectNode line = Json.object()
                .put("timeNs", event.atNs())
                .put("type", event.event())
                .put("process", event.process())
                .put("thread", thread.asText());
        line.set("details", details);
        try {
            writer.write(Json.line(line));
            writer.newLine();
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the timeline", e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the timeline", e);
        }
    }
}
