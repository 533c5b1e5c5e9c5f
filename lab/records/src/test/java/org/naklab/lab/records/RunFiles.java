package org.naklab.lab.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.naklab.lab.core.Json;

/** Gives tests the {@code run.json} of a run, which they may change. */
final class RunFiles {
    private RunFiles() {}

    /** Returns a copy of the document; it has every key. */
    static ObjectNode run() {
        try (InputStream document =
                Objects.requireNonNull(RunFiles.class.getResourceAsStream("run.json"), "run.json")) {
            return (ObjectNode) Json.parse(document.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns an object in it. */
    static ObjectNode at(JsonNode document, String pointer) {
        return (ObjectNode) document.requiredAt(pointer);
    }
}
