package org.naklab.testing.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A page in headless Chromium, driven over the DevTools protocol as a person would drive it: by mouse and keyboard. */
public final class Browser implements AutoCloseable {
    private static final long PATIENCE_S = 60;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** Codes of keys that move the focus or press what has it; others have none. */
    private static final Map<String, Integer> CODES =
            Map.of("Tab", 9, "Enter", 13, " ", 32, "End", 35, "ArrowLeft", 37, "ArrowRight", 39, "ArrowDown", 40);

    private static final Map<String, String> TEXTS = Map.of("Enter", "\r", " ", " ");

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
        String address = MAPPER.readTree(pages.body())
                .path(0)
                .path("webSocketDebuggerUrl")
                .asText();
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(address), new Listener())
                .join();
    }

    /** Opens a page and waits until its scripts have drawn it. */
    public static Browser open(String chromium, Path directory, Path page, int width, int height)
            throws IOException, InterruptedException {
        return open(chromium, directory, page.toUri(), width, height);
    }

    /** Opens a page and waits until its scripts have drawn it. */
    public static Browser open(String chromium, Path directory, URI page, int width, int height)
            throws IOException, InterruptedException {
        Browser browser = start(chromium, directory, width, height);
        browser.call("Page.navigate", Map.of("url", page.toString()));
        browser.await("document.body && (document.body.dataset.to || document.body.dataset.ready) !== undefined");
        return browser;
    }

    /** Starts a browser that shows an empty page. */
    public static Browser start(String chromium, Path directory, int width, int height)
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
        return browser;
    }

    /** Goes to a page, and waits until it is loaded. */
    public void go(URI page) throws InterruptedException {
        call("Page.navigate", Map.of("url", page.toString()));
        await("location.href.startsWith('" + page + "') && document.readyState === 'complete'");
    }

    /** Waits until an expression is true. While a page is being loaded, it is not. */
    public void await(String condition) {
        Awaitility.await(condition).atMost(PATIENCE_S, TimeUnit.SECONDS).until(() -> call(
                        "Runtime.evaluate", Map.of("expression", "Boolean(" + condition + ")", "returnByValue", true))
                .path("result")
                .path("result")
                .path("value")
                .asBoolean());
    }

    /** Sets the size of the screen; a narrow one is a telephone's. */
    public void resize(int width, int height) throws InterruptedException {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    /** Returns the value of an expression. */
    public JsonNode evaluate(String expression) throws InterruptedException {
        JsonNode answer = call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        if (answer.path("result").has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + answer);
        }
        return answer.path("result").path("result").path("value");
    }

    /** Collects the garbage of the page's scripts, and returns the bytes that they retain. */
    public long retainedBytes() throws InterruptedException {
        call("HeapProfiler.collectGarbage", Map.of());
        return call("Runtime.getHeapUsage", Map.of())
                .path("result")
                .path("usedSize")
                .asLong();
    }

    /** Sets the colours that the person prefers: {@code light} or {@code dark}. */
    public void prefer(String scheme) throws InterruptedException {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Returns what keeps people who use a keyboard, a screen reader or large contrast from the page, one line each, by the rules of axe-core. */
    public List<String> obstacles() throws IOException, InterruptedException {
        try (InputStream rules = Browser.class.getResourceAsStream("/axe.min.js")) {
            evaluate(new String(Objects.requireNonNull(rules).readAllBytes(), StandardCharsets.UTF_8) + ";0");
        }
        evaluate("window.obstacles = undefined; axe.run().then(result => { window.obstacles = result.violations"
                + ".flatMap(each => each.nodes.map(node => each.impact + ' ' + each.id + ' ' + node.target + ': '"
                + " + node.failureSummary)); }); 0");
        Awaitility.await("the rules")
                .atMost(PATIENCE_S, TimeUnit.SECONDS)
                .until(() -> evaluate("window.obstacles !== undefined").asBoolean());
        List<String> lines = new ArrayList<>();
        evaluate("window.obstacles").forEach(line -> lines.add(line.asText()));
        return lines;
    }

    /** Moves the pointer. */
    public void moveTo(double x, double y) throws InterruptedException {
        mouse("mouseMoved", x, y, 0);
    }

    /** Presses the button, moves with it, and lets it go. */
    public void drag(double fromX, double toX, double y) throws InterruptedException {
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

    /** Presses a key and lets it go. */
    public void press(String key) throws InterruptedException {
        ObjectNode event = MAPPER.createObjectNode()
                .put("key", key)
                .put("code", key.equals(" ") ? "Space" : key)
                .put("windowsVirtualKeyCode", CODES.getOrDefault(key, 0));
        ObjectNode down = event.deepCopy().put("type", TEXTS.containsKey(key) ? "keyDown" : "rawKeyDown");
        if (TEXTS.containsKey(key)) {
            down.put("text", TEXTS.get(key));
        }
        call("Input.dispatchKeyEvent", down);
        call("Input.dispatchKeyEvent", event.put("type", "keyUp"));
    }

    /** Types text where the focus is. */
    public void type(String text) throws InterruptedException {
        call("Input.insertText", Map.of("text", text));
    }

    private JsonNode call(String method, Object parameters) throws InterruptedException {
        ObjectNode message = MAPPER.createObjectNode().put("id", ++lastId).put("method", method);
        message.set("params", MAPPER.valueToTree(parameters));
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
                    answers.add(MAPPER.readTree(part.toString()));
                } catch (JsonProcessingException e) {
                    return CompletableFuture.failedFuture(e);
                }
                part.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }
}
