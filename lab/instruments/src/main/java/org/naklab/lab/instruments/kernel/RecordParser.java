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

    private static final Map<String, Class<?>> TYPES = Map.ofEntries(
            Map.entry("absence", Absence.class),
            Map.entry("spell", BusySpell.class),
            Map.entry("fault", PageFaultSpan.class),
            Map.entry("drops", DatagramRecord.Drops.class),
            Map.entry("arrivals", DatagramRecord.Arrivals.class),
            Map.entry("gap", DatagramRecord.Gap.class),
            Map.entry("life", ProcessLife.class),
            Map.entry("lost", LostRecords.class),
            Map.entry("ready", Ready.class),
            Map.entry("added", Added.class),
            Map.entry("resolved", Resolved.class),
            Map.entry("unavailable", Unavailable.class),
            Map.entry("end", End.class));

    private RecordParser() {}

    /** Says that the programs are attached; {@code faults} whether the kernel has tracepoints of page faults. */
    record Ready(long timeNs, boolean faults) {}

    /** Says that a process is followed; no threads: there is none. */
    record Added(long pid, int threads, boolean faults) {}

    /** Says whether a function has a name. */
    record Resolved(boolean found) {}

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
