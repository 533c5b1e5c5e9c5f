package org.naklab.exchange.lobster;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.exchange.flow.FuzzedSource;

/** Any file as LOBSTER messages. */
final class LobsterFuzzTest {
    @TempDir
    private Path directory;

    @FuzzTest(maxDuration = "4s")
    void shouldEndInEventsOrOneLine(byte[] content) throws IOException {
        FuzzedSource.drain(directory.resolve("flow.csv"), content, LobsterFlow::open);
    }
}
