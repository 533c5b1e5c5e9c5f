package org.naklab.lab.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TimelineTest {
    private static final TimelineEvent LATER = TimelineEvent.of(
            2_000,
            TimelineEventType.STALL,
            "mds",
            "mds-context",
            Map.of("durationNs", 147_000_000, "cause", "a \"page\""));
    private static final TimelineEvent EARLIER =
            TimelineEvent.of(1_000, TimelineEventType.RATE_LIMIT_HIT, "mds", Map.of("share", 0.5, "queued", true));

    @TempDir
    Path directory;

    @Test
    void shouldReadBackWhatWasWrittenInOrderOfTime() {
        Path file = directory.resolve("timeline.jsonl");
        try (TimelineWriter writer = TimelineWriter.create(file)) {
            writer.onEvent(LATER);
            writer.onEvent(EARLIER);
        }

        assertThat(TimelineReader.read(file)).containsExactly(EARLIER, LATER);
    }

    @Test
    void shouldKnowTheFiguresOfAStallOfAnotherVersion() {
        TimelineEvent stall = TimelineEvent.of(
                1, TimelineEventType.STALL, "mds", Map.of("collectionMs", 12, "overflow", true, "ofLaterVersion", 1));
        assertThat(stall.detail("ofLaterVersion")).isEqualTo(1);
        assertThat(ThreadStall.figuresOf(stall).collectionMs()).isEqualTo(12);
        assertThat(ThreadStall.isOverflow(stall)).isTrue();
    }

    @Test
    void shouldNameTheLineThatIsNoEvent() throws IOException {
        Path file = directory.resolve("timeline.jsonl");
        try (TimelineWriter writer = TimelineWriter.create(file)) {
            writer.onEvent(EARLIER);
        }
        Files.writeString(file, Files.readString(file) + "{\"timeNs\":1,\"type\":\"NO_SUCH\"}\n");

        assertThatThrownBy(() -> TimelineReader.read(file))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void shouldStopAtItsBoundAndCountTheRest() {
        StringWriter text = new StringWriter();
        try (TimelineWriter writer = new TimelineWriter(text, 1)) {
            writer.onEvent(EARLIER);
            writer.onEvent(LATER);
            writer.onEvent(LATER);
            assertThat(writer.suppressed()).isEqualTo(2);
        }

        assertThat(text.toString()).hasLineCount(1);
    }

    @Test
    void shouldReadWhatAKilledRunOrAnotherVersionLeft() throws IOException {
        Path file = directory.resolve("timeline.jsonl");
        String ofLaterVersion =
                "{\"timeNs\":3,\"type\":\"STALL\",\"process\":\"mds\",\"thread\":\"\",\"details\":{\"durationMs\":2.5},\"more\":1}";
        String ofUnknownType = "{\"timeNs\":3,\"type\":\"?\",\"process\":\"mds\",\"thread\":\"\",\"details\":{}}";
        Files.write(file, List.of(ofLaterVersion, ofUnknownType, "null", "{\"timeNs\":4,\"ty"));

        assertThat(TimelineReader.readWhole(file)).singleElement().satisfies(event -> {
            assertThat(event.type()).isEqualTo(TimelineEventType.STALL);
            assertThat(event.endNs()).isEqualTo(2_500_003);
        });
    }
}
