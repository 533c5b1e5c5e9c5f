package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.TestFeed.Message;
import org.naklab.journaler.disk.Disk;
import org.naklab.journaler.disk.LocalDisk;

/** What a journal says when the disk does not do as it is asked. */
@Timeout(60)
class JournalDiskTest {
    private final FailingDisk disk = new FailingDisk();

    @TempDir
    Path temporary;

    @Test
    void shouldForceEveryFileAndTheDirectory() {
        Path directory = temporary.resolve("journal");
        Journal journal = Journal.create(context(directory));
        assertThat(journal.isForced()).isFalse();
        journal.close();

        assertThat(journal.isForced()).isTrue();
        List<Path> all = new ArrayList<>(JournalDirectory.list(directory));
        all.add(directory);
        assertThat(disk.forced).isEqualTo(all);
    }

    @Test
    void shouldSayThatAFileCannotBeForced() {
        shouldSayThatItCannotBeForced("20120621F.cq4");
    }

    @Test
    void shouldSayThatTheDirectoryCannotBeForced() {
        shouldSayThatItCannotBeForced("journal");
    }

    private void shouldSayThatItCannotBeForced(String name) {
        Path directory = temporary.resolve("journal");
        Journal journal = Journal.create(context(directory));
        disk.unforceable = name;

        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(journal::close)
                .withMessageMatching("cannot force .*" + name + " to disk: Input/output error");
        assertThat(journal.isForced()).isFalse();
    }

    @Test
    void shouldRefuseTheAppendForWhichThereAreNoBlocks() {
        Message message = new TestFeed().messages(1, 1).get(0);
        disk.roomBytes = 3 << 20;
        Path directory = temporary.resolve("journal");
        try (Journal journal = Journal.create(context(directory))) {
            JournalException refused = appendUntilRefused(journal, message);

            assertThat(refused)
                    .hasMessageContaining("no blocks can be allocated for")
                    .hasMessageEndingWith(
                            "No space left on device; it is good up to event " + journal.eventsAppended());
            disk.roomBytes = Long.MAX_VALUE;
            assertThatExceptionOfType(JournalException.class)
                    .as("a journal that was refused once stays as it is")
                    .isThrownBy(() -> TestFeed.append(journal, TestFeed.trailer(1L << 40, 0), TestFeed.START_NS))
                    .isSameAs(refused);
            assertThat(JournalVerifier.verify(directory).events()).isEqualTo(journal.eventsAppended());
            assertThat(JournalVerifier.verify(directory).isIntact()).isTrue();
        }
    }

    @Test
    void shouldCountOnlyWhatCanBeReadAfterAnErrorOfTheMapping() throws IOException {
        List<Message> messages = new TestFeed().messages(1, 10);
        Path directory = temporary.resolve("journal");
        try (Journal journal = Journal.create(context(directory))) {
            for (Message message : messages) {
                TestFeed.append(journal, message, TestFeed.START_NS);
            }
            // As a page that the disk did not have leaves the last record: its header is there, its body is not.
            loseLastBody(directory);

            JournalException broken = journal.breakUp(new InternalError("a fault occurred in an unsafe memory access"));

            assertThat(broken).hasMessageEndingWith("it is good up to event 9");
            assertThat(journal.eventsAppended()).isEqualTo(9);
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> TestFeed.append(journal, TestFeed.trailer(messages), TestFeed.START_NS))
                    .isSameAs(broken);
        }
    }

    @Test
    void shouldBreakWhenAWriteMeetsAPageThatTheDiskDoesNotHave() {
        List<Message> messages = new TestFeed().messages(1, 10);
        Path directory = temporary.resolve("journal");
        LostPage page = new LostPage(directory);
        try (Journal journal = Journal.create(context(directory).recordWriter(page::of))) {
            for (Message message : messages.subList(0, 8)) {
                TestFeed.append(journal, message, TestFeed.START_NS);
            }
            page.isLost = true;

            JournalException broken = catchThrowableOfType(
                    JournalException.class, () -> TestFeed.append(journal, messages.get(8), TestFeed.START_NS));

            assertThat(broken).hasCauseInstanceOf(InternalError.class).hasMessageEndingWith("it is good up to event 7");
            assertThat(journal.eventsAppended()).isEqualTo(7);
            page.isLost = false;
            assertThatExceptionOfType(JournalException.class)
                    .as("the journal stays broken when the page is there again")
                    .isThrownBy(() -> TestFeed.append(journal, messages.get(9), TestFeed.START_NS))
                    .isSameAs(broken);
            assertThat(journal.eventsAppended()).isEqualTo(7);
        }
    }

    /** Fails the write after it has destroyed the record before: an error of a mapped page is reported later than its cause. */
    private static final class LostPage {
        private final Path directory;
        private boolean isLost;

        LostPage(Path directory) {
            this.directory = directory;
        }

        Journal.RecordWriter of(Journal.RecordWriter writer) {
            return excerpt -> {
                if (isLost) {
                    loseLastRecord();
                    throw new InternalError("a fault occurred in an unsafe memory access operation");
                }
                writer.write(excerpt);
            };
        }

        private void loseLastRecord() {
            try {
                loseLastBody(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void loseLastBody(Path directory) throws IOException {
        Path file = JournalDirectory.cycleFiles(directory).get(0);
        long last = 0;
        try (CycleFile cycle = new CycleFile(file)) {
            JournalEntry entry = new JournalEntry();
            long position = 0;
            while (cycle.next(entry) == CycleFile.Step.ENTRY) {
                last = position;
                position = cycle.position();
            }
            try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
                access.seek(last + CycleFile.HEADER_BYTES);
                access.write(new byte[(int) (position - last) - CycleFile.HEADER_BYTES]);
            }
        }
    }

    private Journal.Context context(Path directory) {
        return TestFeed.context(directory).forceOnClose(true).disk(disk);
    }

    private static JournalException appendUntilRefused(Journal journal, Message message) {
        for (long sequence = 1; sequence < 1_000_000; sequence++) {
            message.buffer().putLong(8, sequence);
            try {
                TestFeed.append(journal, message, TestFeed.START_NS + sequence);
            } catch (JournalException e) {
                return e;
            }
        }
        throw new AssertionError("the journal was not refused");
    }

    /** This machine's disk, with less room, and with a file that the device does not take. */
    private static final class FailingDisk implements Disk {
        private final List<Path> forced = new ArrayList<>();
        private String unforceable = "";
        private long roomBytes = Long.MAX_VALUE;

        @Override
        public void allocate(Path file, long offset, long lengthBytes) throws IOException {
            if (lengthBytes > roomBytes) {
                throw new IOException("No space left on device");
            }
            roomBytes -= lengthBytes;
            LocalDisk.INSTANCE.allocate(file, offset, lengthBytes);
        }

        @Override
        public void force(Path path) throws IOException {
            if (path.endsWith(unforceable)) {
                throw new IOException("Input/output error");
            }
            LocalDisk.INSTANCE.force(path);
            forced.add(path);
        }
    }
}
