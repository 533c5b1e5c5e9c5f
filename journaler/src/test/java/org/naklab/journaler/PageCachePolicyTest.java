package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.journaler.TestFeed.Message;
import org.naklab.journaler.disk.PageCachePolicy;

/** Measures how much of a journal is in the page cache while it is written. */
@Timeout(120)
class PageCachePolicyTest {
    private static final int PAGE_BYTES = 4_096;
    private static final int EVENTS = 800_000;
    /** What the events take at the least. */
    private static final long WRITTEN_BYTES = 60L << 20;
    /** Those behind the writer, those that are being written to disk, and those that the kernel has read ahead. */
    private static final long MOST_POLITE_BYTES = 30L << 20;

    private Path directory = Path.of("");

    /** On the disk of the build: files in memory have no pages to drop. */
    @BeforeEach
    void createDirectory() throws IOException {
        directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "page-cache");
        assumeFalse(Files.getFileStore(directory).type().equals("tmpfs"), "the build is on a disk");
    }

    @AfterEach
    void deleteDirectory() {
        IoUtil.delete(directory.toFile(), false);
    }

    @Test
    void shouldDropThePagesBehindThePoliteWriter() {
        try (Journal journal = Journal.create(context().pageCachePolicy(PageCachePolicy.POLITE))) {
            appendAll(journal);
            assertThat(residentBytes()).isLessThan(MOST_POLITE_BYTES);
        }
        Verification verification = JournalVerifier.verify(directory.resolve("journal"));
        assertThat(verification.events()).isEqualTo(EVENTS);
        assertThat(verification.isIntact()).isTrue();
    }

    @Test
    void shouldKeepThePagesUnlessToldOtherwise() {
        try (Journal journal = Journal.create(context())) {
            appendAll(journal);
            assertThat(residentBytes()).isGreaterThan(WRITTEN_BYTES - MOST_POLITE_BYTES / 2);
        }
    }

    @Test
    void shouldGoOnPolitelyInTheNextFile() {
        long minuteNs = 60_000_000_000L;
        Message message = new TestFeed().messages(1, 1).get(0);
        Journal.Context context = context().rollPeriod(RollPeriod.FIVE_MINUTES).pageCachePolicy(PageCachePolicy.POLITE);
        try (Journal journal = Journal.create(context)) {
            append(journal, message, 1, TestFeed.START_NS);
            long laterNs = TestFeed.START_NS + 6 * minuteNs;
            for (int sequence = 2; sequence <= EVENTS; sequence++) {
                append(journal, message, sequence, laterNs);
            }
            assertThat(JournalDirectory.cycleFiles(directory.resolve("journal")))
                    .hasSize(2);
            assertThat(residentBytes()).isLessThan(MOST_POLITE_BYTES);
        }
        Verification verification = JournalVerifier.verify(directory.resolve("journal"));
        assertThat(verification.events()).isEqualTo(EVENTS);
        assertThat(verification.isIntact()).isTrue();
    }

    @Test
    void shouldRefuseAPolicyThatIsNone() {
        String property = "naklab.test.page.cache";
        assertThat(PageCachePolicy.ofProperty(property)).isEqualTo(PageCachePolicy.KEPT);
        System.setProperty(property, "rude");
        try {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> PageCachePolicy.ofProperty(property))
                    .withMessage(property + " is rude, not kept or polite");
        } finally {
            System.clearProperty(property);
        }
    }

    private Journal.Context context() {
        return TestFeed.context(directory.resolve("journal")).blockSizeBytes(Journal.Context.BLOCK_SIZE_DEFAULT_BYTES);
    }

    private static void appendAll(Journal journal) {
        Message message = new TestFeed().messages(1, 1).get(0);
        for (int sequence = 1; sequence <= EVENTS; sequence++) {
            append(journal, message, sequence, TestFeed.START_NS + sequence);
        }
    }

    private static void append(Journal journal, Message message, long sequence, long receiveTimestampNs) {
        message.buffer().putLong(8, sequence);
        TestFeed.append(journal, message, receiveTimestampNs);
    }

    private long residentBytes() {
        return JournalDirectory.cycleFiles(directory.resolve("journal")).stream()
                .mapToLong(PageCachePolicyTest::residentBytes)
                .sum();
    }

    private static long residentBytes(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            try {
                byte[] states = new byte[Math.toIntExact((channel.size() + PAGE_BYTES - 1) / PAGE_BYTES)];
                assertThat(Mincore.mincore(BufferUtil.address(mapping), channel.size(), states))
                        .isZero();
                long pages = 0;
                for (byte state : states) {
                    pages += state & 1;
                }
                return pages * PAGE_BYTES;
            } finally {
                BufferUtil.free(mapping);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Asks which pages are in memory, without touching them. */
    private static final class Mincore {
        static {
            Native.register(Mincore.class, "c");
        }

        private Mincore() {}

        static native int mincore(long address, long length, byte[] states);
    }
}
