package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.TestFeed.Message;

@Timeout(60)
class JournalTailTest {
    @TempDir
    Path directory;

    @Test
    void shouldFollowAJournalFromFileToFile() {
        long fiveMinutesNs = TimeUnit.MINUTES.toNanos(5);
        List<Message> messages = new TestFeed().messages(5, 20);
        JournalEntry entry = new JournalEntry();
        try (Journal journal = Journal.create(TestFeed.context(directory).rollPeriod(RollPeriod.FIVE_MINUTES));
                JournalReader reader = JournalReader.open(directory)) {
            for (int i = 0; i < messages.size(); i++) {
                assertThat(reader.next(entry)).isFalse();
                TestFeed.append(journal, messages.get(i), TestFeed.START_NS + i / 3 * fiveMinutesNs);
                assertThat(reader.next(entry)).isTrue();
                assertThat(entry.sequence()).isEqualTo(i + 1);
            }
        }
        assertThat(JournalDirectory.cycleFiles(directory)).hasSize(7);
    }

    @Test
    void shouldFollowAnotherThreadAcrossBlocks() {
        int events = 50_000;
        Message message = new TestFeed().messages(5, 1).get(0);
        JournalEntry entry = new JournalEntry();
        try (Journal journal = TestFeed.create(directory);
                JournalReader reader = JournalReader.open(directory)) {
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                for (int i = 1; i <= events; i++) {
                    message.buffer().putLong(8, i);
                    TestFeed.append(journal, message, TestFeed.START_NS + i);
                }
            });
            long expected = 1;
            while (expected <= events) {
                if (reader.next(entry)) {
                    assertThat(entry.sequence()).isEqualTo(expected);
                    assertThat(entry.receiveTimestampNs()).isEqualTo(TestFeed.START_NS + expected);
                    expected++;
                } else {
                    assertThat(writer).isNotCompletedExceptionally();
                    Thread.onSpinWait();
                }
            }
            writer.join();
            assertThat(reader.next(entry)).isFalse();
            assertThat(reader.eventsRead()).isEqualTo(events);
        }
    }

    @Test
    void shouldCheckTheOrderAgain() {
        List<Message> messages = new TestFeed().messages(5, 3);
        TestFeed.writeUnchecked(directory, List.of(messages.get(0), messages.get(2), messages.get(1)));
        JournalEntry entry = new JournalEntry();
        try (JournalReader reader = JournalReader.open(directory)) {
            assertThat(reader.next(entry)).isTrue();
            assertThat(reader.next(entry)).isTrue();
            assertThat(reader.eventsMissing()).isEqualTo(1);
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> reader.next(entry))
                    .withMessage("journal " + directory + ": event 2 follows event 3: sequences must rise");
        }
    }

    @Test
    void shouldRefuseRecordsThatAreNoEvents() {
        TestFeed.writeUnchecked(directory, List.of(TestFeed.heartbeat(0)));
        try (JournalReader reader = JournalReader.open(directory)) {
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> reader.next(new JournalEntry()))
                    .withMessageEndingWith("the record after event 0 is neither an event nor a trailer");
        }
    }
}
