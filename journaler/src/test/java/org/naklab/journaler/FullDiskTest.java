package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Journals that fill a small disk, a tmpfs: whatever was counted can be read back, and the writer ends by an exception. */
@Timeout(60)
class FullDiskTest {
    private static final String FULL = "No space left on device";

    @TempDir
    Path temporary;

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "6, 1", "9, 1", "14, 1", "1, 64", "2, 64", "3, 64", "6, 64", "9, 64", "14, 64"})
    void shouldCountOnlyWhatCanBeRead(int diskMebibytes, long blockMebibytes) throws Exception {
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        String refused = run("mount", "-t", "tmpfs", "-o", "size=" + diskMebibytes + "m", "tmpfs", disk.toString());
        assumeTrue(refused.isEmpty(), "a disk can be mounted: " + refused);
        try {
            fill(disk.resolve("journal"), blockMebibytes << 20);
        } finally {
            // Lazily: Chronicle lets go of its mappings on a thread of its own.
            assertThat(run("umount", "-l", disk.toString())).isEmpty();
        }
    }

    private static void fill(Path directory, long blockSizeBytes) {
        long counted = 0;
        String reason = "";
        try (Journal journal = Journal.create(TestFeed.context(directory).blockSizeBytes(blockSizeBytes))) {
            reason = appendUntilRefused(journal);
            counted = journal.eventsAppended();
        } catch (JournalException e) {
            reason = String.valueOf(e.getMessage());
        }
        assertThat(reason).contains(FULL);
        if (counted > 0) {
            Verification verification = JournalVerifier.verify(directory);
            assertThat(verification.events()).isEqualTo(counted);
            assertThat(verification.isIntact()).isTrue();
        }
    }

    private static String appendUntilRefused(Journal journal) {
        TestFeed.Message message = new TestFeed().messages(1, 1).get(0);
        for (long sequence = 1; ; sequence++) {
            message.buffer().putLong(8, sequence);
            try {
                TestFeed.append(journal, message, TestFeed.START_NS + sequence);
            } catch (JournalException e) {
                assertThat(journal.eventsAppended()).isEqualTo(sequence - 1);
                return String.valueOf(e.getMessage());
            }
        }
    }

    /** Returns what it says when it fails. */
    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() == 0 ? "" : said + " exit code " + process.exitValue();
    }
}
