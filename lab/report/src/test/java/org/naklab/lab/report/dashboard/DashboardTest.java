package org.naklab.lab.report.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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
import org.naklab.lab.core.LabException;
import org.naklab.lab.report.Report;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DashboardTest {
    private static final String RUN = "2026-11-21T03-26-10.052Z-42";
    private static final String HOST = "127.0.0.1";

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    private Path runs;
    private Dashboard dashboard;

    @BeforeEach
    void launch() throws IOException {
        runs = Files.createDirectory(directory.resolve("runs"));
        dashboard = Dashboard.launch(HOST, 0, runs, List.of(), errors::add);
    }

    @AfterEach
    void close() {
        dashboard.close();
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldShowARunThatIsNewWhenAskedAgain() throws IOException, InterruptedException {
        assertThat(get("/").body()).contains("No runs.");
        leaveRun();
        HttpResponse<String> calendar = get("/");
        assertThat(calendar.statusCode()).isEqualTo(200);
        assertThat(calendar.body())
                .contains("data-scenario=\"mystery\"")
                .contains("href=\"mystery/" + RUN + "/report.html\"");
        HttpResponse<String> report = get("/mystery/" + RUN + "/report.html");
        assertThat(report.statusCode()).isEqualTo(200);
        assertThat(report.body()).isEqualTo("<p>the report</p>");
    }

    /** The page of a campaign links to them. */
    @Test
    void shouldServeTheRunsOfACampaign() throws IOException, InterruptedException {
        String path = "/campaigns/night/baseline-none-7/baseline/" + RUN + "/";
        Path run = Files.createDirectories(runs.resolve(path.substring(1)));
        Files.writeString(run.resolve("report.html"), "<p>the report</p>");
        Files.writeString(run.resolve("run.json"), "{}");
        Files.writeString(run.resolve("run.log"), "private");
        Path secret = Files.createDirectories(directory.resolve("secret"));
        Files.writeString(secret.resolve("report.html"), "secret");
        Files.createSymbolicLink(runs.resolve("campaigns/night/baseline-none-7/baseline/link"), secret);

        HttpResponse<String> report = get(path + "report.html");
        assertThat(report.statusCode()).isEqualTo(200);
        assertThat(report.body()).isEqualTo("<p>the report</p>");
        assertThat(get(path + "run.log").statusCode()).isEqualTo(404);
        assertThat(get("/campaigns/night/baseline-none-7/baseline/link/report.html")
                        .statusCode())
                .isEqualTo(404);
        assertThat(get("/campaigns/night/baseline-none-7/baseline/none/report.html")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldLeaveOutWhatIsNotWritten() throws IOException, InterruptedException {
        Path run = Files.createDirectories(runs.resolve("mystery").resolve(RUN));
        assertThat(get("/").body()).contains("No runs.");
        Files.writeString(run.resolve("run.json"), "{\"scenario\": \"mys");
        assertThat(get("/").body()).contains("No runs.");
        assertThat(get("/mystery/" + RUN + "/report.html").statusCode()).isEqualTo(404);
    }

    /** The lock on its file says that the lab of a run lives. */
    @Test
    void shouldShowARunThatGoesOnUntilItsLabEnds() throws IOException, InterruptedException {
        Path run = Files.createDirectories(runs.resolve("masked").resolve(RUN));
        Path started = run.resolve("started.json");
        Files.writeString(
                started,
                "{\"scenario\": \"masked\", \"fidelity\": \"audited\", \"remedy\": \"none\", \"profile\": \"lbtrm\","
                        + " \"seed\": 42, \"startedUtc\": \"2026-11-21T03:26:10.052Z\"}");
        Process lab = new ProcessBuilder(lockingCommand(started)).start();
        try {
            assertThat(lab.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("locked");
            assertThat(get("/").body()).contains("<li>masked, no remedy, seed 42: since 2026-11-21 03:26:10 UTC");
            assertThat(get("/runs.json").body()).contains("\"running\":[{\"scenario\":\"masked\"");
        } finally {
            lab.destroyForcibly().onExit().join();
        }
        assertThat(get("/").body()).doesNotContain("<li>masked").contains("data-scenario=\"masked\"");
        assertThat(get("/runs.json").headers().firstValue("content-type")).hasValue("application/json");
        assertThat(get("/runs.json").body()).contains("\"running\":[]");
    }

    /** Locks as the JVM does, by fcntl, in another process: a process has no conflict with its own locks. */
    private static List<String> lockingCommand(Path file) {
        return List.of(
                "python3",
                "-c",
                "import fcntl, sys\nf = open(sys.argv[1], 'r+')\nfcntl.lockf(f, fcntl.LOCK_EX)\n"
                        + "print('locked', flush=True)\nsys.stdin.read()",
                file.toString());
    }

    @Test
    void shouldTellTheLengthToHead() throws IOException, InterruptedException {
        leaveRun();
        HttpResponse<String> head = send(request("/mystery/" + RUN + "/report.html")
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValueAsLong("content-length")).hasValue("<p>the report</p>".length());
        assertThat(head.body()).isEmpty();
    }

    /** A report links to the calendar and to these files; a browser asks for the icon itself. */
    @Test
    void shouldServeWhatAReportLinksTo() throws IOException, InterruptedException {
        leaveRun();
        Path run = runs.resolve("mystery").resolve(RUN);
        Files.writeString(run.resolve("samples.csv.gz"), "samples");
        Files.writeString(run.resolve("mds.json"), "configuration");
        HttpResponse<String> samples = get("/mystery/" + RUN + "/samples.csv.gz");
        assertThat(samples.statusCode()).isEqualTo(200);
        assertThat(samples.body()).isEqualTo("samples");
        assertThat(samples.headers().firstValue("content-type")).hasValue("application/octet-stream");
        assertThat(get("/mystery/" + RUN + "/run.json").body()).isEqualTo(Files.readString(run.resolve("run.json")));
        assertThat(get("/mystery/" + RUN + "/mds.json").statusCode()).isEqualTo(404);
        assertThat(get("/mystery/" + RUN + "/window.jfr").statusCode()).isEqualTo(404);
        assertThat(get("/index.html").body()).contains("data-scenario=\"mystery\"");
        HttpResponse<String> icon = get("/favicon.ico");
        assertThat(icon.statusCode()).isEqualTo(200);
        assertThat(icon.headers().firstValue("content-type")).hasValue("image/svg+xml");
    }

    @Test
    void shouldTakeNothing() throws IOException, InterruptedException {
        HttpResponse<String> answer =
                send(request("/").POST(HttpRequest.BodyPublishers.ofString("x")).build());
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret/report.html",
                "/mystery/../../secret/report.html",
                "/..%2fsecret/x/report.html",
                "/%2e%2e/secret/report.html",
                "/mystery/..%2f..%2fsecret/report.html",
                "//secret/report.html",
                "/mystery/%00/report.html",
                "/mystery/" + RUN + "/mds.json",
                "/mystery/" + RUN + "/..%2frun.json",
                "/out/secret/report.html",
                "/%zz"
            })
    void shouldReadNothingElse(String path) throws IOException {
        leaveRun();
        Path secret = Files.createDirectory(directory.resolve("secret"));
        Files.writeString(Report.of(secret), "not to be seen");
        Files.createSymbolicLink(runs.resolve("out"), directory);
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(answer).matches("(?s)HTTP/1\\.1 40[04] .*").doesNotContain("not to be seen");
    }

    @Test
    void shouldAnswerWhatIsNoRequest() throws IOException {
        assertThat(raw("nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void shouldSayInOneLineThatThePortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThatThrownBy(() -> Dashboard.launch(HOST, taken.getLocalPort(), runs, List.of(), errors::add))
                    .isInstanceOf(LabException.class)
                    .hasMessageContaining("port " + taken.getLocalPort())
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void shouldSayInOneLineThatThereAreNoRuns() {
        assertThatThrownBy(() -> Dashboard.launch(HOST, 0, directory.resolve("nowhere"), List.of(), errors::add))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("nowhere is not there");
    }

    private void leaveRun() throws IOException {
        Path run = Files.createDirectories(runs.resolve("mystery").resolve(RUN));
        try (InputStream in = Objects.requireNonNull(Report.class.getResourceAsStream("mystery/run.json"))) {
            Files.copy(in, run.resolve("run.json"));
        }
        Files.writeString(Report.of(run), "<p>the report</p>");
        Files.createSymbolicLink(runs.resolve("mystery/latest"), run.getFileName());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + dashboard.port() + path));
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** As a browser would never send it. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), dashboard.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
