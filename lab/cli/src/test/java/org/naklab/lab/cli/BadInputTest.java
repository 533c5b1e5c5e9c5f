package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.TestFiles;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class BadInputTest {
    @TempDir
    private Path directory;

    @Test
    void shouldNameMissingFile() {
        assertRefused("nosuch.csv: no such file", "run", "baseline", "--source", "nosuch.csv");
        assertRefused("nosuch.csv: no such file", "books", "nosuch.csv");
        assertRefused("--plan nosuch.json: no such file", "run", "baseline", "--plan", "nosuch.json");
    }

    @Test
    void shouldNameTruncatedGzip() throws IOException {
        byte[] whole = gzip(Files.readAllBytes(TestFiles.aaplMessages(directory)));
        Path file = Files.write(directory.resolve("cut.csv.gz"), Arrays.copyOf(whole, whole.length / 2));
        assertRefused("truncated", "run", "baseline", "--source", file.toString());
        assertRefused("truncated", "books", file.toString());
    }

    @Test
    void shouldNameRowWithTooFewColumns() throws IOException {
        Path file = withRow(7, row -> row.substring(0, row.lastIndexOf(',')));
        assertRefused("row 7: 5 columns instead of 6", "run", "baseline", "--source", file.toString());
        assertRefused("row 7: 5 columns instead of 6", "books", file.toString());
    }

    @Test
    void shouldNameRowWithNegativeSize() throws IOException {
        Path file = withRow(9, row -> row.replaceFirst("^([^,]*,[^,]*,[^,]*),", "$1,-"));
        assertRefused("row 9: size", "run", "baseline", "--source", file.toString());
        assertRefused("row 9: size", "books", file.toString());
    }

    @Test
    void shouldNameOffsetOfItchLengthOfZero() throws IOException {
        Path file = Files.write(directory.resolve("zero.itch"), new byte[] {0, 0, 0});
        assertRefused("offset 0: a message length of 0", "run", "baseline", "--source", file.toString());
        assertRefused("offset 0: a message length of 0", "books", file.toString());
    }

    @Test
    void shouldNameOffsetOfItchLengthBeyondFile() throws IOException {
        Path file = Files.write(directory.resolve("beyond.itch"), new byte[] {0, 36, 'A', 0});
        assertRefused("offset 0: a message of 36 bytes reaches beyond", "books", file.toString());
        assertRefused("offset 0: a message of 36 bytes reaches beyond", "run", "baseline", "--source", file.toString());
    }

    @Test
    void shouldNameDirectoryThatIsNoJournal() {
        assertRefused("is not a journal", "journal", "verify", directory.toString());
        assertRefused("is not a journal", "journal", "dump", directory.toString());
        assertRefused("is not a journal", "journal", "export", directory.toString(), "--csv", "out");
        assertRefused("nosuch", "journal", "verify", directory.resolve("nosuch").toString());
    }

    @Test
    void shouldNameProcessThatIsNotThere() {
        assertRefused("no process 2147483647", "watch", "2147483647");
        assertRefused("2147483647", "inject", "2147483647", "process-pause");
        assertRefused(
                "no run of this user in " + directory + " is under way",
                "inject",
                directory.toString(),
                "process-pause");
    }

    @Test
    void shouldNamePortInUse() throws IOException {
        try (DatagramChannel taken = DatagramChannel.open(StandardProtocolFamily.INET)) {
            taken.bind(new InetSocketAddress(0));
            int port = ((InetSocketAddress) taken.getLocalAddress()).getPort();
            assumeThat(port).as("a base port has a next one").isBetween(1024, 65_534);
            assertRefused(69, "port " + port, runs("--port", String.valueOf(port)));
        }
    }

    @Test
    void shouldNameInterfaceThatIsNotThere() {
        assertRefused("no network interface nosuch0;", runs("--interface", "nosuch0"));
        assertRefused("no network interface 203.0.113.77;", runs("--interface", "203.0.113.77"));
    }

    @Test
    void shouldNameInterfaceWithoutMulticast() throws IOException {
        NetworkInterface without = NetworkInterface.networkInterfaces()
                .filter(BadInputTest::cannotMulticast)
                .findFirst()
                .orElse(null);
        assumeThat(without).as("an interface that is down or cannot multicast").isNotNull();
        if (without != null) {
            assertRefused(without.getName(), runs("--interface", without.getName()));
        }
    }

    @Test
    void shouldLeaveNoRunDirectoryWhenNothingWasRun() {
        CommandLineRun.of(runs("--interface", "nosuch0"));
        assertThat(directory.resolve("runs")).doesNotExist();
    }

    private static boolean cannotMulticast(NetworkInterface candidate) {
        try {
            boolean hasAddress = candidate.inetAddresses().anyMatch(Inet4Address.class::isInstance);
            return !candidate.isLoopback() && (!candidate.isUp() || !hasAddress);
        } catch (IOException e) {
            return false;
        }
    }

    private static void assertRefused(String expected, String... arguments) {
        assertRefused(66, expected, arguments);
    }

    private static void assertRefused(int exitCode, String expected, String... arguments) {
        CommandLineRun run = CommandLineRun.of(arguments);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err()).startsWith("naklab: ").contains(expected);
    }

    private String[] runs(String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("run", "baseline", "--runs", directory.resolve("runs").toString()));
        arguments.addAll(List.of(options));
        return arguments.toArray(String[]::new);
    }

    private Path withRow(int row, UnaryOperator<String> change) throws IOException {
        List<String> rows = new ArrayList<>(Files.readAllLines(TestFiles.aaplMessages(directory)));
        rows.set(row - 1, change.apply(rows.get(row - 1)));
        return Files.writeString(
                directory.resolve("bad.csv"), String.join("\n", rows) + "\n", StandardCharsets.US_ASCII);
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(content);
        }
        return compressed.toByteArray();
    }
}
