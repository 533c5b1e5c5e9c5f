package org.naklab.lab.workshop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.naklab.lab.cases.CaseDocument;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.report.Samples;
import org.naklab.lab.workshop.seal.EventNames;
import org.naklab.lab.workshop.seal.Redaction;
import org.naklab.lab.workshop.seal.Seal;

/**
 * A trainee's copy of a case: its evidence without the names of the injector, with times since its begin, and beside it the sealed truth. Its files have
 * other names than those of a case, so that the lab does not judge it by accident.
 */
public final class SealedCase {
    static final String EVENTS = "events.jsonl.gz";
    static final String SAMPLES = "samples.csv.gz";
    static final String SEALED = "sealed.bin";

    private static final String TIMELINE_OF_CASE = "timeline.jsonl.gz";
    private static final List<String> SAMPLES_OF_CASE =
            List.of("samples.csv.gz", "window-samples.csv.gz", "readings.csv.gz");
    /** Details that are a time and no length. */
    private static final Set<String> TIMES = Set.of(
            "timeNs", "endNs", "beganNs", "seenNs", "detectedNs", "earliestNs", "grownNs", "peakNs", "firstNakNs");

    private static final String LIVE = "a run of this machine, made like that recorded case. ";

    private static final long NEAR_NS = 3_600_000_000_000L;

    /**
     * Evidence as the trainee has it.
     *
     * @param zeroNs begin of the case, CLOCK_MONOTONIC; 0 for a case that is read back
     */
    public record Content(Facts facts, List<CaseEvent> events, List<String> samples, long zeroNs) {
        public Content {
            events = List.copyOf(events);
            samples = List.copyOf(samples);
        }
    }

    private record Sources(Content content, List<String> eventLines) {}

    private SealedCase() {}

    private static AnswerKey key(Path directory, Content content, Path like) {
        try (CaseReader reader = CaseReader.open(directory)) {
            Judgement judgement = Judgement.of(reader.read(), reader.truth());
            Expected expected = Json.read(like.resolve(Expected.NAME), Expected.class);
            boolean isRecorded = directory.equals(like);
            return new KeyMaker(
                            content,
                            judgement,
                            isRecorded ? expected : Expected.of(LIVE + expected.about(), judgement.diagnosis()),
                            reader.truth())
                    .make(String.valueOf(like.getFileName()));
        }
    }

    /**
     * Writes the copy of a recorded case.
     *
     * @return the hash of what is sealed
     */
    public static String write(Path source, Path target, Seal seal, String... words) {
        return write(source, source, target, seal, words);
    }

    /**
     * Writes the copy of a case that was made like a recorded one.
     *
     * @param like directory of the recorded case
     * @return the hash of what is sealed
     */
    static String write(Path source, Path like, Path target, Seal seal, String... words) {
        Sources sources = sources(source);
        AnswerKey key = key(source, sources.content(), like);
        byte[] sealed = seal.close(Json.line(key).getBytes(StandardCharsets.UTF_8), words);
        try {
            Files.createDirectories(target);
            compress(target.resolve(EVENTS), sources.eventLines());
            compress(target.resolve(SAMPLES), sources.content().samples());
            Json.write(target.resolve(Facts.NAME), sources.content().facts());
            Files.write(target.resolve(SEALED), sealed);
        } catch (IOException e) {
            throw new UncheckedIOException("the case cannot be written: " + e, e);
        }
        return Seal.sha256(sealed);
    }

    /**
     * Reads the copy of a case.
     *
     * @throws InputException it is damaged
     */
    public static Content read(Path directory) {
        try {
            return new Content(
                    Json.read(directory.resolve(Facts.NAME), Facts.class),
                    events(lines(directory.resolve(EVENTS))),
                    lines(directory.resolve(SAMPLES)),
                    0);
        } catch (IOException | UncheckedIOException e) {
            throw new InputException("the case in " + directory + " is damaged: start the unit again", e);
        }
    }

    /**
     * Reads the events of the copy of a case as those of a timeline, by time.
     *
     * @throws InputException it is damaged
     */
    public static List<TimelineEvent> timeline(Path directory) {
        try {
            List<TimelineEvent> events = new ArrayList<>();
            for (String line : lines(directory.resolve(EVENTS))) {
                ObjectNode event = (ObjectNode) Json.parse(line);
                event.put("type", EventNames.typeOf(event.path("type").asText()).name());
                events.add(Json.value(event, TimelineEvent.class));
            }
            events.sort(Comparator.comparingLong(TimelineEvent::timeNs));
            return events;
        } catch (IOException | UncheckedIOException e) {
            throw new InputException("the case in " + directory + " is damaged: start the unit again", e);
        }
    }

    /**
     * Reads the samples of the copy of a case.
     *
     * @throws InputException they are damaged
     */
    public static Samples samples(Path directory) {
        Path file = directory.resolve(SAMPLES);
        try {
            return Samples.read(Files.newInputStream(file), file.toString());
        } catch (IOException e) {
            throw new InputException("the case in " + directory + " is damaged: start the unit again", e);
        }
    }

    /**
     * Opens what is sealed beside the copy of a case.
     *
     * @throws InputException it is damaged, was changed, or is of another workshop
     */
    public static AnswerKey open(Path directory, Seal seal, String... words) {
        try {
            return Json.value(Json.parse(seal.open(directory.resolve(SEALED), words)), AnswerKey.class);
        } catch (IOException | UncheckedIOException e) {
            throw new InputException(
                    "the case in " + directory
                            + " is damaged, or of another version: start the unit again with --again",
                    e);
        }
    }

    private static Sources sources(Path directory) {
        try {
            CaseDocument document = Json.read(directory.resolve(CaseDocument.NAME), CaseDocument.class);
            long zeroNs = document.clock().counted().beginNs();
            List<String> eventLines = new ArrayList<>();
            for (String line : lines(directory.resolve(TIMELINE_OF_CASE))) {
                JsonNode event = Json.parse(Redaction.of(line));
                shift(event, zeroNs);
                ((ObjectNode) event)
                        .put(
                                "type",
                                EventNames.of(TimelineEventType.valueOf(
                                        event.path("type").asText())));
                eventLines.add(Json.line(event));
            }
            Content content = new Content(facts(document), events(eventLines), samples(directory, zeroNs), zeroNs);
            return new Sources(content, eventLines);
        } catch (IOException | UncheckedIOException e) {
            throw new InputException("the case " + directory + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Facts facts(CaseDocument document) {
        List<Facts.Receiver> receivers = new ArrayList<>();
        for (CaseDocument.Receiver receiver : document.counters().receivers()) {
            Map<String, Long> counters = new TreeMap<>();
            counters.put("received", receiver.counters().events().received());
            counters.put("missing", receiver.counters().events().missing());
            counters.put("naks-sent", receiver.counters().losses().naksSent());
            counters.put("dropped", receiver.counters().losses().datagramsDropped());
            counters.put("ring-full", receiver.counters().losses().ringFull());
            counters.put("overruns", receiver.counters().losses().overruns());
            counters.put("lost-on-the-way-bytes", receiver.counters().losses().lostOnTheWayBytes());
            receivers.add(new Facts.Receiver(receiver.counters().name(), counters));
        }
        Map<String, Long> maxima = new HashMap<>();
        document.counters().maxima().forEach((name, value) -> maxima.put(Redaction.of(name.toString()), value));
        return new Facts(
                document.subject().suspect(),
                document.subject().ports(),
                document.clock().counted().lengthNs(),
                receivers,
                maxima);
    }

    private static List<CaseEvent> events(List<String> lines) throws IOException {
        List<CaseEvent> events = new ArrayList<>();
        for (String line : lines) {
            events.add(CaseEvent.of(events.size() + 1, Json.parse(line)));
        }
        return events;
    }

    /** Takes the begin of the case off all times near it, wherever they stand. */
    private static void shift(JsonNode node, long zeroNs) {
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                JsonNode value = object.get(name);
                if (value.isIntegralNumber() && Math.abs(value.asLong() - zeroNs) < NEAR_NS && TIMES.contains(name)) {
                    object.set(name, LongNode.valueOf(value.asLong() - zeroNs));
                } else {
                    shift(value, zeroNs);
                }
            }
        } else if (node instanceof ArrayNode array) {
            array.forEach(each -> shift(each, zeroNs));
        }
    }

    private static List<String> samples(Path directory, long zeroNs) throws IOException {
        List<String> shifted = new ArrayList<>(List.of("time_ns,series,value"));
        for (String name : SAMPLES_OF_CASE) {
            Path file = directory.resolve(name);
            if (Files.isRegularFile(file)) {
                for (String line : lines(file)) {
                    int comma = line.indexOf(',');
                    if (comma > 0 && Character.isDigit(line.charAt(0))) {
                        long timeNs = Long.parseLong(line.substring(0, comma)) - zeroNs;
                        shifted.add(timeNs + Redaction.of(line.substring(comma)));
                    }
                }
                return shifted;
            }
        }
        return shifted;
    }

    private static List<String> lines(Path file) throws IOException {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return in.lines().toList();
        }
    }

    private static void compress(Path file, List<String> lines) throws IOException {
        try (Writer out = new BufferedWriter(
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
            for (String line : lines) {
                out.write(line);
                out.write('\n');
            }
        }
    }
}
