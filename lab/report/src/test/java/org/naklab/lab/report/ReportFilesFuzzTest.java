package org.naklab.lab.report;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.LabException;

/** Whatever the other files of a run hold, there is a report, or it is refused with a {@link LabException}. */
final class ReportFilesFuzzTest {
    @TempDir
    private Path run;

    @FuzzTest(maxDuration = "4s")
    void shouldBeAReportOrBeRefused(byte[] content) throws IOException {
        Files.writeString(run.resolve("run.json"), "{\"verdict\": \"pass\"}");
        Files.write(run.resolve("diagnosis.json"), content);
        Files.write(run.resolve("fault-stacks.json"), content);
        Files.write(run.resolve("timeline.jsonl"), content);
        write();
    }

    private void write() {
        try {
            Report.write(run, List.of());
        } catch (LabException e) {
            if (String.valueOf(e.getMessage()).isBlank()) {
                throw new AssertionError("refused without a reason", e);
            }
        }
    }
}
