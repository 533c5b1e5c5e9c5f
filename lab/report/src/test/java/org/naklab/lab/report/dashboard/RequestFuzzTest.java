package org.naklab.lab.report.dashboard;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes as a request. */
final class RequestFuzzTest {
    @TempDir
    private Path directory;

    @FuzzTest(maxDuration = "4s")
    void shouldAnswerSafelyOrNotAtAll(byte[] sent) throws IOException {
        FuzzedRequest.requireSafe(directory, sent);
    }
}
