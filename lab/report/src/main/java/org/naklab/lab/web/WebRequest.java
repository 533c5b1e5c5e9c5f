package org.naklab.lab.web;

import io.netty.handler.codec.http.HttpHeaderNames;
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
 * @param form decoded values of the body by their names; empty if there is no body
 * @param cookies values by their names; of several of one name, none
 * @param client address of who asks, without the port
 */
public record WebRequest(
        HttpMethod method,
        String path,
        Map<String, List<String>> query,
        Map<String, List<String>> form,
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
        QueryStringDecoder form = new QueryStringDecoder(new String(body, StandardCharsets.UTF_8), false);
        return new WebRequest(
                request.method(), uri.path(), uri.parameters(), form.parameters(), cookies(request), client);
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
