package org.naklab.lab.report.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.series.SeriesName;

/** What a hostile page or client tries on the server of what goes on now. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HostileLiveTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ALL = "0.0.0.0";

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final LiveFeed feed = LiveFeed.ofWatch("process 4711");
    private final List<LiveServer> servers = new ArrayList<>();

    private LiveServer launch(String host) {
        LiveServer server = LiveServer.launch(host, 0, feed, errors::add);
        servers.add(server);
        return server;
    }

    @AfterEach
    void close() {
        servers.forEach(LiveServer::close);
        assertThat(errors).isEmpty();
    }

    private static URI uri(LiveServer server) {
        return URI.create(server.url(LOOPBACK));
    }

    private static String ask(LiveServer server, String request) throws IOException {
        URI uri = uri(server);
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String get(LiveServer server, String path) throws IOException {
        return ask(server, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private static final class Viewer implements WebSocket.Listener {
        private final AtomicInteger closed = new AtomicInteger();
        private final AtomicInteger frames = new AtomicInteger();

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, java.nio.ByteBuffer data, boolean isLast) {
            frames.incrementAndGet();
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.set(status);
            return null;
        }
    }

    private static WebSocket open(LiveServer server, String path, String origin, Viewer viewer) {
        URI uri = uri(server);
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Origin", origin)
                .buildAsync(URI.create("ws://" + uri.getHost() + ":" + uri.getPort() + path), viewer)
                .join();
    }

    private static WebSocket open(LiveServer server, String path, Viewer viewer) {
        return open(server, path, "http://" + uri(server).getAuthority(), viewer);
    }

    private static String socketPath(LiveServer server) {
        return uri(server).getPath().replace("film.html", "film");
    }

    @Test
    void shouldNeedATokenWhereOthersCanConnect() throws IOException {
        LiveServer server = launch(ALL);
        String path = uri(server).getPath();
        assertThat(path).matches("/[A-Za-z0-9_-]{22}/film\\.html");
        assertThat(get(server, path)).startsWith("HTTP/1.1 200 ").contains("process 4711");
        Viewer viewer = new Viewer();
        WebSocket socket = open(server, socketPath(server), viewer);
        Awaitility.await("frames").until(() -> viewer.frames.get() > 0);
        socket.abort();
        String other = "/" + "A".repeat(22);
        for (String wrong : List.of("/film.html", "/", other + "/film.html", "//film.html", path + "/..")) {
            assertThat(get(server, wrong))
                    .as(wrong)
                    .startsWith("HTTP/1.1 404 ")
                    .doesNotContain("4711")
                    .doesNotContain(path);
        }
        for (String wrong : List.of("/film", other + "/film")) {
            assertThatThrownBy(() -> open(server, wrong, new Viewer())).isInstanceOf(CompletionException.class);
        }
    }

    @Test
    void shouldHaveATokenOfItsOwnEachTime() {
        assertThat(uri(launch(ALL)).getPath()).isNotEqualTo(uri(launch(ALL)).getPath());
    }

    @Test
    void shouldNeedNoneOnLoopback() throws IOException {
        LiveServer server = launch(LOOPBACK);
        assertThat(get(server, "/film.html"))
                .startsWith("HTTP/1.1 200 ")
                .contains("content-security-policy: default-src 'none'; ")
                .contains("referrer-policy: no-referrer")
                .contains("x-frame-options: DENY");
        assertThat(get(server, "/")).startsWith("HTTP/1.1 303 ").contains("location: /film.html");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1"})
    void shouldRefuseAPageOfAnotherSite(String origin) {
        LiveServer server = launch(LOOPBACK);
        assertThatThrownBy(() -> open(server, "/film", origin, new Viewer())).isInstanceOf(CompletionException.class);
    }

    @Test
    void shouldRefuseToBeCalledByAForeignName() throws IOException {
        LiveServer server = launch(LOOPBACK);
        assertThat(ask(server, "GET /film.html HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
                .startsWith("HTTP/1.1 421 ")
                .doesNotContain("4711");
    }

    /** Viewers only look. */
    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE"})
    void shouldTakeNothing(String method) throws IOException {
        LiveServer server = launch(LOOPBACK);
        assertThat(ask(server, method + " /film.html HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "7", "{\"stop\": true, \"columns\": -1}", "{\"seekMs\": 1e300}", "{\"live\": 5e5}"})
    void shouldEndAViewerThatSendsNoCommand(String command) {
        LiveServer server = launch(LOOPBACK);
        Viewer viewer = new Viewer();
        open(server, "/film", viewer).sendText(command, true).join();
        Awaitility.await("the end").until(() -> viewer.closed.get() == 1007);
    }

    @Test
    void shouldKnowNoHostThatThereIsNot() {
        assertThatThrownBy(() -> launch("no such host")).isInstanceOf(UsageException.class);
    }

    /** What a slow viewer has not taken is replaced by what holds now, and the frame says how many there were. */
    @Test
    void shouldNotQueueFramesForASlowViewer() {
        LiveSource source = feed.open();
        long nowNs = System.nanoTime();
        source.onSample(nowNs, SeriesName.of("socket.4711.127.0.0.1:40123#77.depthBytes"), 1_024);
        source.onProgress(nowNs);
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(new FilmSocket(feed));
        tick(channel);
        assertThat(lost(channel)).isZero();
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        for (int i = 0; i < 1_000; i++) {
            tick(channel);
        }
        assertThat(channel.outboundMessages()).isEmpty();
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        tick(channel);
        assertThat(lost(channel)).isEqualTo(1_000);
        assertThat(channel.finishAndReleaseAll()).isFalse();
    }

    private static void tick(EmbeddedChannel channel) {
        channel.advanceTimeBy(33, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    /** Takes what was sent; returns how many frames the only one of the strips says were left out. */
    private static int lost(EmbeddedChannel channel) {
        int lost = -1;
        for (WebSocketFrame frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
            if (frame instanceof BinaryWebSocketFrame) {
                assertThat(lost).as("frames of strips").isEqualTo(-1);
                ByteBuf content = frame.content();
                lost = content.getInt(content.readerIndex() + 4);
            } else {
                assertThat(frame).isInstanceOf(TextWebSocketFrame.class);
            }
            frame.release();
        }
        return lost;
    }

    /** A browser that looks at one run goes on with the next. */
    @Test
    void shouldSendViewersToWhatIsShownNext() {
        LiveServer server = launch(LOOPBACK);
        Viewer viewer = new Viewer();
        open(server, "/film", viewer);
        server.show(LiveFeed.ofWatch("process 4712"));
        Awaitility.await("the end").until(() -> viewer.closed.get() == 1012);
    }
}
