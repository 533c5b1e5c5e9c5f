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
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEvent;

/** The lines of recorded timelines are written as they were read, and each typed kind is read into its record. */
@Timeout(120)
final class TimelineFormTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

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
            Class<?> record = event.type().form();
            if (record != null) {
                assertThat(event).isInstanceOf(record);
            }
        }
    }
}
