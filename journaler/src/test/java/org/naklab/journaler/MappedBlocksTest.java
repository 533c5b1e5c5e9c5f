package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.TestFeed.Message;
import org.naklab.testing.Await;

/** Measures how much of a journal stays mapped while it grows. */
@Timeout(120)
class MappedBlocksTest {
    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final long BLOCK_BYTES = 4L << 20;
    /** The block that is written, the first one with the header, and one with the index, each with its overlap of a quarter. */
    private static final long MOST_MAPPED_BYTES = 3 * BLOCK_BYTES / 4 * 5;
    /** Events that one index page of a file of five minutes is for. */
    private static final int PAGE_EVENTS = 2_048 * 256;
    /** A garbage collection removes the reference to the array of an index page, after which Chronicle maps the page anew. */
    private static final int PAGES = 5;

    @TempDir
    Path directory;

    @Test
    void shouldUnmapTheBlocksThatTheWriterHasLeft() {
        assumeTrue(Files.isReadable(MAPS), "mappings can be seen");
        Message message = new TestFeed().messages(1, 1).get(0);
        Journal.Context context =
                TestFeed.context(directory).blockSizeBytes(BLOCK_BYTES).rollPeriod(RollPeriod.FIVE_MINUTES);
        try (Journal journal = Journal.create(context)) {
            long sequence = 0;
            for (int page = 1; page <= PAGES; page++) {
                while (sequence < (long) page * PAGE_EVENTS) {
                    sequence++;
                    message.buffer().putLong(8, sequence);
                    TestFeed.append(journal, message, TestFeed.START_NS + sequence);
                }
                System.gc();
                // Chronicle unmaps on a thread of its own.
                Await.until(
                        "of " + journal.eventsAppended() + " events, little is mapped",
                        () -> mappedBytes() <= MOST_MAPPED_BYTES);
            }
        }
        Await.until("nothing is mapped", () -> mappedBytes() == 0);
        assertThat(JournalVerifier.verify(directory).events()).isEqualTo((long) PAGES * PAGE_EVENTS);
        assertThat(JournalVerifier.verify(directory).isIntact()).isTrue();
    }

    @Test
    void shouldAdviseAgainstReadingAhead() throws IOException {
        Path smaps = Path.of("/proc/self/smaps");
        assumeTrue(Files.isReadable(smaps), "flags of mappings can be seen");
        Message message = new TestFeed().messages(1, 1).get(0);
        Journal.Context context = TestFeed.context(directory).blockSizeBytes(BLOCK_BYTES);
        try (Journal journal = Journal.create(context)) {
            long sequence = 0;
            // Records of more than two blocks: the flag is not that of the first one only.
            while (sequence < 2 * BLOCK_BYTES / message.length() + 1) {
                sequence++;
                message.buffer().putLong(8, sequence);
                TestFeed.append(journal, message, TestFeed.START_NS + sequence);
            }
            // Chronicle may have further mappings for its index, which nobody writes records through.
            assertThat(writtenBlocks(smaps))
                    .anySatisfy(flags -> assertThat(flags).contains(" rr"));
        }
    }

    /**
     * Returns the kernel's flags of those mappings of the journal in which records were written, which have pages therefore, and which do not begin with the header
     * of the file. A block may be mapped before the first record is written in it.
     */
    private List<String> writtenBlocks(Path smaps) throws IOException {
        List<String> found = new ArrayList<>();
        boolean isBlock = false;
        for (String line : Files.readAllLines(smaps)) {
            if (line.contains("/")) {
                isBlock = line.contains(directory.toString()) && line.endsWith(".cq4") && offset(line) > 0;
            } else if (isBlock && line.matches("Rss: +0 kB")) {
                isBlock = false;
            } else if (isBlock && line.startsWith("VmFlags:")) {
                found.add(line);
                isBlock = false;
            }
        }
        return found;
    }

    /** Returns the offset in the file of a mapping, in bytes. */
    private static long offset(String mapping) {
        return Long.parseUnsignedLong(mapping.split(" ", -1)[2], 16);
    }

    private long mappedBytes() {
        try (var lines = Files.lines(MAPS)) {
            return lines.filter(line -> line.contains(directory.toString()) && line.endsWith(".cq4"))
                    .mapToLong(MappedBlocksTest::lengthBytes)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long lengthBytes(String line) {
        String[] range = line.substring(0, line.indexOf(' ')).split("-", 2);
        return Long.parseUnsignedLong(range[1], 16) - Long.parseUnsignedLong(range[0], 16);
    }
}
