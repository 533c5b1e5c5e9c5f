package org.naklab.lab.workshop.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;

/** Somebody who looks at the film of a case, from a page of the server. */
final class FilmViewer implements WebSocket.Listener, AutoCloseable {
    private static final long PATIENCE_S = 60;

    private final StringBuilder part = new StringBuilder();
    private final Queue<JsonNode> texts = new ConcurrentLinkedQueue<>();
    private final WebSocket socket;

    /**
     * Opens the WebSocket.
     *
     * @param cookie by which the server knows who asks
     * @throws java.util.concurrent.CompletionException the server refuses it
     */
    FilmViewer(int port, String path, String cookie) {
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Origin", "http://127.0.0.1:" + port)
                .header("Cookie", cookie)
                .buildAsync(URI.create("ws://127.0.0.1:" + port + path), this)
                .join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
        part.append(data);
        if (isLast) {
            try {
                texts.add(Json.parse(part.toString()));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    /** Goes to the end of the film, and returns all that is told until then: the description, the events and the stalls. */
    String all() {
        JsonNode hello = Awaitility.await("the first message")
                .atMost(PATIENCE_S, TimeUnit.SECONDS)
                .until(texts::peek, text -> text != null);
        double lengthMs = hello.path("lengthMs").asDouble();
        socket.sendText("{\"seekMs\":" + lengthMs + ",\"reveal\":true}", true).join();
        Awaitility.await("the events up to the end")
                .atMost(PATIENCE_S, TimeUnit.SECONDS)
                .until(() -> texts.stream()
                                .filter(text -> text.path("reset").asBoolean())
                                .count()
                        > 1);
        return String.join("\n", texts.stream().map(JsonNode::toString).toList());
    }

    @Override
    public void close() {
        socket.abort();
    }
}
