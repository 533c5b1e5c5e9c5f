package org.naklab.lab.report.instructor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.naklab.lab.core.Json;

/** Asks the server of an instructor, as a browser or a hostile client does. */
final class InstructorClient {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final int port;

    InstructorClient(int port) {
        this.port = port;
    }

    String origin() {
        return "http://127.0.0.1:" + port;
    }

    HttpResponse<String> send(String method, String path, String origin, String type, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!origin.isEmpty()) {
            request.header("Origin", origin);
        }
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Acts as the page does. */
    HttpResponse<String> act(String method, String path, String json) throws IOException, InterruptedException {
        return send(method, path, origin(), json.isEmpty() ? "" : "application/json", json);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, "", "", "");
    }

    JsonNode json(String path) throws IOException, InterruptedException {
        return Json.parse(get(path).body());
    }

    String ask(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
