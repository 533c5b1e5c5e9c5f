package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;

/** Parses the lines of {@code naklab-kernel}: records and the program's own messages. */
final class RecordParser {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .registerModule(new SimpleModule().addDeserializer(String.class, new SharedTexts()));

    /** Keeps one copy of each text: a run keeps the stacks of thousands of records, which have the same functions in them. */
    private static final class SharedTexts extends StdScalarDeserializer<String> {
        private static final long serialVersionUID = 1L;

        SharedTexts() {
            super(String.class);
        }

        @Override
        public @Nullable String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            String text = StringDeserializer.instance.deserialize(parser, context);
            return text == null ? null : text.intern();
        }
    }

    private static final Map<String, ObjectReader> READERS = Map.ofEntries(
            Map.entry("absence", MAPPER.readerFor(Absence.class)),
            Map.entry("spell", MAPPER.readerFor(BusySpell.class)),
            Map.entry("fault", MAPPER.readerFor(PageFaultSpan.class)),
            Map.entry("interrupt", MAPPER.readerFor(KernelRecord.Interrupt.class)),
            Map.entry("steal", MAPPER.readerFor(KernelRecord.Steal.class)),
            Map.entry("waits", MAPPER.readerFor(KernelRecord.ShortWaits.class)),
            Map.entry("reclaim", MAPPER.readerFor(KernelRecord.Reclaim.class)),
            Map.entry("sample", MAPPER.readerFor(KernelRecord.Sample.class)),
            Map.entry("shared", MAPPER.readerFor(KernelRecord.Shared.class)),
            Map.entry("drops", MAPPER.readerFor(DatagramRecord.Drops.class)),
            Map.entry("arrivals", MAPPER.readerFor(DatagramRecord.Arrivals.class)),
            Map.entry("deliveries", MAPPER.readerFor(KernelRecord.Deliveries.class)),
            Map.entry("receipts", MAPPER.readerFor(KernelRecord.Receipts.class)),
            Map.entry("gap", MAPPER.readerFor(DatagramRecord.Gap.class)),
            Map.entry("life", MAPPER.readerFor(ProcessLife.class)),
            Map.entry("lost", MAPPER.readerFor(LostRecords.class)),
            Map.entry("alive", MAPPER.readerFor(KernelRecord.Alive.class)),
            Map.entry("ready", MAPPER.readerFor(Ready.class)),
            Map.entry("added", MAPPER.readerFor(Added.class)),
            Map.entry("resolved", MAPPER.readerFor(Resolved.class)),
            Map.entry("unavailable", MAPPER.readerFor(Unavailable.class)),
            Map.entry("end", MAPPER.readerFor(End.class)));

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
     * Parses one line, whose first key is {@code type}.
     *
     * @return a {@link KernelRecord}, or one of the messages above
     * @throws DetectException it is no such line
     */
    static Object parse(String line) {
        try (JsonParser parser = MAPPER.createParser(line)) {
            ObjectReader reader = parser.nextToken() == JsonToken.START_OBJECT && "type".equals(parser.nextFieldName())
                    ? READERS.get(String.valueOf(parser.nextTextValue()))
                    : null;
            if (reader == null) {
                throw new DetectException("the kernel recorder reports something unknown: " + line);
            }
            // It reads on from the first field: of records that come a hundred times a second none is read twice.
            parser.nextToken();
            return reader.readValue(parser);
        } catch (JsonProcessingException e) {
            throw new DetectException(
                    "cannot parse a line of the kernel recorder: " + e.getOriginalMessage() + ": " + line, e);
        } catch (IOException e) {
            throw new UncheckedIOException("a text cannot be read", e);
        }
    }
}
