package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Single bits of a journal's file are turned over, each alone; FORMAT.md says which of them may go unnoticed. */
@Timeout(120)
class ByteFlipTest {
    private static final int EVENTS = 100;
    private static final int FLIPS = 10_000;
    private static final int META_DATA = 0x4000_0000;
    private static final int LENGTH_MASK = 0x3FFF_FFFF;

    @TempDir
    Path directory;

    private byte[] content = new byte[0];
    private int usedBytes;
    private final List<Integer> recordBytes = new ArrayList<>();

    @BeforeEach
    void writeJournal() throws IOException {
        TestFeed.writeWhole(directory, 11, EVENTS);
        content = Files.readAllBytes(file());
        ByteBuffer framing = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        int position = 0;
        while (framing.getInt(position) != 0) {
            int header = framing.getInt(position);
            int end = position + 4 + ((header & LENGTH_MASK) + 3) / 4 * 4;
            for (int i = position; i < end && (header & META_DATA) == 0; i++) {
                recordBytes.add(i);
            }
            position = end;
        }
        usedBytes = position;
    }

    @Test
    void shouldNoticeEveryByteOfEveryRecord() throws IOException {
        Random random = new Random(20120621);
        assertThat(recordBytes.size()).isGreaterThan(EVENTS * 50);
        try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "rw")) {
            for (int offset : recordBytes) {
                assertThat(isNoticed(file, offset, 1 << random.nextInt(8)))
                        .as("a bit turned over at offset %d", offset)
                        .isTrue();
            }
        }
        assertThat(JournalVerifier.verify(directory).passed()).isTrue();
    }

    /** The content of Chronicle's store header and of its index pages says nothing of the record. */
    @Test
    void shouldNoticeEveryFlipButThoseInChroniclesOwnRecords() throws IOException {
        Random random = new Random(20120622);
        int unnoticed = 0;
        try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "rw")) {
            for (int i = 0; i < FLIPS; i++) {
                int offset = random.nextInt(usedBytes);
                if (!isNoticed(file, offset, 1 << random.nextInt(8))) {
                    unnoticed++;
                    assertThat(isChroniclesOwn(offset)).as("offset %d", offset).isTrue();
                }
            }
        }
        // Two index pages are most of such a small file.
        assertThat(unnoticed).isBetween(1, FLIPS - 1);
    }

    private boolean isNoticed(RandomAccessFile file, int offset, int mask) throws IOException {
        file.seek(offset);
        file.write(content[offset] ^ mask);
        try {
            return !JournalVerifier.verify(directory).passed();
        } catch (JournalException e) {
            return true;
        } finally {
            file.seek(offset);
            file.write(content[offset]);
        }
    }

    private boolean isChroniclesOwn(int offset) {
        return offset < recordBytes.get(0);
    }

    private Path file() {
        return JournalDirectory.cycleFiles(directory).get(0);
    }
}
