package org.naklab.lab.workshop.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A browser of a trainee or of the trainer. */
final class ClassBrowser {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final String server;
    private String cookie = "";

    ClassBrowser(int port) {
        server = "http://127.0.0.1:" + port;
    }

    /** Joins a class, which has to succeed. */
    static ClassBrowser of(String trainee, WorkshopServer server) {
        ClassBrowser browser = new ClassBrowser(server.port());
        assertThat(browser.join(server.code(), trainee).statusCode())
                .as(trainee)
                .isEqualTo(303);
        return browser;
    }

    static ClassBrowser ofTrainer(WorkshopServer server) {
        ClassBrowser browser = new ClassBrowser(server.port());
        assertThat(browser.post("/trainer/login", "token", server.trainerToken())
                        .statusCode())
                .isEqualTo(303);
        return browser;
    }

    HttpResponse<String> join(String code, String trainee) {
        return post("/join", "code", code, "name", trainee);
    }

    /** Returns what the browser sends to say who it is. */
    String cookie() {
        return cookie;
    }

    void cookie(String other) {
        cookie = other;
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    /** Returns a page, which has to be there. */
    String page(String path) {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(path + response.body()).isEqualTo(200);
        return response.body();
    }

    /** @param fields names and values by turns */
    HttpResponse<String> post(String path, String... fields) {
        return postFrom(server, path, fields);
    }

    HttpResponse<String> postFrom(String origin, String path, String... fields) {
        HttpRequest.Builder request = request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(encoded(fields)));
        return send(origin.isEmpty() ? request : request.header("Origin", origin));
    }

    private static String encoded(String... fields) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < fields.length; i += 2) {
            pairs.add(fields[i] + "=" + URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return String.join("&", pairs);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
        return cookie.isEmpty() ? request : request.header("Cookie", cookie);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            response.headers()
                    .firstValue("set-cookie")
                    .ifPresent(value -> cookie = value.substring(0, value.indexOf(';')));
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
