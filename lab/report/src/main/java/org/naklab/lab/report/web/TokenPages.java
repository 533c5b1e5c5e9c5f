package org.naklab.lab.report.web;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Pages below a path that only those know to whom it was told: {@code /TOKEN/}. Nothing else is answered. Safe for several threads if the pages are. */
public final class TokenPages implements Pages {
    private final Pages pages;
    private final String token;

    /** Makes a token for pages that do not say at which path they are. */
    public TokenPages(Pages pages) {
        this.pages = pages;
        token = Token.make();
    }

    /** Returns the path of the first page. */
    public String path() {
        return "/" + token + "/";
    }

    @Override
    public Response answer(WebRequest request) throws IOException {
        return isTold(request.path())
                ? pages.answer(request.at(rest(request.path())))
                : Response.refusal(
                        HttpResponseStatus.NOT_FOUND, "the page is at the address that the command has printed");
    }

    @Override
    public @Nullable ChannelHandler socket(WebRequest request) throws IOException {
        return isTold(request.path()) ? pages.socket(request.at(rest(request.path()))) : null;
    }

    private boolean isTold(String path) {
        int end = path.indexOf('/', 1);
        return end > 0 && Token.isSame(token, path.substring(1, end));
    }

    private static String rest(String path) {
        return path.substring(path.indexOf('/', 1));
    }
}
