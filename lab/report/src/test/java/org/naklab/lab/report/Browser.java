package org.naklab.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.naklab.lab.core.Json;

/** A page in headless Chromium, driven over the DevTools protocol as a person would drive it: by mouse and keyboard. */
final class Browser implements AutoCloseable {
    private static final long PATIENCE_S = 60;

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final WebSocket socket;
    private int lastId;

    private Browser(Process process, int port) throws IOException, InterruptedException {
        this.process = process;
        HttpResponse<String> pages = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        String address =
                Json.parse(pages.body()).path(0).path("webSocketDebuggerUrl").asText();
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(address), new Listener())
                .join();
    }

    /** Opens a page and waits until its scripts have drawn it. */
    static Browser open(String chromium, Path directory, Path page, int width, int height)
            throws IOException, InterruptedException {
        return open(chromium, directory, page.toUri(), width, height);
    }

    /** Opens a page and waits until its scripts have drawn it. */
    static Browser open(String chromium, Path directory, URI page, int width, int height)
            throws IOException, InterruptedException {
        Path profile = directory.resolve("profile");
        Process process = new ProcessBuilder(List.of(
                        chromium,
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("chromium.log").toFile())
                .start();
        Path portFile = profile.resolve("DevToolsActivePort");
        Awaitility.await("the port of the browser")
                .atMost(PATIENCE_S, TimeUnit.SECONDS)
                .until(() ->
                        Files.exists(portFile) && Files.readAllLines(portFile).size() > 1);
        int port = Integer.parseInt(Files.readAllLines(portFile).get(0));
        Browser browser = new Browser(process, port);
        browser.resize(width, height);
        browser.call("Page.navigate", Map.of("url", page.toString()));
        Awaitility.await("the page").atMost(PATIENCE_S, TimeUnit.SECONDS).until(() -> browser.evaluate(
                        "document.body && (document.body.dataset.to || document.body.dataset.ready) !== undefined")
                .asBoolean());
        return browser;
    }

    /** Sets the size of the screen; a narrow one is a telephone's. */
    void resize(int width, int height) throws InterruptedException {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    /** Returns the value of an expression. */
    JsonNode evaluate(String expression) throws InterruptedException {
        JsonNode answer = call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        if (answer.path("result").has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + answer);
        }
        return answer.path("result").path("result").path("value");
    }

    void moveTo(double x, double y) throws InterruptedException {
        mouse("mouseMoved", x, y, 0);
    }

    /** Presses the button, moves with it, and lets it go. */
    void drag(double fromX, double toX, double y) throws InterruptedException {
        mouse("mouseMoved", fromX, y, 0);
        mouse("mousePressed", fromX, y, 1);
        mouse("mouseMoved", (fromX + toX) / 2, y, 1);
        mouse("mouseMoved", toX, y, 1);
        mouse("mouseReleased", toX, y, 0);
    }

    private void mouse(String type, double x, double y, int buttons) throws InterruptedException {
        call(
                "Input.dispatchMouseEvent",
                Map.of(
                        "type", type,
                        "x", x,
                        "y", y,
                        "button", type.equals("mouseMoved") && buttons == 0 ? "none" : "left",
                        "buttons", buttons,
                        "clickCount", 1));
    }

    void press(String key) throws InterruptedException {
        call("Input.dispatchKeyEvent", Map.of("type", "keyDown", "key", key, "code", key));
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "code", key));
    }

    private JsonNode call(String method, Map<String, ?> parameters) throws InterruptedException {
        ObjectNode message = Json.object().put("id", ++lastId).put("method", method);
        message.set("params", Json.tree(parameters, JsonNode.class));
        socket.sendText(message.toString(), true).join();
        while (true) {
            JsonNode answer = answers.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("the browser does not answer " + method);
            }
            if (answer.path("id").asInt() == lastId) {
                return answer;
            }
        }
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Puts whole messages into the queue. */
    private final class Listener implements WebSocket.Listener {
        private final StringBuilder part = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
            part.append(text);
            if (isLast) {
                try {
                    answers.add(Json.parse(part.toString()));
                } catch (IOException e) {
                    return CompletableFuture.failedFuture(e);
                }
                part.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }
}
