package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.TestFeed.Message;
import org.naklab.messaging.feed.FeedMessages;

@Timeout(60)
class JournalDumperTest {
    @TempDir
    Path directory;

    @Test
    void shouldPrintARange() {
        TestFeed.writeWhole(directory, 1, 100);
        StringBuilder out = new StringBuilder();

        long lines = JournalDumper.dump(directory, 10, 12, out);

        List<String> expected = TestFeed.events(1, 100).subList(9, 12).stream()
                .map(event -> String.format("2012-06-21T13:30:00.%09dZ %s", 1000 * (event.sequence - 1), event))
                .toList();
        assertThat(lines).isEqualTo(3);
        assertThat(out.toString().lines().toList()).isEqualTo(expected);
    }

    @Test
    void shouldPrintTheTrailerAfterTheLastEvent() {
        List<Message> messages = TestFeed.writeWhole(directory, 1, 5);
        long digest = FeedMessages.trailerDigest(TestFeed.trailer(messages).buffer(), 0);
        StringBuilder out = new StringBuilder();

        assertThat(JournalDumper.dump(directory, 5, Long.MAX_VALUE, out)).isEqualTo(2);

        assertThat(out.toString()).endsWith("trailer count=5 digest=" + String.format("%08x", digest) + "\n");
        assertThat(JournalDumper.dump(directory, 1, 5, new StringBuilder())).isEqualTo(5);
    }

    @Test
    void shouldPrintWhatIsBroken() {
        List<Message> messages = new TestFeed().messages(1, 2);
        TestFeed.writeUnchecked(directory, List.of(messages.get(1), TestFeed.heartbeat(0), messages.get(0)));
        StringBuilder out = new StringBuilder();

        assertThat(JournalDumper.dump(directory, 1, 2, out)).isEqualTo(3);

        assertThat(out.toString().lines().toList().get(1)).startsWith("unreadable record: 10000700");
    }
}
