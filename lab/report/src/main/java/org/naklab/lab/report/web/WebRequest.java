package org.naklab.lab.report.web;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request whose names and origin were checked.
 *
 * @param path decoded, without query
 * @param query decoded values by their names
 * @param form decoded values of the body by their names; empty if there is no body, or it is JSON
 * @param json the body if it says that it is JSON, which no form of another site can; otherwise empty
 * @param cookies values by their names; of several of one name, none
 * @param client address of who asks, without the port
 */
public record WebRequest(
        HttpMethod method,
        String path,
        Map<String, List<String>> query,
        Map<String, List<String>> form,
        String json,
        Map<String, String> cookies,
        String client) {
    public WebRequest {
        query = Map.copyOf(query);
        form = Map.copyOf(form);
        cookies = Map.copyOf(cookies);
    }

    /** @throws IllegalArgumentException the path, the query or the body is not encoded as it should be */
    static WebRequest of(HttpRequest request, byte[] body, String client) {
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        String text = new String(body, StandardCharsets.UTF_8);
        boolean isJson = isJson(request);
        return new WebRequest(
                request.method(),
                uri.path(),
                uri.parameters(),
                new QueryStringDecoder(isJson ? "" : text, false).parameters(),
                isJson ? text : "",
                cookies(request),
                client);
    }

    private static boolean isJson(HttpRequest request) {
        String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        return type.split(";", 2)[0].strip().equalsIgnoreCase(HttpHeaderValues.APPLICATION_JSON.toString());
    }

    /** Returns the same request at another path, for pages that are below a directory. */
    public WebRequest at(String otherPath) {
        return new WebRequest(method, otherPath, query, form, json, cookies, client);
    }

    private static Map<String, String> cookies(HttpRequest request) {
        Map<String, String> cookies = new HashMap<>();
        for (String header : request.headers().getAll(HttpHeaderNames.COOKIE)) {
            for (Cookie cookie : ServerCookieDecoder.STRICT.decodeAll(header)) {
                cookies.merge(cookie.name(), cookie.value(), (one, other) -> "");
            }
        }
        return cookies;
    }

    /** Returns the first value of a field of the form; empty if there is none. */
    public String field(String name) {
        return form.getOrDefault(name, List.of("")).get(0);
    }

    /** Returns the first value of a name in the query; empty if there is none. */
    public String asked(String name) {
        return query.getOrDefault(name, List.of("")).get(0);
    }
}
