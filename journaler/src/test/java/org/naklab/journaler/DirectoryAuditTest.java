package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.TestFeed.Message;

/** A journal passes only when every file of its directory was read to its end. */
@Timeout(60)
class DirectoryAuditTest {
    private static final String FIRST = "20120621-1330V.cq4";
    private static final String MIDDLE = "20120621-1335V.cq4";
    private static final String LAST = "20120621-1340V.cq4";
    private static final String LATER = "20120622-0000V.cq4";

    @TempDir
    Path temporary;

    private Path journal = Path.of("journal");

    @BeforeEach
    void writeThreeFiles() {
        journal = temporary.resolve("journal");
        writeRolled(journal, 7, 0);
    }

    private static void writeRolled(Path directory, long seed, long delayNs) {
        List<Message> messages = new TestFeed().messages(seed, 30);
        long stepNs = TimeUnit.SECONDS.toNanos(20);
        try (Journal written = Journal.create(TestFeed.context(directory).rollPeriod(RollPeriod.FIVE_MINUTES))) {
            for (int i = 0; i < messages.size(); i++) {
                TestFeed.append(written, messages.get(i), TestFeed.START_NS + i * stepNs + delayNs);
            }
            TestFeed.append(
                    written, TestFeed.trailer(messages), TestFeed.START_NS + messages.size() * stepNs + delayNs);
        }
    }

    @Test
    void shouldPassWhenEveryFileWasRead() {
        assertThat(JournalDirectory.cycleFiles(journal)).hasSize(3);
        assertThat(JournalVerifier.verify(journal).unaccounted()).isEmpty();
        assertThat(JournalVerifier.verify(journal).passed()).isTrue();
    }

    @Test
    void shouldNameALaterCopyOfAFile() throws IOException {
        Files.copy(journal.resolve(FIRST), journal.resolve(LATER));
        assertNotPassed(LATER + " was not read: " + LAST + " does not end with a mark that a later file follows");
    }

    @Test
    void shouldNameALaterFileOfAnotherJournal() throws IOException {
        Path foreign = temporary.resolve("foreign");
        writeRolled(foreign, 8, 0);
        Files.copy(foreign.resolve(MIDDLE), journal.resolve(LATER));
        assertNotPassed(LATER + " was not read: " + LAST + " does not end with a mark that a later file follows");
    }

    @Test
    void shouldNameALaterFileOfNoise() throws IOException {
        byte[] noise = new byte[5000];
        new Random(1).nextBytes(noise);
        Files.write(journal.resolve(LATER), noise);
        assertNotPassed(LATER + " was not read: " + LAST + " does not end with a mark that a later file follows");
    }

    @Test
    void shouldNotTakeAMiddleFileOfAnotherRunOfTheSameFeed() throws IOException {
        Path other = temporary.resolve("other");
        writeRolled(other, 7, 1);
        Files.delete(journal.resolve(MIDDLE));
        Files.copy(other.resolve(MIDDLE), journal.resolve(MIDDLE));

        Verification verification = JournalVerifier.verify(journal);

        assertThat(verification.digest()).isEqualTo(verification.trailerDigest());
        assertThat(verification.damaged()).isPositive();
        assertThat(verification.passed()).isFalse();
    }

    @Test
    void shouldNameAnEmptyFileInTheMiddle() throws IOException {
        Files.write(journal.resolve(MIDDLE), new byte[0]);
        assertNotPassed(LAST + " was not read: " + MIDDLE + " is empty");
    }

    @Test
    void shouldNotWaitForAPipe() throws Exception {
        Process mkfifo = new ProcessBuilder("mkfifo", journal.resolve(LATER).toString()).start();
        assertThat(mkfifo.waitFor()).isZero();
        assertNotPassed(LATER + " is not a regular file");
    }

    @Test
    void shouldNotFollowALink() throws IOException {
        Path elsewhere = Files.move(journal.resolve(LAST), temporary.resolve(LAST));
        Files.createSymbolicLink(journal.resolve(LAST), elsewhere);
        assertNotPassed(
                LAST + " is not a regular file",
                MIDDLE + " ends with a mark that a later file follows, and there is none");
    }

    @Test
    void shouldNameWhatDoesNotBelongThere() throws IOException {
        Files.writeString(journal.resolve("notes.txt"), "text");
        assertNotPassed("notes.txt is no file of a journal");
    }

    @Test
    void shouldNameMetadataThatIsNotChronicles() throws IOException {
        byte[] noise = new byte[5000];
        new Random(1).nextBytes(noise);
        Files.write(journal.resolve("metadata.cq4t"), noise);
        assertNotPassed("metadata.cq4t is not what Chronicle Queue writes");
    }

    @Test
    void shouldNameBytesBehindTheLastRecord() throws IOException {
        EntryReader.FileEnd end = end();
        try (RandomAccessFile file = new RandomAccessFile(end.file().toFile(), "rw")) {
            file.seek(end.position() + 100);
            file.write(1);
        }
        assertNotPassed(LAST + " holds more after its last record, from offset " + (end.position() + 100));
    }

    @Test
    void shouldNameAMissingLastFile() throws IOException {
        Files.delete(journal.resolve(LAST));
        assertNotPassed(MIDDLE + " ends with a mark that a later file follows, and there is none");
    }

    private EntryReader.FileEnd end() {
        try (EntryReader reader = new EntryReader(journal)) {
            JournalEntry entry = new JournalEntry();
            while (reader.next(entry)) {
                assertThat(entry.isDamaged()).isFalse();
            }
            return reader.readFiles().get(2);
        }
    }

    private void assertNotPassed(String... findings) {
        Verification verification = JournalVerifier.verify(journal);
        assertThat(verification.unaccounted()).containsExactly(findings);
        assertThat(verification.passed()).isFalse();
        assertThat(verification.summary()).contains("files        " + findings[0]);
        assertThat(verification.summary()).last().asString().startsWith("FAIL");
    }
}
