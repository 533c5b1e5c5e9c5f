package org.naklab.lab.report.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.StartRecord;
import org.naklab.lab.report.Report;
import org.naklab.lab.report.web.HostNames;
import org.naklab.lab.runs.history.StartedRun;

/** What a hostile page, client or run directory tries; an honest request is answered all the same. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HostileDashboardTest {
    private static final String RUN = "2026-11-21T03-26-10.052Z-42";
    private static final String REPORT = "/mystery/" + RUN + "/report.html";
    private static final int MAX_CONNECTIONS = 8;
    private static final ServeLimits LIMITS = new ServeLimits(20_000, MAX_CONNECTIONS, 1 << 20, 1 << 20);

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    /** A read that takes as long fails the test instead of waiting for good. */
    private static final int SILENCE_MS = 30_000;

    @TempDir
    private Path directory;

    private Path run;
    private Dashboard dashboard;

    @BeforeEach
    void launch() throws IOException {
        Path runs = Files.createDirectory(directory.resolve("runs"));
        run = Files.createDirectories(runs.resolve("mystery").resolve(RUN));
        dashboard = launch(LIMITS);
    }

    @AfterEach
    void close() {
        dashboard.close();
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldRefuseToBeCalledByAForeignName() throws IOException {
        Files.writeString(run.resolve("run.json"), "{\"scenario\": \"mystery\", \"verdict\": \"pass\"}");
        for (String hosts : List.of("Host: evil.example.com", "Host: evil.example.com:" + dashboard.port(), "X: y")) {
            String answer = ask("GET / HTTP/1.1\r\n" + hosts + "\r\n\r\n");
            assertThat(answer).startsWith("HTTP/1.1 421 ").doesNotContain("mystery");
            requireProtection(answer);
        }
        String two = ask("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example.com\r\n\r\n");
        assertThat(two).matches("(?s)HTTP/1\\.1 4\\d\\d .*").doesNotContain("mystery");
        assertThat(get("/")).startsWith("HTTP/1.1 200 ").contains("mystery");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: localhost",
                "GET /nowhere HTTP/1.1\r\nHost: localhost",
                "GET /%zz HTTP/1.1\r\nHost: localhost",
                "GET /mystery/x/report.html HTTP/1.1\r\nHost: localhost",
                "HEAD / HTTP/1.1\r\nHost: localhost",
                "DELETE / HTTP/1.1\r\nHost: localhost",
                "nonsense"
            })
    void shouldProtectEveryAnswer(String request) throws IOException {
        requireProtection(ask(request + "\r\n\r\n"));
    }

    @Test
    void shouldRefuseABodyAndClose() throws IOException {
        String answer = ask("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\nx");
        assertThat(answer).startsWith("HTTP/1.1 413 ").contains("connection: close");
        requireProtection(answer);
    }

    @Test
    void shouldNotWaitForAPipe() throws IOException, InterruptedException {
        pipe(Report.of(run));
        pipe(run.resolve("run.json"));
        for (int i = 0; i < 10; i++) {
            assertThat(get(REPORT)).startsWith("HTTP/1.1 404 ");
            assertThat(get("/")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void shouldNotReadADirectoryOrALinkOut() throws IOException {
        Files.createDirectory(Report.of(run));
        assertThat(get(REPORT))
                .startsWith("HTTP/1.1 404 ")
                .doesNotContain("Exception")
                .doesNotContain("directory");
        Files.delete(Report.of(run));
        Path secret = Files.writeString(directory.resolve("secret"), "not to be seen");
        Files.createSymbolicLink(Report.of(run), secret);
        assertThat(get(REPORT)).startsWith("HTTP/1.1 404 ").doesNotContain("not to be seen");
        Files.createSymbolicLink(run.resolveSibling("latest"), Path.of(".."));
        Files.writeString(directory.resolve("runs/report.html"), "not to be seen");
        assertThat(get("/mystery/latest/report.html")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void shouldNotReadDevices() throws IOException {
        Files.createSymbolicLink(Report.of(run), Path.of("/dev/zero"));
        assertThat(get(REPORT)).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void shouldRefuseWhatIsTooLargeAndStreamWhatIsNot() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(Report.of(run).toFile(), "rw")) {
            sparse.setLength(3L << 30);
            assertThat(get(REPORT)).startsWith("HTTP/1.1 403 ").contains("3,221,225,472 bytes");
            sparse.setLength(LIMITS.maxReportBytes());
        }
        assertThat(get(REPORT)).startsWith("HTTP/1.1 200 ").hasSizeGreaterThan((int) LIMITS.maxReportBytes());
    }

    /** Thirty times as many as it takes at once; an honest request needs no luck. */
    @Test
    void shouldAnswerHonestClientsWhileSlowOnesHoldOn() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 30 * MAX_CONNECTIONS; i++) {
                Socket socket = connect();
                socket.getOutputStream().write("GET / HTTP/1.1\r\nX:".getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
                if (i % MAX_CONNECTIONS == 0) {
                    assertThat(get("/")).startsWith("HTTP/1.1 200 ");
                }
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** Long before its deadline; which of them is the oldest, the server's threads decide. */
    @Test
    void shouldCloseOneThatHasNotAskedForOneTooMany() throws IOException {
        dashboard.close();
        dashboard = launch(new ServeLimits(TimeUnit.HOURS.toMillis(1), MAX_CONNECTIONS, 1 << 20, 1 << 20));
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i <= MAX_CONNECTIONS; i++) {
                silent.add(connect());
            }
            boolean isOneClosed = false;
            for (int i = 0; i < 100 * MAX_CONNECTIONS && !isOneClosed; i++) {
                Socket socket = silent.get(i % silent.size());
                socket.setSoTimeout(20);
                isOneClosed = hasEnded(socket);
            }
            assertThat(isOneClosed).as("the server has closed one").isTrue();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** A byte now and then buys no more time. */
    @Test
    void shouldEndARequestAtItsDeadline() throws IOException {
        dashboard.close();
        dashboard = launch(new ServeLimits(500, MAX_CONNECTIONS, 1 << 20, 1 << 20));
        try (Socket socket = connect()) {
            socket.setSoTimeout(20);
            int read = 0;
            while (read == 0) {
                read = writeAndRead(socket);
            }
            assertThat(read).isEqualTo(-1);
        }
    }

    @Test
    void shouldNotShowAReplacedRunFromMemory() throws IOException {
        Files.writeString(run.resolve("run.json"), "{\"scenario\": \"before\", \"verdict\": \"pass\"}");
        assertThat(get("/")).contains("data-scenario=\"before\"");
        Files.move(run, directory.resolve("away"));
        Files.createDirectory(run);
        Files.writeString(run.resolve("run.json"), "{\"scenario\": \"behind\", \"verdict\": \"fail\"}");
        assertThat(get("/")).contains("data-scenario=\"behind\"").doesNotContain("before");
    }

    @Test
    void shouldNotBlowUpThePageForHugeStrings() throws IOException {
        Files.writeString(
                run.resolve("run.json"),
                "{\"verdict\": \"" + "v".repeat(300_000) + "\", \"scenario\": \"" + "s".repeat(500_000) + "\"}");
        assertThat(get("/")).startsWith("HTTP/1.1 200 ").hasSizeLessThan(30_000);
        Files.writeString(run.resolve("run.json"), "{\"scenario\": \"" + "s".repeat(2 << 20) + "\"}");
        assertThat(get("/")).startsWith("HTTP/1.1 200 ").contains("No runs.");
    }

    /** The lock of this test's own process counts as a lab that is alive. */
    @Test
    void shouldShowARunWhoseLabWasKilledAndNoneThatGoesOn() throws IOException {
        StartedRun started =
                StartedRun.begin(run, Json.value(Json.object().put("scenario", "killed"), StartRecord.class));
        assertThat(get("/")).contains("No runs.");
        started.close();
        assertThat(get("/")).contains("data-scenario=\"killed\"").contains("ended without a verdict");
    }

    /** All of it is below a path with a token, as reports, films and causes are nobody else's. */
    @Test
    void shouldAnswerNobodyWhoDoesNotKnowTheToken() throws IOException {
        Files.writeString(run.resolve("run.json"), "{\"scenario\": \"mystery\", \"verdict\": \"pass\"}");
        dashboard.close();
        dashboard = Dashboard.launchWithToken("127.0.0.1", 0, directory.resolve("runs"), List.of(), errors::add);
        String path = dashboard.path();
        assertThat(path).matches("/[A-Za-z0-9_-]{22}/");
        assertThat(get(path)).startsWith("HTTP/1.1 200 ").contains("mystery");
        assertThat(get(path + "runs.json")).startsWith("HTTP/1.1 200 ");
        for (String other : List.of(
                "/",
                "//",
                "/runs.json",
                "/mystery/" + RUN + "/run.json",
                "/" + "A".repeat(22) + "/",
                path.substring(0, path.length() - 2) + "/runs.json",
                path.substring(0, path.length() - 1))) {
            String answer = get(other);
            assertThat(answer).as(other).startsWith("HTTP/1.1 404 ").doesNotContain("mystery");
            requireProtection(answer);
        }
    }

    @Test
    void shouldEndPromptlyWhateverIsOpen() throws IOException {
        try (Socket idle = connect();
                Socket slow = connect()) {
            slow.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
            dashboard.close();
            assertThat(isClosed(idle)).isTrue();
            assertThat(isClosed(slow)).isTrue();
        }
    }

    private Dashboard launch(ServeLimits limits) {
        HostNames names = new HostNames("127.0.0.1", List.of());
        return Dashboard.launch("127.0.0.1", 0, directory.resolve("runs"), names, limits, errors::add);
    }

    private static void requireProtection(String answer) {
        String head = answer.substring(0, answer.indexOf("\r\n\r\n"));
        assertThat(head)
                .contains("content-security-policy: default-src 'none'; ")
                .contains("frame-ancestors 'none'")
                .contains("x-content-type-options: nosniff")
                .contains("x-frame-options: DENY")
                .contains("referrer-policy: no-referrer")
                .contains("cache-control: no-store")
                .contains("connection: close")
                .doesNotContain("unsafe");
    }

    private static void pipe(Path path) throws IOException, InterruptedException {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/mkfifo"))).as("mkfifo").isTrue();
        assertThat(new ProcessBuilder("mkfifo", path.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    /** The number of bytes read; 0: none yet; -1: the server has closed, or reset, the connection. */
    private static int writeAndRead(Socket socket) {
        try {
            socket.getOutputStream().write('x');
            return socket.getInputStream().read() < 0 ? -1 : 1;
        } catch (java.net.SocketTimeoutException e) {
            return 0;
        } catch (IOException e) {
            return -1;
        }
    }

    /** Looks for as long as the socket's timeout. */
    private static boolean hasEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        }
    }

    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            // One that the server had not yet taken is reset.
            return true;
        }
    }

    private String get(String path) throws IOException {
        return ask("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + dashboard.port() + "\r\n\r\n");
    }

    private String ask(String request) throws IOException {
        try (Socket socket = connect();
                InputStream in = socket.getInputStream()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), dashboard.port());
        socket.setSoTimeout(SILENCE_MS);
        return socket;
    }
}
