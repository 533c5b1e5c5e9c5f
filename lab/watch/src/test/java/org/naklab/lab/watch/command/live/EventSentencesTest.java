package org.naklab.lab.watch.command.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.lab.terminal.MonotonicToWallClock;

@Timeout(60)
final class EventSentencesTest {
    private static final Path CORPUS = Path.of(System.getProperty("naklab.root"), "lab/cases/src/main/cases");
    private final EventFormatter lines = new EventFormatter(MonotonicToWallClock.at(ZoneOffset.UTC, Instant.EPOCH, 0));

    @Test
    void shouldSayWhatHappenedToAStoppedReader() throws IOException {
        List<String> said = events(CORPUS.resolve("watch-sigstop-foreign")).stream()
                .map(EventSentences::of)
                .toList();
        assertThat(said)
                .containsSubsequence(
                        "127.0.0.1:44426 is open",
                        "26689/recv stood still for 300.4 ms, with 127 KiB unread",
                        "127.0.0.1:44426 fills: 18 KiB of 128 KiB wait to be read",
                        "26689/recv was stopped by a signal or a debugger",
                        "127.0.0.1:44426 dropped 1 datagram, 1 in all",
                        "127.0.0.1:44426 dropped 200 datagrams, 201 in all",
                        "127.0.0.1:44426 is empty again after 299.0 ms; it held up to 127 KiB of 128 KiB",
                        "26689/recv goes on after 282.0 ms");
    }

    /** Of all recorded events: no part of a template, no key and no bare truth value. */
    @Test
    void shouldSayEachRecordedEventInWords() throws IOException {
        try (Stream<Path> cases = Files.list(CORPUS)) {
            for (Path recorded : cases.filter(each -> Files.exists(each.resolve("timeline.jsonl.gz")))
                    .toList()) {
                for (TimelineEvent event : events(recorded)) {
                    String said = EventSentences.of(event);
                    assertThat(lines.of(event)).endsWith("  " + said);
                    assertThat(said)
                            .as("%s of %s", event, recorded)
                            .isNotBlank()
                            .doesNotContain("{", "}", "|", "null", "  ,", "( ")
                            .doesNotContainPattern("^[ ,;:]")
                            // A program whose name begins the sentence may be called "true".
                            .doesNotContainPattern("(?<=.)\\b(true|false|\\w+Ns|\\w+Bytes)\\b");
                }
            }
        }
    }

    /** An event of another version may lack any figure. */
    @ParameterizedTest
    @EnumSource(TimelineEventType.class)
    void shouldSaySomethingOfAnEventWithoutFigures(TimelineEventType type) {
        String said = EventSentences.of(TimelineEvent.of(1_000_000, type, "4711", "recv", Map.of()));
        assertThat(said).isNotBlank().doesNotContain("{", "}", "|", "null");
    }

    private static List<TimelineEvent> events(Path recorded) throws IOException {
        Path file = recorded.resolve("timeline.jsonl.gz");
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return TimelineReader.read(lines, file.toString());
        }
    }
}
