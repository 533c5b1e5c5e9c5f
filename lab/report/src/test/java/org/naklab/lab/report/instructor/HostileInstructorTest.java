package org.naklab.lab.report.instructor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.report.dashboard.Dashboard;
import org.naklab.lab.report.instructor.RunState.Phase;

/** What an audience, a page of another site and a hostile client try on the server of an instructor. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HostileInstructorTest {
    private static final String START = "{\"scenario\": \"gc-pause\"}";

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final ActedRuns acts = new ActedRuns();

    @TempDir
    private Path directory;

    private InstructorServer server;
    private InstructorClient client;
    private String instructor;
    private String audience;

    @BeforeEach
    void launch() throws IOException {
        Path runs = Files.createDirectories(directory.resolve("runs"));
        Files.createDirectories(runs.resolve("gc-pause/run-1"));
        Files.writeString(
                runs.resolve("gc-pause/run-1/run.json"), "{\"scenario\": \"gc-pause\", \"verdict\": \"pass\"}");
        server = InstructorServer.launch(
                "127.0.0.1", 0, List.of(), acts, acts.stage, Dashboard.pages(runs), errors::add);
        client = new InstructorClient(server.port());
        instructor = directoryOf(server.instructorPath());
        audience = directoryOf(server.audiencePath());
    }

    @AfterEach
    void close() {
        server.close();
        assertThat(errors).isEmpty();
    }

    private static String directoryOf(String path) {
        assertThat(path).matches("/[A-Za-z0-9_-]{22}/live\\.html");
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    @Test
    void shouldStartARunForTheInstructor() throws IOException, InterruptedException {
        assertThat(client.act("POST", instructor + "api/run", START).statusCode())
                .isEqualTo(200);
        assertThat(acts.state().phase()).isEqualTo(Phase.RUNNING);
        assertThat(client.act("POST", instructor + "api/run", START).statusCode())
                .isEqualTo(409);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, api/run, '{\"scenario\": \"gc-pause\"}'",
        "POST, api/run/stop, ''",
        "POST, api/run/reveal, ''",
        "POST, api/run/faults, '{\"fault\": \"datagram-loss\"}'",
        "DELETE, api/run/faults/1, ''"
    })
    void shouldLetTheAudienceDoNothing(String method, String path, String body)
            throws IOException, InterruptedException {
        acts.start(new RunWish("gc-pause", null, null, null, null, null, null, true));
        acts.inject("datagram-loss");
        RunState before = acts.state();
        for (String base : List.of(audience, "/", "/" + "A".repeat(22) + "/")) {
            assertThat(client.act(method, base + path, body).statusCode())
                    .as(base)
                    .isIn(403, 404);
        }
        assertThat(acts.state()).isEqualTo(before);
        assertThat(client.act(method, audience + path, body).statusCode()).isEqualTo(403);
    }

    @Test
    void shouldNotTellTheAudienceWhatIsHidden() throws IOException, InterruptedException {
        acts.start(new RunWish(ActedRuns.SECRET, null, null, null, null, null, null, true));
        acts.inject("datagram-loss:probability=7%");
        for (String path : List.of("api/run", "live.html")) {
            assertThat(client.get(audience + path).body())
                    .as(path)
                    .doesNotContain(ActedRuns.SECRET)
                    .doesNotContain("datagram-loss");
        }
        for (String path :
                List.of("", "runs.json", "gc-pause/run-1/film.html", "gc-pause/run-1/run.json", "index.html")) {
            assertThat(client.get(audience + path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(client.json(instructor + "api/run").path("scenario").asText())
                .isEqualTo(ActedRuns.SECRET);
        acts.reveal();
        assertThat(client.json(audience + "api/run").path("scenario").asText()).isEqualTo(ActedRuns.SECRET);
    }

    @Test
    void shouldShowTheInstructorTheRunsThatHaveEnded() throws IOException, InterruptedException {
        assertThat(client.get(instructor).body()).contains("gc-pause");
        assertThat(client.get(instructor + "gc-pause/run-1/film.html").statusCode())
                .isEqualTo(200);
        assertThat(client.get(instructor + "../runs.json").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http://evil.example", "null", "http://127.0.0.1:1"})
    void shouldRefuseToActForAPageOfAnotherSite(String origin) throws IOException, InterruptedException {
        assertThat(client.send("POST", instructor + "api/run", origin, "application/json", START)
                        .statusCode())
                .isEqualTo(403);
        assertThat(client.send("POST", instructor + "api/run/stop", origin, "", "")
                        .statusCode())
                .isEqualTo(403);
        assertThat(acts.state().phase()).isEqualTo(Phase.NONE);
    }

    /** A form of another site can send text, but not say that it is JSON. */
    @ParameterizedTest
    @ValueSource(strings = {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
    void shouldTakeOnlyWhatSaysThatItIsJson(String type) throws IOException, InterruptedException {
        assertThat(client.send("POST", instructor + "api/run", client.origin(), type, START)
                        .statusCode())
                .isEqualTo(400);
        assertThat(acts.state().phase()).isEqualTo(Phase.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "7",
                "[]",
                "{}",
                "{\"scenario\": null}",
                "{\"scenario\": \"moonlight\"}",
                "{\"scenario\": \"gc-pause\", \"sed\": 7}",
                "{\"scenario\": \"gc-pause\", \"seed\": \"x\"}",
                "{\"scenario\": \"gc-pause\", \"rate\": 1e300}",
                "{\"scenario\": \"gc-pause\"} {}"
            })
    void shouldRefuseWhatIsNoRun(String body) throws IOException, InterruptedException {
        assertThat(client.send("POST", instructor + "api/run", client.origin(), "application/json", body)
                        .statusCode())
                .isEqualTo(400);
        assertThat(acts.state().phase()).isEqualTo(Phase.NONE);
    }

    @Test
    void shouldRefuseABodyThatIsTooLarge() throws IOException, InterruptedException {
        String large = "{\"scenario\": \"" + "x".repeat(4_000) + "\"}";
        assertThat(client.act("POST", instructor + "api/run", large).statusCode())
                .isEqualTo(413);
        assertThat(client.ask(
                        "POST " + instructor + "api/run HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
                                + "Content-Length: 999999999\r\n\r\nx"))
                .startsWith("HTTP/1.1 413 ");
    }

    @Test
    void shouldRefuseTooManyActs() throws IOException, InterruptedException {
        int refused = 0;
        // Whatever the speed of this machine: the rate is counted in seconds, and 6 follow one another in one of them.
        for (int i = 0; i < 600 && refused == 0; i++) {
            refused += client.act("POST", instructor + "api/run/stop", "").statusCode() == 429 ? 1 : 0;
        }
        assertThat(refused).isEqualTo(1);
        assertThat(client.get(instructor + "api/run").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldRefuseToBeCalledByAForeignName() throws IOException {
        assertThat(client.ask("GET " + instructor + "live.html HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
                .startsWith("HTTP/1.1 421 ");
        assertThat(client.ask("POST " + instructor
                        + "api/run/stop HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n"
                        + "Content-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 421 ");
    }

    @Test
    void shouldProtectItsPages() throws IOException, InterruptedException {
        for (String base : List.of(instructor, audience)) {
            var page = client.get(base + "live.html");
            assertThat(page.statusCode()).isEqualTo(200);
            String policy = page.headers().firstValue("content-security-policy").orElse("");
            assertThat(policy)
                    .contains("default-src 'none'")
                    .contains("connect-src 'self'")
                    .contains("form-action 'none'")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(page.headers().firstValue("referrer-policy")).hasValue("no-referrer");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH"})
    void shouldKnowOnlyItsMethods(String method) throws IOException, InterruptedException {
        var answer = client.act(method, instructor + "api/run", "");
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("allow")).hasValue("GET, POST");
        assertThat(client.act(method, instructor + "live.html", "").statusCode())
                .isEqualTo(405);
    }

    private WebSocket open(String path, String origin) {
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Origin", origin)
                .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + path), new WebSocket.Listener() {})
                .join();
    }

    @Test
    void shouldOpenWebSocketsOnlyForThoseWhoHaveAToken() {
        open(audience + "live", client.origin()).abort();
        open(instructor + "live", client.origin()).abort();
        for (String path : List.of("/live", "/" + "A".repeat(22) + "/live", audience + "gc-pause/run-1/film")) {
            assertThatThrownBy(() -> open(path, client.origin())).as(path).isInstanceOf(CompletionException.class);
        }
        assertThatThrownBy(() -> open(instructor + "live", "http://evil.example"))
                .isInstanceOf(CompletionException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/live.html", "/api/run", "//live.html", "/x", "/%2e%2e/"})
    void shouldTellNothingWithoutAToken(String path) throws IOException {
        assertThat(client.ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 404 ")
                .doesNotContain(instructor)
                .doesNotContain(audience)
                .doesNotContain("gc-pause");
    }
}
