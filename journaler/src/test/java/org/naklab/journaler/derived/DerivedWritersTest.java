package org.naklab.journaler.derived;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.Journal;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.TestFeed;
import org.naklab.journaler.TestFeed.Message;
import org.naklab.journaler.TreeBooks;
import org.naklab.messaging.feed.OrderEvent;

@Timeout(60)
class DerivedWritersTest {
    private static final int EVENTS = 2000;

    private final List<Message> messages = new TestFeed().messages(9, EVENTS);

    @TempDir
    Path temporary;

    @Test
    void shouldWriteAlongsideWhatAnExportWritesAfterwards() throws IOException {
        Path live = temporary.resolve("live");
        Path exported = temporary.resolve("exported");
        try (Journal journal = TestFeed.create(journalDirectory())) {
            DerivedWriters writers = DerivedWriters.create(context(journal).outputDirectory(live));
            for (int i = 0; i < EVENTS; i++) {
                append(journal, i);
                if (i % 7 == 0) {
                    writers.doWork();
                }
            }
            appendTrailer(journal);
            writers.onClose();
            assertThat(writers.isFinished()).isTrue();
            assertThat(writers.lagEvents()).isZero();
            assertThat(writers.report()).isEqualTo("2000 events derived, none left");
        }

        JournalExporter.exportCsv(journalDirectory(), exported, new TreeBooks());
        JournalExporter.exportSurveillance(journalDirectory(), exported, new TreeBooks(), RollPolicy.DEFAULT);
        assertThat(contents(live)).isEqualTo(contents(exported)).hasSize(3);
    }

    @Test
    void shouldNotHoldUpTheJournalWhenAFormatBlocks() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        RecordingSink sink = new RecordingSink() {
            @Override
            public void onEvent(OrderEvent event, long receiveTimestampNs, BookView books) {
                reached.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                super.onEvent(event, receiveTimestampNs, books);
            }
        };
        List<Throwable> errors = new ArrayList<>();
        try (Journal journal = TestFeed.create(journalDirectory())) {
            DerivedWriters writers = DerivedWriters.create(context(journal).sinks(List.of(sink)));
            try (AgentRunner runner = new AgentRunner(new YieldingIdleStrategy(), errors::add, null, writers)) {
                AgentRunner.startOnThread(runner);
                append(journal, 0);
                reached.await();
                for (int i = 1; i < EVENTS; i++) {
                    append(journal, i);
                }
                appendTrailer(journal);

                assertThat(journal.eventsAppended()).isEqualTo(EVENTS);
                assertThat(writers.lagEvents()).isEqualTo(EVENTS);
                assertThat(writers.isFinished()).isFalse();
                released.countDown();
                while (!writers.isFinished()) {
                    Thread.onSpinWait();
                }
            }
            assertThat(writers.lagEvents()).isZero();
        }
        assertThat(errors).isEmpty();
        assertThat(sink.sequences).hasSize(EVENTS).isSorted();
        assertThat(sink.isClosed).isTrue();
    }

    @Test
    void shouldDoABoundedAmountOfWorkInADutyCycle() {
        RecordingSink sink = new RecordingSink();
        try (Journal journal = TestFeed.create(journalDirectory())) {
            for (int i = 0; i < EVENTS; i++) {
                append(journal, i);
            }
            DerivedWriters writers =
                    DerivedWriters.create(context(journal).sinks(List.of(sink)).batchLimit(100));

            assertThat(writers.doWork()).isEqualTo(100);
            assertThat(sink.sequences).hasSize(100);
            assertThat(sink.flushes).isZero();
            assertThat(writers.lagEvents()).isEqualTo(EVENTS - 100);
            writers.onClose();
            assertThat(sink.sequences).hasSize(EVENTS);
            assertThat(sink.flushes).isEqualTo(1);
            assertThat(writers.isFinished()).as("there was no trailer").isFalse();
        }
    }

    @Test
    void shouldSayWhatIsLeftWhenItMayNotCatchUp() {
        AtomicLong timeNs = new AtomicLong();
        RecordingSink sink = new RecordingSink() {
            @Override
            public void onEvent(OrderEvent event, long receiveTimestampNs, BookView books) {
                super.onEvent(event, receiveTimestampNs, books);
                timeNs.addAndGet(10);
            }
        };
        try (Journal journal = TestFeed.create(journalDirectory())) {
            for (int i = 0; i < EVENTS; i++) {
                append(journal, i);
            }
            DerivedWriters writers = DerivedWriters.create(context(journal)
                    .sinks(List.of(sink))
                    .batchLimit(10)
                    .nanoClock(timeNs::get)
                    .drainTimeoutNs(1000));
            writers.onClose();

            assertThat(writers.lagEvents()).isEqualTo(EVENTS - 100);
            assertThat(writers.report()).isEqualTo("100 events derived, 1900 left: export them from the journal");
            assertThat(sink.isClosed).isTrue();
        }
    }

    @Test
    void shouldEndWhenAFormatFails() {
        RecordingSink sink = new RecordingSink() {
            @Override
            public void onEvent(OrderEvent event, long receiveTimestampNs, BookView books) {
                throw new JournalException("disk full");
            }
        };
        try (Journal journal = TestFeed.create(journalDirectory())) {
            append(journal, 0);
            DerivedWriters writers = DerivedWriters.create(context(journal).sinks(List.of(sink)));

            assertThatExceptionOfType(AgentTerminationException.class)
                    .isThrownBy(writers::doWork)
                    .withCauseInstanceOf(JournalException.class)
                    .withMessageContaining("disk full");
            writers.onClose();
            append(journal, 1);
            assertThat(journal.eventsAppended()).isEqualTo(2);
            assertThat(writers.lagEvents()).isEqualTo(2);
            assertThat(sink.isClosed).isTrue();
        }
    }

    private DerivedWriters.Context context(Journal journal) {
        return new DerivedWriters.Context()
                .journalDirectory(journal.directory())
                .eventsAppended(journal::eventsAppended)
                .books(new TreeBooks());
    }

    private Path journalDirectory() {
        return temporary.resolve("journal");
    }

    private void append(Journal journal, int index) {
        TestFeed.append(journal, messages.get(index), TestFeed.START_NS + 1000L * index);
    }

    private void appendTrailer(Journal journal) {
        TestFeed.append(journal, TestFeed.trailer(messages), TestFeed.START_NS + 1000L * EVENTS);
    }

    private static Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    private static class RecordingSink implements DerivedSink {
        final List<Long> sequences = new ArrayList<>();
        int flushes;
        boolean isClosed;

        @Override
        public void onEvent(OrderEvent event, long receiveTimestampNs, BookView books) {
            sequences.add(event.sequence);
        }

        @Override
        public void flush() {
            flushes++;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
