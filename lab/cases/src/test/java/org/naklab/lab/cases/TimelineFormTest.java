package org.naklab.lab.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.GcPause;
import org.naklab.lab.core.timeline.MemoryReclaim;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.Safepoint;
import org.naklab.lab.core.timeline.ShortWaits;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.ThreadSample;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** The lines of recorded timelines are written as they were read, and each typed kind is read into its record. */
@Timeout(120)
final class TimelineFormTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<TimelineEventType, Class<?>> RECORDS = new EnumMap<>(Map.ofEntries(
            Map.entry(TimelineEventType.CORE_SHARED, CoreShared.class),
            Map.entry(TimelineEventType.GC_CPU_TIME, GcPause.CpuTime.class),
            Map.entry(TimelineEventType.GC_PAUSE, GcPause.class),
            Map.entry(TimelineEventType.MEMORY_RECLAIMED, MemoryReclaim.class),
            Map.entry(TimelineEventType.PAGE_FAULT, PageFault.class),
            Map.entry(TimelineEventType.SAFEPOINT, Safepoint.class),
            Map.entry(TimelineEventType.STALL, ThreadStall.class),
            Map.entry(TimelineEventType.THREAD_ABSENT, ThreadAbsence.class),
            Map.entry(TimelineEventType.THREAD_BUSY, ThreadBusy.class),
            Map.entry(TimelineEventType.THREAD_SAMPLED, ThreadSample.class),
            Map.entry(TimelineEventType.THREAD_WAITED, ShortWaits.class),
            Map.entry(TimelineEventType.YIELDED, ThreadStall.class)));

    private static List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/cases"))) {
            for (Path file : files.filter(each -> each.endsWith("timeline.jsonl.gz"))
                    .sorted()
                    .toList()) {
                try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                        new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
                    reader.lines().forEach(lines::add);
                }
            }
        }
        return lines;
    }

    @Test
    void shouldWriteEachRecordedLineAsItWasRead() throws IOException {
        List<String> lines = lines();
        assertThat(lines).hasSizeGreaterThan(1_000);
        for (String line : lines) {
            JsonNode written = MAPPER.readTree(MAPPER.writeValueAsString(MAPPER.readValue(line, TimelineEvent.class)));
            assertThat(written).isEqualTo(MAPPER.readTree(line));
        }
    }

    @Test
    void shouldReadEachTypedKindIntoItsRecord() throws IOException {
        for (String line : lines()) {
            TimelineEvent event = MAPPER.readValue(line, TimelineEvent.class);
            Class<?> record = RECORDS.get(event.type());
            if (record != null) {
                assertThat(event).isInstanceOf(record);
            }
        }
    }
}
