package org.naklab.lab.core;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The lab's one way to write and read JSON. */
public final class Json {
    /** An event's line carries more than the record that is read out of it. */
    private static final ObjectMapper LINES = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** What is asked for must be understood as a whole. */
    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private static final ObjectMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

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

    /** Writes a value on one line. */
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

    /**
     * Reads a whole document.
     *
     * @throws IOException when it is no JSON
     */
    public static JsonNode parse(byte[] document) throws IOException {
        return LINES.readTree(document);
    }

    public static <T> T read(Path file, Class<T> type) {
        try {
            return LINES.readValue(file.toFile(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads what somebody asks for.
     *
     * @throws JsonProcessingException when it is no JSON, or has properties that the type has not
     */
    public static <T> T strictly(String text, Class<T> type) throws JsonProcessingException {
        T value = STRICT.readValue(text, type);
        if (value == null) {
            throw new JsonParseException(null, "nothing is asked for");
        }
        return value;
    }

    /** Reads a whole document that stands on one line. */
    public static <T> T fromLine(String line, Class<T> type) {
        try {
            return LINES.readValue(line, type);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("invalid configuration: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Writes a file that only its owner can read.
     *
     * @throws UncheckedIOException when there is one already, or it cannot be written
     */
    public static void writePrivately(Path file, Object value) {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(pretty(value) + "\n");
        try (SeekableByteChannel channel = Files.newByteChannel(file, options, OWNER_ONLY)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e, e);
        }
    }

    /**
     * Writes a document as {@link OutputFile#replace} does.
     *
     * @throws UncheckedIOException it cannot be written; what the file was before it is still
     */
    public static void write(Path file, Object value) {
        try {
            OutputFile.replace(file, pretty(value) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
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
