package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.naklab.lab.core.timeline.DetectException;

/** Parses the lines of {@code naklab-kernel}: records and the program's own messages. */
final class RecordParser {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final Map<String, Class<?>> TYPES = Map.of(
            "absence", Absence.class,
            "spell", BusySpell.class,
            "fault", PageFaultSpan.class,
            "drops", DatagramDrops.class,
            "life", ProcessLife.class,
            "lost", LostRecords.class,
            "ready", Ready.class,
            "added", Added.class,
            "unavailable", Unavailable.class,
            "end", End.class);

    private RecordParser() {}

    /** Says that the programs are attached; {@code faults} whether the kernel has tracepoints of page faults. */
    record Ready(long timeNs, boolean faults) {}

    /** Says that a process is followed; no threads: there is none. */
    record Added(long pid, int threads, boolean faults) {}

    /** Says why nothing can be recorded. */
    record Unavailable(String reason) {}

    /** Says that the program ends as it was told. */
    record End(long timeNs) {}

    /**
     * Parses one line.
     *
     * @return a {@link KernelRecord}, or one of the messages above
     * @throws DetectException it is no such line
     */
    static Object parse(String line) {
        try {
            JsonNode node = MAPPER.readTree(line);
            Class<?> type = TYPES.get(node.path("type").asText());
            if (type == null) {
                throw new DetectException("the kernel recorder reports something unknown: " + line);
            }
            return MAPPER.treeToValue(node, type);
        } catch (JsonProcessingException e) {
            throw new DetectException(
                    "cannot parse a line of the kernel recorder: " + e.getOriginalMessage() + ": " + line, e);
        }
    }
}
