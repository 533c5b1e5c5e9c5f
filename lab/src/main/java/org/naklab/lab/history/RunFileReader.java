package org.naklab.lab.history;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.Json;

/** Reads {@code run.json}, and {@code diagnosis.json} where there is one, into what the history keeps. */
public final class RunFileReader {
    private static final String UNKNOWN = "unknown";
    private static final String SERVICE = "SERVICE";

    private final Path directory;
    private final JsonNode run;

    private RunFileReader(Path directory, JsonNode run) {
        this.directory = directory;
        this.run = run;
    }

    /**
     * The entry of one run.
     *
     * @throws HistoryException the directory is not that of a finished run; the message has its path
     */
    public static HistoryEntry read(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        RunFileReader reader = new RunFileReader(absolute, document(absolute, "run.json"));
        return new HistoryEntry(reader.row(), reader.stalls());
    }

    private static JsonNode document(Path directory, String name) {
        Path file = directory.resolve(name);
        if (!Files.isReadable(file)) {
            throw new HistoryException("no run in " + directory + ": it has no " + name);
        }
        try {
            return Json.read(file, JsonNode.class);
        } catch (UncheckedIOException e) {
            throw new HistoryException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private RunRow row() {
        JsonNode environment = run.path("environment");
        return new RunRow(
                environment.path("host").asText(UNKNOWN),
                run.path("runDirectory").asText(directory.toString()),
                run.path("startedUtc").asText("1970-01-01T00:00:00.000Z"),
                new RunCase(
                        text("scenario"),
                        text("fidelity"),
                        text("remedy"),
                        text("profile"),
                        run.path("seed").asLong()),
                new RunFinding(text("verdict"), text("diagnosis"), confidence()),
                figures(),
                hostFacts(environment));
    }

    private String text(String key) {
        return run.path(key).asText(UNKNOWN);
    }

    private @Nullable String confidence() {
        if (!Files.isReadable(directory.resolve("diagnosis.json"))) {
            return null;
        }
        return document(directory, "diagnosis.json").path("confidence").asText(null);
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
            stalls.add(new StallRow(
                    stall.path("process").asText(UNKNOWN),
                    stall.path("thread").asText(),
                    epochOffsetNs.isNumber()
                            ? epochOffsetNs.asLong() + stall.path("atNs").asLong()
                            : null,
                    stall.path("durationMs").asDouble(),
                    stall.path("majorFaults").asLong(-1),
                    stall.path("cause").asText(UNKNOWN)));
        }
        return stalls;
    }

    private static HostFacts hostFacts(JsonNode environment) {
        return new HostFacts(
                environment.path("naklab").asText(UNKNOWN),
                environment.path("jdk").asText(UNKNOWN),
                environment.path("kernel").asText(UNKNOWN),
                environment.path("architecture").asText(UNKNOWN),
                environment.path("processor").asText(UNKNOWN),
                environment.path("cores").asInt(),
                environment.path("memoryBytes").asLong());
    }
}
