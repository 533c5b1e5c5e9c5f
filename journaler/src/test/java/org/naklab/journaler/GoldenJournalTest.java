package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Journals that this version and the one before it wrote, kept as they were: every later version reads them. */
@Timeout(60)
class GoldenJournalTest {
    private static final long FEED_ID = 0x1234_5678_9abc_def0L;

    @TempDir
    Path directory;

    @Test
    void shouldReadAJournalOfFormat1() throws IOException {
        unpack("format-1-day.zip");
        Verification verification = JournalVerifier.verify(directory);

        assertDay(verification);
        assertThat(verification.formatVersion()).isEqualTo(1);
        assertThat(verification.feedId()).isZero();
        assertThat(verification.summary()).contains("format       1: receive timestamps are in no checksum");
    }

    @Test
    void shouldReadAJournalOfFormat2() throws IOException {
        unpack("format-2-day.zip");
        Verification verification = JournalVerifier.verify(directory, FEED_ID);

        assertDay(verification);
        assertThat(verification.formatVersion()).isEqualTo(2);
        assertThat(verification.feedId()).isEqualTo(FEED_ID);
        assertThat(verification.summary()).contains("format       2", "feed         123456789abcdef0");
    }

    @Test
    void shouldReadSeveralFilesOfFormat1() throws IOException {
        unpack("format-1-rolled.zip");
        assertRolled(JournalVerifier.verify(directory), 1);
    }

    @Test
    void shouldReadSeveralFilesOfFormat2() throws IOException {
        unpack("format-2-rolled.zip");
        assertRolled(JournalVerifier.verify(directory), 2);
    }

    /** A changed receive timestamp of format 1 goes unnoticed, which the summary says; of format 2 it does not. */
    @Test
    void shouldPrintTheSameRecordsOfBothFormats() throws IOException {
        Path format1 = Files.createDirectory(directory.resolve("1"));
        Path format2 = Files.createDirectory(directory.resolve("2"));
        unpack("format-1-day.zip", format1);
        unpack("format-2-day.zip", format2);

        StringBuilder records1 = new StringBuilder();
        StringBuilder records2 = new StringBuilder();
        assertThat(JournalDumper.dump(format1, 1, Long.MAX_VALUE, records1)).isEqualTo(501);
        assertThat(JournalDumper.dump(format2, 1, Long.MAX_VALUE, records2)).isEqualTo(501);
        assertThat(records1.toString()).isEqualTo(records2.toString());
    }

    private static void assertDay(Verification verification) {
        assertThat(verification.passed()).isTrue();
        assertThat(verification.events()).isEqualTo(500);
        assertThat(verification.digest()).isEqualTo(1_809_319_017L);
        assertThat(verification.timestampsFallen()).isZero();
    }

    private static void assertRolled(Verification verification, int formatVersion) {
        assertThat(verification.passed()).isTrue();
        assertThat(verification.events()).isEqualTo(30);
        assertThat(verification.digest()).isEqualTo(454_282_310L);
        assertThat(verification.formatVersion()).isEqualTo(formatVersion);
    }

    private void unpack(String name) throws IOException {
        unpack(name, directory);
    }

    static void unpack(String name, Path directory) throws IOException {
        try (InputStream resource =
                        Objects.requireNonNull(GoldenJournalTest.class.getResourceAsStream("golden/" + name));
                ZipInputStream zip = new ZipInputStream(resource)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.copy(zip, directory.resolve(entry.getName()));
            }
        }
    }
}
