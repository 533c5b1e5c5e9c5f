package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.testing.Matrix;

/** A run that cannot write its history says so on a line, and has its verdict and its report all the same. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class NoHistoryScenario {
    private static final String NOTE =
            "note: the run is not in the history, and its report contains only its own stalls: history ";

    @TempDir
    private Path directory;

    /** Not even root makes a directory below a file. */
    @Test
    void shouldDoWithoutAFileThatCannotBeWritten() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertPassWithout("jdbc:sqlite:" + file.resolve("history.db"), "jdbc:sqlite:" + file.resolve("history.db"));
    }

    @Test
    void shouldDoWithoutAServerThatIsNotThere() throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/naklab";
        assertPassWithout(url + "?user=lab&password=H0sh-h0sh", url);
    }

    /** It is connected to, and says nothing. */
    @Test
    void shouldDoWithoutAServerThatDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/naklab";
            assertPassWithout(url + "?user=lab&password=H0sh-h0sh&socketTimeout=1", url);
        }
    }

    private void assertPassWithout(String url, String shown) throws IOException {
        try (NaklabProcess naklab =
                NaklabProcess.run(directory, "--rate", "500", "--duration", "1", "--json", "--history", url)) {
            assertThat(naklab.awaitExit()).as(naklab.err()).isZero();
            assertThat(Json.parse(naklab.out()).path("verdict").asText()).isEqualTo("pass");
            List<String> notes = naklab.err()
                    .lines()
                    .filter(line -> line.startsWith("note: "))
                    .toList();
            assertThat(notes).singleElement().asString().startsWith(NOTE + shown + " cannot be opened: ");
            assertThat(naklab.err() + naklab.out()).doesNotContain("H0sh-h0sh");
            requireInNoFile("H0sh-h0sh");
            Path report = NaklabProcess.latest(directory).resolve("report.html");
            assertThat(report).isNotEmptyFile();
            assertThat(naklab.err()).containsPattern("(?m)^ {2}report {3}\\S*report\\.html$");
        }
    }

    private void requireInNoFile(String secret) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    InputStream content = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
                    assertThat(new String(content.readAllBytes(), StandardCharsets.ISO_8859_1).contains(secret))
                            .as(file + " holds the password")
                            .isFalse();
                }
            }
        }
    }
}
