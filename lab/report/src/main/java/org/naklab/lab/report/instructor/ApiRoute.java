package org.naklab.lab.report.instructor;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.report.web.WebRequest;

/**
 * One operation of the interface for programs: what it takes, what it gives, and what does it. The description for programs is made of these.
 *
 * @param id for programs
 * @param isAct whether it changes something, so that only the instructor may do it
 * @param body type of the body; {@code null}: it has none
 */
record ApiRoute(
        String id,
        Address address,
        String summary,
        boolean isAct,
        @Nullable Class<? extends Record> body,
        Result result,
        Handler handler) {
    /** Stands for a number in a path. */
    static final String NUMBER = "{number}";

    /**
     * Tells how it is asked for.
     *
     * @param path below the address with the token; it has at most one number, {@code {number}}
     */
    record Address(HttpMethod method, String path) {}

    /**
     * Tells what is answered.
     *
     * @param type of it, or of its elements
     * @param isList whether it is a list
     */
    record Result(Class<? extends Record> type, boolean isList) {}

    /** Does it. */
    interface Handler {
        /**
         * Returns what is answered.
         *
         * @param body as its type says; {@code null}: the operation has none
         * @param number in the path; 0 if it has none
         */
        Object handle(Role role, @Nullable Object body, int number);
    }

    static ApiRoute read(
            String id, String path, String summary, Class<? extends Record> result, boolean isList, Handler handler) {
        return new ApiRoute(
                id, new Address(HttpMethod.GET, path), summary, false, null, new Result(result, isList), handler);
    }

    static ApiRoute act(
            String id,
            HttpMethod method,
            String path,
            String summary,
            @Nullable Class<? extends Record> body,
            Handler handler) {
        return new ApiRoute(
                id, new Address(method, path), summary, true, body, new Result(RunState.class, false), handler);
    }

    /** Returns the number in a path, 0 if it has none; -1: the path is another one. */
    int match(String asked) {
        Matcher matcher = Pattern.compile(Pattern.quote(address.path()).replace(NUMBER, "\\E(\\d{1,6})\\Q"))
                .matcher(asked);
        if (!matcher.matches()) {
            return -1;
        }
        return matcher.groupCount() == 0 ? 0 : Integer.parseInt(matcher.group(1));
    }

    /** Does it, and answers. */
    Response answer(Role role, WebRequest request, int number) {
        Object its = null;
        if (body != null) {
            try {
                its = Json.strictly(request.json(), body);
            } catch (JsonProcessingException e) {
                return Response.refusal(
                        HttpResponseStatus.BAD_REQUEST,
                        "the body is the JSON of " + body.getSimpleName() + ", of the type application/json");
            }
        }
        return json(handler.handle(role, its, number));
    }

    static Response json(Object value) {
        try {
            return Response.file("application/json", Json.line(value).getBytes(StandardCharsets.UTF_8));
        } catch (UncheckedIOException e) {
            throw new IllegalStateException("what is answered is always JSON", e);
        }
    }

    /** Returns the methods of some routes, for people. */
    static String methods(List<ApiRoute> routes) {
        return String.join(
                ", ",
                routes.stream().map(each -> each.address().method().name()).toList());
    }
}
