package org.naklab.exchange.flow;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.exchange.OrderFlows;

/** Any file as either of the two, plain or gzip. */
final class OrderFlowFuzzTest {
    @TempDir
    private Path directory;

    @FuzzTest(maxDuration = "4s")
    void shouldEndInEventsOrOneLine(byte[] content) throws IOException {
        FuzzedSource.drain(directory.resolve("flow"), content, OrderFlows::open);
    }
}
