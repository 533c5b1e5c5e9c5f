package org.naklab.journaler.derived;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.code_intelligence.jazzer.mutation.annotation.WithLength;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalException;

/** Whatever lies in a surveillance file: it is read, or refused in one line. */
class SurveillanceFuzzTest {
    @TempDir
    Path temporary;

    @FuzzTest(maxDuration = "6s")
    void shouldReadOrRefuse(byte @NotNull @WithLength(max = 8192) [] content) throws IOException {
        Path file = Files.write(temporary.resolve("file.surv"), content);
        long records = 0;
        try (SurveillanceReader reader = SurveillanceReader.open(file)) {
            while (reader.next() != null) {
                records++;
            }
        } catch (JournalException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
            return;
        }
        assertThat(content.length)
                .isEqualTo(SurveillanceLayout.HEADER_BYTES + records * SurveillanceLayout.RECORD_BYTES);
    }
}
