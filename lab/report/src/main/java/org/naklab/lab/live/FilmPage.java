package org.naklab.lab.live;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.naklab.lab.runs.page.ContentPolicy;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.web.Response;

/** The page that plays a film. All of it is in one document; its WebSocket is beside it. */
public final class FilmPage {
    private FilmPage() {}

    /**
     * Responds with the page.
     *
     * @param run name of the run, for people
     */
    public static Response of(String run) {
        String html = Page.part(
                FilmPage.class,
                "film.html",
                Map.of(
                        "run",
                        run,
                        "icon",
                        Page.iconLink(),
                        "style",
                        Page.resource(Page.class, "page.css") + Page.resource(FilmPage.class, "film.css"),
                        "script",
                        Page.resource(FilmPage.class, "film.js")));
        ContentPolicy policy = ContentPolicy.ofServed(html);
        return Response.page(html.getBytes(StandardCharsets.UTF_8), policy)
                .with(HttpHeaderNames.CONTENT_SECURITY_POLICY, policy.headerWithSocket());
    }
}
