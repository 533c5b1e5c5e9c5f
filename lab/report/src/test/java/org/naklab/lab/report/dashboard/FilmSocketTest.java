package org.naklab.lab.report.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.report.FixtureRun;
import org.naklab.lab.report.web.HostNames;

/** The film of a run over its WebSocket, and what tries to misuse it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FilmSocketTest {
    private static final String HOST = "127.0.0.1";
    private static final String PATH = "/mystery/run-1/film";
    /** A connection that asks for a page has this long. */
    private static final int DEADLINE_MS = 30_000;

    private static final int SHORT_DEADLINE_MS = 300;

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    private Dashboard dashboard;

    @BeforeEach
    void launch() throws IOException {
        Path runs = Files.createDirectory(directory.resolve("runs"));
        FixtureRun.copyTo(Files.createDirectories(runs.resolve("mystery/run-1")));
        Files.createDirectories(runs.resolve("mystery/empty"));
        Files.createSymbolicLink(runs.resolve("mystery/elsewhere"), Files.createDirectory(directory.resolve("other")));
        FixtureRun.copyTo(directory.resolve("other"));
        dashboard = launch(DEADLINE_MS);
    }

    private Dashboard launch(int deadlineMs) {
        return Dashboard.launch(
                HOST,
                0,
                directory.resolve("runs"),
                new HostNames(HOST, List.of()),
                new ServeLimits(deadlineMs, 4, 1 << 20, 1 << 20),
                errors::add);
    }

    @AfterEach
    void close() {
        dashboard.close();
        assertThat(errors).isEmpty();
    }

    private static final class Viewer implements WebSocket.Listener {
        private final StringBuilder part = new StringBuilder();
        private final Queue<JsonNode> texts = new ConcurrentLinkedQueue<>();
        private final AtomicInteger frames = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean isLast) {
            part.append(data);
            if (isLast) {
                try {
                    texts.add(Json.parse(part.toString()));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean isLast) {
            if (isLast) {
                frames.incrementAndGet();
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.set(status);
            return null;
        }

        private boolean hasTold(String word) {
            return texts.stream().anyMatch(text -> text.toString().contains(word));
        }
    }

    private WebSocket open(String path, @Nullable String origin, Viewer viewer) {
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        if (origin != null) {
            builder.header("Origin", origin);
        }
        return builder.buildAsync(URI.create("ws://" + HOST + ":" + dashboard.port() + path), viewer)
                .join();
    }

    private WebSocket open(Viewer viewer) {
        return open(PATH, "http://" + HOST + ":" + dashboard.port(), viewer);
    }

    @Test
    void shouldPlayARunAndKeepItsCauseUntilItIsAskedFor() {
        Viewer viewer = new Viewer();
        WebSocket socket = open(viewer);
        socket.sendText("{\"speed\": 100}", true).join();
        Awaitility.await("the stall").until(() -> viewer.hasTold("received nothing for"));
        assertThat(viewer.texts.peek().path("strips").toString())
                .contains("Socket depth")
                .contains("mds");
        assertThat(viewer.frames).hasPositiveValue();
        assertThat(viewer.hasTold("verdict")).isFalse();
        socket.sendText("{\"reveal\": true}", true).join();
        Awaitility.await("the cause").until(() -> viewer.hasTold("late-binding"));
        socket.abort();
    }

    @Test
    void shouldNotEndAViewerAtTheDeadlineOfPages() throws IOException {
        dashboard.close();
        dashboard = launch(SHORT_DEADLINE_MS);
        Viewer viewer = new Viewer();
        WebSocket socket = openInTime(viewer);
        try (Socket page = new Socket(InetAddress.getLoopbackAddress(), dashboard.port())) {
            assertThat(page.getInputStream().read()).as("the end of a page").isEqualTo(-1);
        }
        int before = viewer.frames.get();
        Awaitility.await("more frames").until(() -> viewer.frames.get() > before || viewer.closed.get() != 0);
        assertThat(viewer.closed).hasValue(0);
        socket.abort();
    }

    /** On a machine that stands still, a viewer may ask too late to become one. */
    private WebSocket openInTime(Viewer viewer) {
        while (true) {
            try {
                return open(viewer);
            } catch (CompletionException tooLate) {
                assertThat(tooLate).hasRootCauseInstanceOf(IOException.class);
            }
        }
    }

    /** More viewers than pages may be asked for at once. */
    @Test
    void shouldServeManyViewers() {
        List<Viewer> viewers =
                java.util.stream.Stream.generate(Viewer::new).limit(20).toList();
        List<WebSocket> sockets = viewers.stream().map(this::open).toList();
        Awaitility.await("frames for all").until(() -> viewers.stream().allMatch(viewer -> viewer.frames.get() > 3));
        sockets.forEach(WebSocket::abort);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1", ""})
    void shouldRefuseAPageOfAnotherSite(String origin) {
        assertThatThrownBy(() -> open(PATH, origin.isEmpty() ? null : origin, new Viewer()))
                .isInstanceOf(CompletionException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/mystery/empty/film",
                "/mystery/none/film",
                "/mystery/elsewhere/film",
                "/mystery/../film",
                "/mystery/%2e%2e/film",
                "/mystery/run-1/run.json",
                "/"
            })
    void shouldHaveNoFilmElsewhere(String path) {
        assertThatThrownBy(() -> open(path, "http://" + HOST + ":" + dashboard.port(), new Viewer()))
                .isInstanceOf(CompletionException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "7", "[]", "{\"speed\": \"fast\"}", "{\"speed\": -1}", "{\"columns\": 99999999}"})
    void shouldEndAViewerThatSendsNoCommand(String command) {
        Viewer viewer = new Viewer();
        open(viewer).sendText(command, true).join();
        Awaitility.await("the end").until(() -> viewer.closed.get() == 1007);
    }

    @Test
    void shouldEndAViewerThatAsksTooOften() {
        Viewer viewer = new Viewer();
        WebSocket socket = open(viewer);
        while (viewer.closed.get() == 0 && !socket.isOutputClosed()) {
            socket.sendText("{\"speed\": 1}", true).exceptionally(e -> null).join();
        }
        Awaitility.await("the end").until(() -> viewer.closed.get() == 1008);
    }

    @Test
    void shouldEndAViewerWhoseCommandIsTooLong() {
        Viewer viewer = new Viewer();
        WebSocket socket = open(viewer);
        socket.sendText("{\"speed\": 1" + " ".repeat(2_000) + "}", true)
                .exceptionally(e -> null)
                .join();
        Awaitility.await("the end").until(() -> viewer.closed.get() != 0 || socket.isInputClosed());
    }
}
