package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.code_intelligence.jazzer.mutation.annotation.WithLength;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Whatever lies in a file of a journal: it is read, or refused in one line, and never passes where it must not. */
class JournalFuzzTest {
    @TempDir
    Path temporary;

    @FuzzTest(maxDuration = "6s")
    void shouldReadOrRefuse(byte @NotNull @WithLength(max = 8192) [] content) throws IOException {
        Path journal = temporary.resolve("journal");
        Files.createDirectories(journal);
        Files.write(journal.resolve("20120621F.cq4"), content);

        readOrRefuse(() -> {
            Verification verification = JournalVerifier.verify(journal);
            // Chronicle's metadata is missing.
            assertThat(verification.passed()).isFalse();
            assertThat(verification.summary()).last().asString().startsWith("FAIL");
        });
        readOrRefuse(() -> JournalDumper.dump(journal, 1, Long.MAX_VALUE, new StringBuilder()));
        readOrRefuse(() -> follow(journal));
    }

    private static void follow(Path journal) {
        JournalEntry entry = new JournalEntry();
        try (JournalReader reader = JournalReader.open(journal)) {
            long last = 0;
            while (reader.next(entry) && !entry.isTrailer()) {
                assertThat(entry.sequence()).isGreaterThan(last);
                last = entry.sequence();
            }
        }
    }

    private static void readOrRefuse(Runnable reading) {
        try {
            reading.run();
        } catch (JournalException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
        }
    }
}
