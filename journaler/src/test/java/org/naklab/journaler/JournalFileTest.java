package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies in a directory is not always a journal, or not a whole one. */
@Timeout(60)
class JournalFileTest {
    private static final int EVENTS = 200;

    @TempDir
    Path temporary;

    @Test
    void shouldSayThatTheDirectoryIsMissing() {
        Path missing = temporary.resolve("none");
        assertRefused(missing, missing + " does not exist");
    }

    @Test
    void shouldSayThatTheDirectoryIsNoJournal() {
        assertRefused(temporary, temporary + " is not a journal: it holds no .cq4 file");
    }

    @Test
    void shouldSayThatAFileIsNoDirectory() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "text");
        assertRefused(file, "cannot read journal " + file + ": not a directory");
    }

    @Test
    void shouldSayThatAFileIsNoQueueFile() throws IOException {
        Path file = Files.writeString(temporary.resolve("20120621F.cq4"), "a,b\r\n".repeat(1000));
        assertRefused(temporary, file + " is not a Chronicle Queue file, or its header is corrupt");
    }

    @Test
    void shouldSayThatAFileIsEmpty() throws IOException {
        Path file = Files.createFile(temporary.resolve("20120621F.cq4"));
        assertRefused(temporary, file + " is empty: no Chronicle Queue has written its header");
    }

    @Test
    void shouldSayThatItMayNotRead() throws IOException {
        TestFeed.writeWhole(temporary, 1, EVENTS);
        Path file = cycleFile();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeThat(Files.isReadable(file)).as("root reads everything").isFalse();

        assertRefused(temporary, "cannot read " + file + ": permission denied");
    }

    @Test
    void shouldNotCreateAJournalUnderAFile() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "text");
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> TestFeed.create(file.resolve("journal")))
                .withMessageStartingWith("cannot create a journal in " + file.resolve("journal"));
    }

    @Test
    void shouldEndWhereAnEntryWasBegun() throws IOException {
        TestFeed.writeUnchecked(temporary, new TestFeed().messages(1, EVENTS));
        try (RandomAccessFile file = new RandomAccessFile(cycleFile().toFile(), "rw")) {
            file.seek(endOfEntries());
            file.writeInt(Integer.reverseBytes(0x8000_0000));
        }

        Verification verification = JournalVerifier.verify(temporary);

        assertThat(verification.events()).isEqualTo(EVENTS);
        assertThat(verification.entryBegun()).isTrue();
        assertThat(verification.isIntact()).isFalse();
        assertThat(verification.summary()).anyMatch(line -> line.contains("begun and not finished"));
    }

    @Test
    void shouldSayWhereAFileIsCutShort() throws IOException {
        TestFeed.writeWhole(temporary, 1, EVENTS);
        long end = endOfEntries();
        cut(end - 10);

        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> JournalVerifier.verify(temporary))
                .withMessageMatching(
                        ".*\\.cq4 is cut short: it ends within the entry at offset [0-9]+ of [0-9]+ bytes");

        cut(end - 80);
        assertThatExceptionOfType(JournalException.class).isThrownBy(() -> JournalVerifier.verify(temporary));
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4, 100, 4096, 70_000})
    void shouldNeitherPassNorCrashWhenCutAnywhere(long seed) throws IOException {
        TestFeed.writeWhole(temporary, 1, EVENTS);
        long end = endOfEntries();
        Random random = new Random(seed);
        for (long bytes = end - 1; bytes > 0; bytes -= 1 + random.nextInt(3000)) {
            cut(bytes);
            assertThatExceptionOfType(JournalException.class).isThrownBy(() -> JournalVerifier.verify(temporary));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldNeitherPassNorCrashWhenEntriesAreOverwritten(long seed) throws IOException {
        TestFeed.writeWhole(temporary, 1, EVENTS);
        Random random = new Random(seed);
        long start = endOfEntries() - EVENTS * 50L;
        byte[] noise = new byte[1 + random.nextInt(200)];
        random.nextBytes(noise);
        try (RandomAccessFile file = new RandomAccessFile(cycleFile().toFile(), "rw")) {
            file.seek(start + random.nextInt(EVENTS * 40));
            file.write(noise);
        }

        boolean passed;
        try {
            passed = JournalVerifier.verify(temporary).passed();
        } catch (JournalException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
            passed = false;
        }
        assertThat(passed).isFalse();
    }

    @Test
    void shouldLeaveTheDirectoryAsItIs() throws IOException {
        TestFeed.writeWhole(temporary, 1, EVENTS);
        Map<String, String> before = listing();

        JournalVerifier.verify(temporary);
        JournalDumper.dump(temporary, 1, Long.MAX_VALUE, new StringBuilder());
        try (JournalReader reader = JournalReader.open(temporary)) {
            assertThat(reader.next(new JournalEntry())).isTrue();
        }

        assertThat(listing()).isEqualTo(before);
    }

    @Test
    void shouldReadWithoutChroniclesMetadata() throws IOException {
        TestFeed.writeWhole(temporary, 1, EVENTS);
        Files.delete(temporary.resolve("metadata.cq4t"));

        Verification verification = JournalVerifier.verify(temporary);

        assertThat(verification.events()).isEqualTo(EVENTS);
        assertThat(verification.unaccounted()).containsExactly("metadata.cq4t is missing");
        assertThat(listing()).hasSize(1);
    }

    private static void assertRefused(Path directory, String message) {
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> JournalVerifier.verify(directory))
                .withMessage(message);
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> JournalReader.open(directory))
                .withMessage(message);
    }

    private Map<String, String> listing() throws IOException {
        Map<String, String> listing = new TreeMap<>();
        try (var files = Files.list(temporary)) {
            for (Path file : files.toList()) {
                byte[] content = Files.readAllBytes(file);
                listing.put(
                        file.getFileName().toString(),
                        Files.getLastModifiedTime(file) + " " + content.length + " " + Arrays.hashCode(content));
            }
        }
        return listing;
    }

    private Path cycleFile() {
        return JournalDirectory.cycleFiles(temporary).get(0);
    }

    private void cut(long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(cycleFile().toFile(), "rw")) {
            file.setLength(bytes);
        }
    }

    /** Walks the framing: a length with flags, then so many bytes, rounded up to four. */
    private long endOfEntries() throws IOException {
        try (FileChannel channel = FileChannel.open(cycleFile())) {
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            bytes.order(ByteOrder.LITTLE_ENDIAN);
            int position = 0;
            while (bytes.getInt(position) != 0) {
                position += 4 + ((bytes.getInt(position) & 0x3FFF_FFFF) + 3) / 4 * 4;
            }
            return position;
        }
    }
}
