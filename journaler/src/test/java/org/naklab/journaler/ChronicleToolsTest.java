package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.main.DumpMain;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.TestFeed.Message;

/** A journal is a Chronicle Queue like any other: Chronicle's own readers must agree with ours. */
@Timeout(60)
class ChronicleToolsTest {
    private static final int EVENTS = 500;
    private static final long FEED_ID = 0x1234_5678_9abc_def0L;

    @TempDir
    Path directory;

    private List<Message> messages = List.of();

    @BeforeEach
    void writeJournal() {
        messages = TestFeed.writeWhole(TestFeed.context(directory).feedId(FEED_ID), 23, EVENTS);
    }

    @Test
    void shouldBePrintedByDumpMain() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DumpMain.dump(directory.toFile(), new PrintStream(out, true, StandardCharsets.UTF_8), Long.MAX_VALUE);
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();

        List<String> timestamps =
                lines.stream().filter(line -> line.startsWith("rxNs: ")).toList();
        List<String> printedMessages =
                lines.stream().filter(line -> line.startsWith("sbe: ")).toList();
        assertThat(lines).contains("format: 2", "feed: " + FEED_ID);
        assertThat(timestamps).hasSize(EVENTS + 1);
        assertThat(timestamps.get(2)).isEqualTo("rxNs: " + (TestFeed.START_NS + 2000));
        assertThat(printedMessages).hasSize(EVENTS + 1);
        assertThat(printedMessages.get(2)).isEqualTo("sbe: !!binary " + base64(messages.get(2)));
    }

    @Test
    void shouldBeReadAlikeByChroniclesTailer() {
        List<String> byChronicle = new ArrayList<>();
        Bytes<?> message = Bytes.allocateElasticOnHeap(64);
        try (ChronicleQueue queue =
                        ChronicleQueue.singleBuilder(directory).readOnly(true).build();
                ExcerptTailer tailer = queue.createTailer()) {
            while (true) {
                try (DocumentContext document = tailer.readingDocument()) {
                    if (!document.isPresent()) {
                        break;
                    }
                    if (document.index() == queue.firstIndex()) {
                        assertThat(document.wire().read("format").int64()).isEqualTo(2);
                        assertThat(document.wire().read("feed").int64()).isEqualTo(FEED_ID);
                        continue;
                    }
                    long receiveTimestampNs = document.wire().read("rxNs").int64();
                    document.wire().read("sbe").bytes(message);
                    byChronicle.add(
                            receiveTimestampNs + " " + Base64.getEncoder().encodeToString(message.toByteArray()));
                }
            }
        }

        List<String> byReader = new ArrayList<>();
        JournalEntry entry = new JournalEntry();
        try (JournalReader reader = JournalReader.open(directory)) {
            while (reader.next(entry)) {
                byte[] bytes = new byte[entry.length()];
                entry.message().getBytes(0, bytes);
                byReader.add(
                        entry.receiveTimestampNs() + " " + Base64.getEncoder().encodeToString(bytes));
            }
        }
        assertThat(byChronicle).hasSize(EVENTS + 1).isEqualTo(byReader);
    }

    @Test
    void shouldNotHaveAnalyticsOnTheClassPath() {
        assertThatExceptionOfType(ClassNotFoundException.class)
                .isThrownBy(() -> Class.forName("net.openhft.chronicle.analytics.Analytics"));
    }

    private static String base64(Message message) {
        byte[] bytes = new byte[message.length()];
        message.buffer().getBytes(0, bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
