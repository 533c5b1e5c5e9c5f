package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads {@code timeline.jsonl} back, in order of time; events of one time stay in the order of writing. */
public final class TimelineReader {
    private static final ObjectReader READER = new ObjectMapper()
            .readerFor(TimelineEvent.class)
            .with(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    /** An event of another version may have more keys. */
    private static final ObjectReader ANY_VERSION = READER.without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private TimelineReader() {}

    /**
     * Reads all events of a file.
     *
     * @throws DetectException the file cannot be read, or a line is not an event; the message has the line's number
     */
    public static List<TimelineEvent> read(Path file) {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            return read(reader, file.toString());
        } catch (IOException e) {
            throw new DetectException("cannot read timeline " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads all events of a text.
     *
     * @param name of the text, for messages
     * @throws DetectException a line is not an event; the message has the line's number
     * @throws IOException the text cannot be read
     */
    public static List<TimelineEvent> read(BufferedReader reader, String name) throws IOException {
        List<TimelineEvent> events = new ArrayList<>();
        int lineNumber = 0;
        try {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lineNumber++;
                events.add(READER.readValue(line));
            }
        } catch (JsonProcessingException e) {
            throw new DetectException(
                    "timeline " + name + " line " + lineNumber + " is not an event: " + e.getOriginalMessage(), e);
        }
        events.sort(Comparator.comparingLong(TimelineEvent::timeNs));
        return events;
    }

    /**
     * Reads all that is whole in a file of any version: a line that is no event, such as the last one of a killed run, is left out.
     *
     * @throws DetectException the file cannot be read
     */
    public static List<TimelineEvent> readWhole(Path file) {
        List<TimelineEvent> events = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                event(line).ifPresent(events::add);
            }
        } catch (IOException e) {
            throw new DetectException("cannot read timeline " + file + ": " + e.getMessage(), e);
        }
        events.sort(Comparator.comparingLong(TimelineEvent::timeNs));
        return events;
    }

    private static Optional<TimelineEvent> event(String line) {
        try {
            return Optional.ofNullable(ANY_VERSION.readValue(line));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
