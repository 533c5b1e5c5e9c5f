package org.naklab.exchange.lobster;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.exchange.flow.FuzzedSource;
import org.naklab.exchange.flow.OrderFlowException;

/** Any file as a LOBSTER order book. */
final class LobsterBookFuzzTest {
    @TempDir
    private Path directory;

    @FuzzTest(maxDuration = "4s")
    void shouldEndInEventsOrOneLine(byte[] content) throws IOException {
        Path file = Files.write(directory.resolve("book.csv"), content);
        try {
            LobsterBook.readRow(file, 1);
        } catch (OrderFlowException e) {
            FuzzedSource.requireOneLine(e);
        }
    }
}
