package org.naklab.lab.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The lab's one way to write and read JSON. */
public final class Json {
    /** An event's line carries more than the record that is read out of it. */
    private static final ObjectMapper LINES = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final ObjectMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    public static ObjectNode object() {
        return LINES.createObjectNode();
    }

    public static <T extends JsonNode> T tree(Object value, Class<T> kind) {
        return kind.cast(LINES.valueToTree(value));
    }

    public static <T> T value(JsonNode tree, Class<T> type) {
        try {
            return LINES.treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** On one line. */
    public static String line(Object value) {
        return text(LINES, value);
    }

    public static String pretty(Object value) {
        return text(PRETTY, value);
    }

    /**
     * Reads one line.
     *
     * @throws JsonProcessingException when it is no JSON
     */
    public static JsonNode parse(String line) throws JsonProcessingException {
        return LINES.readTree(line);
    }

    public static <T> T read(Path file, Class<T> type) {
        try {
            return LINES.readValue(file.toFile(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a whole document that stands on one line. */
    public static <T> T fromLine(String line, Class<T> type) {
        try {
            return LINES.readValue(line, type);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(
                    "what came in place of a configuration is none: " + e.getOriginalMessage(), e);
        }
    }

    public static void write(Path file, Object value) {
        try {
            Files.writeString(file, pretty(value) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(ObjectMapper mapper, Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
