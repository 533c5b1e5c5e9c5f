package org.naklab.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.itch.ItchBytes;

@Timeout(60)
class OrderFlowsTest {
    private static final byte[] CSV = "34200.1,1,5,18,100,1\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ITCH =
            new ItchBytes().add('A', 3, 1_000, 5, 'B', 18, "AAPL", 100).toByteArray();

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"flow.csv", "flow.itch", "flow.gz", "flow"})
    void shouldGoByContentWhateverTheName(String name) throws IOException {
        Path file = directory.resolve(name);

        Files.write(file, CSV);
        assertThat(Flows.drain(OrderFlows.open(file)))
                .containsExactly("#0 ADD instrument=1 t=34200100000000ns order=5 BUY 18@100");
        Files.write(file, gzip(CSV));
        assertThat(Flows.drain(OrderFlows.open(file))).hasSize(1);
        Files.write(file, ITCH);
        assertThat(Flows.drain(OrderFlows.open(file)))
                .containsExactly("#0 ADD instrument=3 t=1000ns order=5 BUY 18@100");
        Files.write(file, gzip(ITCH));
        assertThat(Flows.drain(OrderFlows.open(file))).hasSize(1);
    }

    @Test
    void shouldTakeAByteOrderMarkForTheBeginningOfText() throws IOException {
        byte[] marked = ("\ufeff" + new String(CSV, StandardCharsets.US_ASCII)).getBytes(StandardCharsets.UTF_8);

        assertThat(Flows.drain(OrderFlows.open(Files.write(directory.resolve("flow"), marked))))
                .hasSize(1);
        assertThat(Flows.drain(OrderFlows.open(Files.write(directory.resolve("flow.gz"), gzip(marked)))))
                .hasSize(1);
    }

    @Test
    void shouldTellWhyAFileCannotBeRead() throws IOException {
        Path file = directory.resolve("flow.csv");
        assertFails(file, file + ": no such file");
        assertFails(directory, directory + ": is a directory, not a file");
        Files.write(file, new byte[0]);
        assertFails(file, file + ": is empty");
        Files.write(file, gzip(new byte[0]));
        assertFails(file, file + ": is empty");
        Files.write(file, Arrays.copyOf(gzip(CSV), 5));
        assertFails(file, file + " offset 0: the gzip data ends early (truncated file)");
        Files.write(file, Arrays.copyOf(gzip(CSV), gzip(CSV).length - 1));
        assertFails(file, file + " row 2: the gzip data ends early (truncated file)");
        Files.write(file, Arrays.copyOf(gzip(ITCH), gzip(ITCH).length - 1));
        assertFails(file, file + " offset 38: the gzip data ends early (truncated file)");
    }

    @Test
    void shouldNameTheRowAtWhichGzipIsCutOff() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int row = 1; row <= 50_000; row++) {
            text.append("34200.1,1,").append(row * 7_919L % 100_003).append(",18,100,1\n");
        }
        byte[] whole = gzip(text.toString().getBytes(StandardCharsets.US_ASCII));
        Path file = Files.write(directory.resolve("flow.csv.gz"), Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> Flows.drain(OrderFlows.open(file)))
                .isInstanceOf(OrderFlowException.class)
                .hasMessageMatching(".*flow.csv.gz row \\d+: the gzip data ends early \\(truncated file\\)");
    }

    private static void assertFails(Path file, String message) {
        assertThatThrownBy(() -> Flows.drain(OrderFlows.open(file)))
                .isInstanceOf(OrderFlowException.class)
                .hasMessage(message);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        }
        return zipped.toByteArray();
    }
}
