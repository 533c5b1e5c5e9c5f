package org.naklab.lab.cli.bundle;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Redacts documents of JSON by the names of their fields, and each text in them; what was JSON is JSON afterwards. One thread. */
final class JsonRedaction {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** The field beside which {@code value} holds what it names, as in the environment of a container. */
    private static final Pattern NAMING = Pattern.compile("(?i)name|key|variable|option");

    private static final Pattern NAMED = Pattern.compile("(?i)value|content");
    private static final Pattern OPTION = Pattern.compile("--?[\\w.-]{1,64}");

    private static final int MAX_ARGUMENT = 1 << 12;

    /** A longer text in a document is cut. */
    private static final int MAX_TEXT = 1 << 16;

    private final Redactor redactor;
    private final int depth;
    private final Deque<Level> levels = new ArrayDeque<>();

    /** An object or an array that is read. */
    private static final class Level {
        private final boolean isArray;
        /** Name of a secret, if all that is in here is part of it. */
        private final @Nullable String secretName;

        private String field = "";
        /** What the last text of an array, or the text of a naming field, says about the one after it. */
        private String naming = "";
        /** What an array runs, if it is a command. */
        private String program = "";

        Level(boolean isArray, @Nullable String secretName) {
            this.isArray = isArray;
            this.secretName = secretName;
        }
    }

    /** @param depth number of texts that hold this document as a text */
    JsonRedaction(Redactor redactor, int depth) {
        this.redactor = redactor;
        this.depth = depth;
    }

    /**
     * Redacts documents one after the other.
     *
     * @param isIndented whether a document has several lines
     * @throws JsonProcessingException this is no JSON
     */
    void redact(InputStream in, OutputStream out, boolean isIndented) throws IOException {
        try (JsonParser parser = FACTORY.createParser(in).disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
                JsonGenerator generator =
                        FACTORY.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
            generator.setPrettyPrinter(isIndented ? new DefaultPrettyPrinter() : new MinimalPrettyPrinter("\n"));
            copy(parser, generator);
            generator.writeRaw('\n');
        }
    }

    /** As {@link #redact(InputStream, OutputStream, boolean)} does, with a document on one line. */
    String redact(String document) throws JsonProcessingException {
        StringWriter out = new StringWriter();
        try (JsonParser parser = FACTORY.createParser(document);
                JsonGenerator generator = FACTORY.createGenerator(out)) {
            copy(parser, generator);
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    private void copy(JsonParser parser, JsonGenerator generator) throws IOException {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            switch (token) {
                case START_OBJECT -> {
                    levels.push(new Level(false, secretName()));
                    generator.writeStartObject();
                }
                case START_ARRAY -> {
                    levels.push(new Level(true, secretName()));
                    generator.writeStartArray();
                }
                case END_OBJECT -> {
                    levels.pop();
                    generator.writeEndObject();
                }
                case END_ARRAY -> {
                    levels.pop();
                    generator.writeEndArray();
                }
                case FIELD_NAME -> {
                    level().field = parser.currentName();
                    generator.writeFieldName(text(parser.currentName()));
                }
                case VALUE_STRING -> generator.writeString(value(parser.getText()));
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText(), generator);
                default -> generator.copyCurrentEvent(parser);
            }
        }
    }

    private Level level() {
        return levels.getFirst();
    }

    /** Returns the name of the secret that the next value belongs to; null if it belongs to none. */
    private @Nullable String secretName() {
        if (levels.isEmpty()) {
            return null;
        }
        Level level = level();
        if (level.secretName != null) {
            return level.secretName;
        }
        String name = level.isArray || NAMED.matcher(level.field).matches() ? level.naming : level.field;
        return SecretPatterns.isSecretName(name) ? name : null;
    }

    /** A number stays one, unless it is a password. */
    private void number(String number, JsonGenerator generator) throws IOException {
        String name = secretName();
        if (name == null || SecretPatterns.isNoSecret(name, number)) {
            generator.writeNumber(number);
        } else {
            generator.writeString(redactor.secret(number, "name"));
        }
    }

    private String value(String value) {
        String name = secretName();
        String before = command();
        if (!levels.isEmpty()) {
            name(value);
        }
        if (name == null && !before.isEmpty() && value.length() <= MAX_ARGUMENT) {
            String redacted = SecretPatterns.replace(before + value, redactor::secret);
            return text(redacted.startsWith(before) ? redacted.substring(before.length()) : value);
        }
        if (name != null) {
            return SecretPatterns.isNoSecret(name, value) ? value : redactor.secret(value, "name");
        }
        return text(value);
    }

    /** Returns what stands before the next text of an array, if that is the arguments of a command. */
    private String command() {
        return levels.isEmpty() || level().program.isEmpty()
                ? ""
                : level().program + ' ' + (level().naming.isEmpty() ? "" : level().naming + ' ');
    }

    private static String lastName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private void name(String value) {
        Level level = level();
        if (level.isArray) {
            level.program = level.program.isEmpty() ? lastName(value) : level.program;
            level.naming = OPTION.matcher(value).matches() ? value : "";
        } else if (NAMING.matcher(level.field).matches()) {
            level.naming = value;
        } else {
            redactor.learnField(level.field, value);
        }
    }

    private String text(String text) {
        return text.length() <= MAX_TEXT
                ? redactor.text(text, depth)
                : redactor.text(text.substring(0, MAX_TEXT), depth) + " (" + (text.length() - MAX_TEXT)
                        + " characters were cut)";
    }
}
