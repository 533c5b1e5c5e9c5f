package org.naklab.exchange;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Any file as LOBSTER messages. */
final class LobsterFuzzTest {
    @TempDir
    private Path directory;

    @FuzzTest(maxDuration = "4s")
    void shouldEndInEventsOrOneLine(byte[] content) throws IOException {
        FuzzedSource.drain(directory.resolve("flow.csv"), content, LobsterFlow::open);
    }
}
