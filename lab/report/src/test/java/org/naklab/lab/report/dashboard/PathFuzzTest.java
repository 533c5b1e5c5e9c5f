package org.naklab.lab.report.dashboard;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes as the path of a request that is in order otherwise, so that more of them reach the pages. */
final class PathFuzzTest {
    @TempDir
    private Path directory;

    @FuzzTest(maxDuration = "4s")
    void shouldAnswerSafely(byte[] path) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.write("GET /".getBytes(StandardCharsets.US_ASCII));
        request.write(path);
        request.write(" HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        FuzzedRequest.requireSafe(directory, request.toByteArray());
    }
}
