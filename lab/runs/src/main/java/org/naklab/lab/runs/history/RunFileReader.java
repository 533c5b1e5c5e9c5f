package org.naklab.lab.runs.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.RegularFile;

/** Reads {@code run.json}, and {@code diagnosis.json} where there is one, into what the history keeps. */
public final class RunFileReader {
    /** A run's record. */
    public static final String NAME = "run.json";
    /** Larger than any record or diagnosis. */
    public static final int MAX_BYTES = 16 << 20;

    /** What the run was found to show. */
    public static final String DIAGNOSIS = "diagnosis.json";
    /** Of a name, such as a scenario's. */
    private static final int MAX_TEXT_CHARS = 200;

    private static final int MAX_PATH_CHARS = 4_096;
    private static final int MAX_REASON_CHARS = 1_000;
    private static final int MAX_STALLS = 10_000;
    private static final String UNKNOWN = "unknown";
    private static final String SERVICE = "SERVICE";

    private final Path directory;
    private final JsonNode run;
    private final JsonNode diagnosis;

    private RunFileReader(Path directory, JsonNode run, JsonNode diagnosis) {
        this.directory = directory.toAbsolutePath().normalize();
        this.run = run;
        this.diagnosis = diagnosis;
    }

    /**
     * The entry of one run.
     *
     * @throws HistoryException the directory is not that of a finished run; the message has its path
     */
    public static HistoryEntry read(Path directory) {
        byte[] run = bytes(directory, NAME);
        if (run == null) {
            throw new HistoryException("no run in " + directory.toAbsolutePath().normalize() + ": it has no " + NAME);
        }
        return of(directory, run, bytes(directory, DIAGNOSIS));
    }

    /**
     * The entry of one run, from its files' contents.
     *
     * @param run {@code run.json}, or {@code started.json} of a run that left no other
     * @param diagnosis {@code diagnosis.json}; {@code null}: the run has none
     * @throws HistoryException they are not what they should be
     */
    public static HistoryEntry of(Path directory, byte[] run, byte @Nullable [] diagnosis) {
        JsonNode record = document(directory, NAME, run);
        return of(
                directory,
                record,
                diagnosis == null ? MissingNode.getInstance() : document(directory, DIAGNOSIS, diagnosis));
    }

    /** The entry of one run, from its record, which need not have been written. */
    public static HistoryEntry of(Path directory, JsonNode run) {
        return of(directory, run, MissingNode.getInstance());
    }

    private static HistoryEntry of(Path directory, JsonNode run, JsonNode diagnosis) {
        RunFileReader reader = new RunFileReader(directory, run, diagnosis);
        return new HistoryEntry(reader.row(), reader.stalls());
    }

    private static byte @Nullable [] bytes(Path directory, String name) {
        try {
            return RegularFile.read(directory.resolve(name), MAX_BYTES);
        } catch (NoSuchFileException | AccessDeniedException e) {
            return null;
        } catch (IOException e) {
            throw new HistoryException("cannot read " + directory.resolve(name) + ": " + e.getMessage(), e);
        }
    }

    private static JsonNode document(Path directory, String name, byte[] content) {
        try {
            JsonNode document = Json.parse(content);
            if (document.isObject()) {
                return document;
            }
            throw new HistoryException(directory.resolve(name) + " is no record of a run");
        } catch (IOException e) {
            throw new HistoryException("cannot read " + directory.resolve(name) + ": " + e.getMessage(), e);
        }
    }

    private RunRow row() {
        JsonNode environment = run.path("environment");
        return new RunRow(
                text(environment, "host"),
                cut(run.path("runDirectory").asText(directory.toString()), MAX_PATH_CHARS),
                cut(run.path("startedUtc").asText("1970-01-01T00:00:00.000Z"), MAX_TEXT_CHARS),
                new RunCase(
                        text("scenario"),
                        text("fidelity"),
                        text("remedy"),
                        text("profile"),
                        run.path("seed").asLong()),
                new RunFinding(text("verdict"), text("diagnosis"), confidence(), reason()),
                figures(),
                hostFacts(environment));
    }

    private String text(String key) {
        return text(run, key);
    }

    private static String text(JsonNode from, String key) {
        return cut(from.path(key).asText(UNKNOWN), MAX_TEXT_CHARS);
    }

    /** A page or a table has a place for a word, and none for a book. Neither database keeps a character 0. */
    private static String cut(String text, int maxChars) {
        String kept = text.replace('\0', '?');
        return kept.length() <= maxChars ? kept : kept.substring(0, maxChars) + "…";
    }

    private @Nullable String confidence() {
        JsonNode confidence = diagnosis.path("confidence");
        return confidence.isTextual() ? cut(confidence.asText(), MAX_TEXT_CHARS) : null;
    }

    private @Nullable String reason() {
        if (!run.has("verdict")) {
            return "ended without a verdict";
        }
        JsonNode reason = run.path("reason");
        return reason.isTextual() ? cut(reason.asText(), MAX_REASON_CHARS) : null;
    }

    private RunFigures figures() {
        List<StallRow> stalls = stalls();
        return new RunFigures(
                run.path("messages").path("published").asLong(),
                run.path("naks").asLong(),
                serviceNaks(),
                run.path("datagramsDropped").asLong(),
                run.path("retransmits").asLong(),
                run.path("blockedSends").asLong(),
                run.path("maxSocketDepthBytes").asLong(),
                stalls.size(),
                stalls.stream().mapToDouble(StallRow::durationMs).max().orElse(0));
    }

    private @Nullable Long serviceNaks() {
        for (JsonNode subscriber : run.path("subscribers")) {
            if (subscriber.path("role").asText().equals(SERVICE)) {
                return subscriber.path("transport").path("naksSent").asLong();
            }
        }
        return null;
    }

    private List<StallRow> stalls() {
        JsonNode epochOffsetNs = run.path("epochOffsetNs");
        List<StallRow> stalls = new ArrayList<>();
        for (JsonNode stall : run.path("stalls")) {
            if (stalls.size() == MAX_STALLS) {
                break;
            }
            stalls.add(new StallRow(
                    text(stall, "process"),
                    cut(stall.path("thread").asText(), MAX_TEXT_CHARS),
                    epochOffsetNs.isNumber()
                            ? epochOffsetNs.asLong() + stall.path("atNs").asLong()
                            : null,
                    stall.path("durationMs").asDouble(),
                    stall.path("majorFaults").asLong(-1),
                    text(stall, "cause")));
        }
        return stalls;
    }

    private static HostFacts hostFacts(JsonNode environment) {
        return new HostFacts(
                text(environment, "naklab"),
                text(environment, "jdk"),
                text(environment, "kernel"),
                text(environment, "architecture"),
                text(environment, "processor"),
                environment.path("cores").asInt(),
                environment.path("memoryBytes").asLong());
    }
}
