package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.TestFeed.Message;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;

@Timeout(60)
class JournalTest {
    private final TestFeed feed = new TestFeed();

    @TempDir
    Path directory;

    @Test
    void shouldGiveBackEveryEventWithItsReceiveTimestamp() {
        List<OrderEvent> events = TestFeed.events(7, 5_000);
        TestFeed.writeWhole(directory, 7, 5_000);

        List<String> read = new ArrayList<>();
        JournalEntry entry = new JournalEntry();
        OrderEvent event = new OrderEvent();
        try (JournalReader reader = JournalReader.open(directory)) {
            while (reader.next(entry) && !entry.isTrailer()) {
                assertThat(new OrderEventCodec().decode(entry.message(), 0, event))
                        .isTrue();
                read.add(entry.receiveTimestampNs() + " " + event);
            }
            assertThat(reader.isTrailerRead()).isTrue();
            assertThat(entry.sequence()).isEqualTo(5_000);
            assertThat(reader.next(entry)).isFalse();
        }

        List<String> written = new ArrayList<>();
        for (OrderEvent expected : events) {
            written.add(TestFeed.START_NS + 1000 * (expected.sequence - 1) + " " + expected);
        }
        assertThat(read).isEqualTo(written);
    }

    @Test
    void shouldRefuseSequencesThatDoNotRise() {
        List<Message> messages = feed.messages(1, 3);
        try (Journal journal = TestFeed.create(directory)) {
            TestFeed.append(journal, messages.get(1), TestFeed.START_NS);

            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> TestFeed.append(journal, messages.get(1), TestFeed.START_NS))
                    .withMessage("journal " + directory + ": event 2 follows event 2: sequences must rise");
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> TestFeed.append(journal, messages.get(0), TestFeed.START_NS))
                    .withMessageContaining("event 1 follows event 2");
            TestFeed.append(journal, messages.get(2), TestFeed.START_NS);
            assertThat(journal.eventsAppended()).isEqualTo(2);
        }
    }

    @Test
    void shouldRefuseReceiveTimestampsThatFall() {
        List<Message> messages = feed.messages(1, 2);
        try (Journal journal = TestFeed.create(directory)) {
            TestFeed.append(journal, messages.get(0), TestFeed.START_NS);

            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> TestFeed.append(journal, messages.get(1), TestFeed.START_NS - 1))
                    .withMessageEndingWith("receive timestamps must not fall");
            TestFeed.append(journal, messages.get(1), TestFeed.START_NS);
        }
    }

    @Test
    void shouldRecordWhatTheFeedLost() {
        List<Message> messages = feed.messages(1, 10);
        try (Journal journal = TestFeed.create(directory)) {
            TestFeed.append(journal, messages.get(1), TestFeed.START_NS);
            TestFeed.append(journal, messages.get(5), TestFeed.START_NS);
            TestFeed.append(journal, TestFeed.trailer(messages), TestFeed.START_NS);

            assertThat(journal.eventsMissing()).isEqualTo(8);
            assertThat(journal.eventsAppended()).isEqualTo(2);
        }
    }

    @Test
    void shouldEndWithTheTrailer() {
        List<Message> messages = feed.messages(1, 3);
        try (Journal journal = TestFeed.create(directory)) {
            TestFeed.append(journal, messages.get(0), TestFeed.START_NS);
            TestFeed.append(journal, messages.get(1), TestFeed.START_NS);
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> TestFeed.append(journal, TestFeed.trailer(1, 0), TestFeed.START_NS))
                    .withMessageContaining("the trailer counts 1 events, but event 2 came before it");
            TestFeed.append(journal, TestFeed.trailer(2, 0), TestFeed.START_NS);

            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> TestFeed.append(journal, messages.get(2), TestFeed.START_NS))
                    .withMessageContaining("event 3 follows the trailer");
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> TestFeed.append(journal, TestFeed.trailer(2, 0), TestFeed.START_NS))
                    .withMessageContaining("second trailer");
        }
    }

    @Test
    void shouldRefuseWhatIsNotOfTheRecord() {
        Message event = feed.messages(1, 1).get(0);
        try (Journal journal = TestFeed.create(directory)) {
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> TestFeed.append(journal, TestFeed.heartbeat(0), TestFeed.START_NS))
                    .withMessageContaining("neither a sequenced message nor a trailer");
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> journal.append(TestFeed.START_NS, event.buffer(), 0, event.length() - 1));
            assertThat(journal.eventsAppended()).isZero();
        }
        assertThat(JournalVerifier.verify(directory).events()).isZero();
    }

    @Test
    void shouldNeverAddToAJournalThatExists() {
        TestFeed.create(directory).close();

        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> TestFeed.create(directory))
                .withMessage(directory + " holds a journal already");
    }

    @Test
    void shouldRefuseBlocksTooSmallForAnIndex() {
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> Journal.create(TestFeed.context(directory).blockSizeBytes(4096)))
                .withMessageContaining("128 KiB");
    }

    @Test
    void shouldRollByReceiveTimeAlone() throws IOException {
        long minuteNs = TimeUnit.MINUTES.toNanos(1);
        List<Message> messages = feed.messages(3, 60);
        try (Journal journal = Journal.create(TestFeed.context(directory).rollPeriod(RollPeriod.FIVE_MINUTES))) {
            for (int i = 0; i < 60; i++) {
                TestFeed.append(journal, messages.get(i), TestFeed.START_NS + i * minuteNs);
            }
            TestFeed.append(journal, TestFeed.trailer(messages), TestFeed.START_NS + 60 * minuteNs);
        }

        assertThat(cycleFileNames()).hasSize(13).startsWith("20120621-1330V.cq4", "20120621-1335V.cq4");
        assertThat(JournalVerifier.verify(directory).passed()).isTrue();
    }

    @Test
    void shouldForceToDiskEvenWhenInterrupted() {
        Journal journal = Journal.create(TestFeed.context(directory).forceOnClose(true));
        TestFeed.append(journal, feed.messages(1, 1).get(0), TestFeed.START_NS);
        Thread.currentThread().interrupt();
        try {
            journal.close();
            journal.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(JournalVerifier.verify(directory).events()).isEqualTo(1);
    }

    @Test
    void shouldAppendAcrossManyBlocksWithoutAllocating() {
        int warmUpEvents = 20_000;
        int events = 100_000;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Message message = feed.messages(1, 1).get(0);
        try (Journal journal = TestFeed.create(directory)) {
            appendRange(journal, message, 1, warmUpEvents);
            long before = threads.getCurrentThreadAllocatedBytes();
            appendRange(journal, message, warmUpEvents + 1, warmUpEvents + events);
            long allocatedBytes = threads.getCurrentThreadAllocatedBytes() - before;

            // A new block and an index page now and then; nothing per event.
            assertThat((double) allocatedBytes / events).isLessThan(2);
        }
    }

    private static void appendRange(Journal journal, Message message, int from, int to) {
        for (int i = from; i <= to; i++) {
            message.buffer().putLong(8, i);
            TestFeed.append(journal, message, TestFeed.START_NS + i);
        }
    }

    private List<String> cycleFileNames() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".cq4"))
                    .sorted()
                    .toList();
        }
    }
}
