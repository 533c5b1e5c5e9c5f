package org.naklab.lab.report.live;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.report.web.Pages;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.report.web.Token;
import org.naklab.lab.report.web.WebRequest;

/** The page of what goes on now, and its WebSocket. With a token, both are below a path that only those know to whom it was told. Safe for several threads. */
final class LivePages implements Pages {
    private static final String PAGE = "film.html";
    private static final String SOCKET = "film";

    private final String base;
    private final LiveStage stage;

    /** @param token empty: none is needed */
    LivePages(String token, LiveFeed feed) {
        base = token.isEmpty() ? "/" : "/" + token + "/";
        stage = new LiveStage(feed);
    }

    /** Returns the path of the page. */
    String path() {
        return base + PAGE;
    }

    /** Returns whether no token is needed. */
    boolean isOpen() {
        return base.equals("/");
    }

    /** Shows something else from now on. */
    void show(LiveFeed next) {
        stage.show(next);
    }

    @Override
    public Response answer(WebRequest request) {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return Response.refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD")
                    .with(HttpHeaderNames.ALLOW, "GET, HEAD");
        }
        if (is(request, PAGE)) {
            return FilmPage.live(stage.shown().title());
        }
        return is(request, "")
                ? Response.redirect(path())
                : Response.refusal(
                        HttpResponseStatus.NOT_FOUND, "the page is at the address that the command has printed");
    }

    @Override
    public @Nullable ChannelHandler socket(WebRequest request) {
        return is(request, SOCKET) ? stage.socket(News.NONE) : null;
    }

    private boolean is(WebRequest request, String name) {
        return Token.isSame(base + name, request.path());
    }
}
