package org.naklab.lab.live;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.naklab.lab.runs.page.ContentPolicy;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.web.Response;

/** The page that plays a film, or what goes on now. All of it is in one document; its WebSocket is beside it. */
public final class FilmPage {
    private FilmPage() {}

    /**
     * Responds with the page of a run that has ended.
     *
     * @param run name of the run, for people
     */
    public static Response of(String run) {
        return of(run, true);
    }

    /**
     * Responds with the page of what goes on now.
     *
     * @param title what that is, for people
     */
    static Response live(String title) {
        return of(title, false);
    }

    private static Response of(String title, boolean isOfRecord) {
        String html = Page.part(
                FilmPage.class,
                "film.html",
                Map.of(
                        "run",
                        title,
                        "isOfRecord",
                        isOfRecord,
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
