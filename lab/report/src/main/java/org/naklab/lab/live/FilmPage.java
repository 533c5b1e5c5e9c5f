package org.naklab.lab.live;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.runs.page.ContentPolicy;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.web.Response;

/**
 * The page that plays a film, or what goes on now. All of it is in one document; its WebSocket {@code film} is beside it.
 *
 * @param title for people
 * @param ways to other pages of the server
 * @param isOfRecord whether it is a film
 * @param isRevealable whether there is, or will be, a verdict that can be revealed
 * @param startMs where a film begins to play, ms since its begin
 */
public record FilmPage(String title, List<Way> ways, boolean isOfRecord, boolean isRevealable, long startMs) {
    /**
     * A link.
     *
     * @param path on this server
     */
    public record Way(String path, String words) {}

    public FilmPage {
        ways = List.copyOf(ways);
    }

    /**
     * Responds with the page of a run that has ended.
     *
     * @param run name of the run, for people
     */
    public static Response of(String run) {
        List<Way> ways = List.of(new Way("/", "All runs"), new Way("report.html", "Report of this run"));
        return new FilmPage(run, ways, true, true, 0).response();
    }

    /**
     * Responds with the page of evidence without a verdict.
     *
     * @param title for people
     * @param startMs where it begins to play, ms since its begin
     */
    public static Response of(String title, List<Way> ways, long startMs) {
        return new FilmPage(title, ways, true, false, startMs).response();
    }

    /**
     * Responds with the page of what goes on now.
     *
     * @param title what that is, for people
     */
    static Response live(String title) {
        return new FilmPage(title, List.of(), false, true, 0).response();
    }

    private Response response() {
        Map<String, Object> values = new HashMap<>();
        values.put("title", title);
        values.put(
                "ways",
                ways.stream()
                        .map(way -> Map.of("path", way.path(), "words", way.words()))
                        .toList());
        values.put("isOfRecord", isOfRecord);
        values.put("isRevealable", isRevealable);
        values.put("startMs", startMs);
        values.put("icon", Page.iconLink());
        values.put("style", Page.resource(Page.class, "page.css") + Page.resource(FilmPage.class, "film.css"));
        values.put("script", Page.resource(FilmPage.class, "film.js"));
        String html = Page.part(FilmPage.class, "film.html", values);
        ContentPolicy policy = ContentPolicy.ofServed(html);
        return Response.page(html.getBytes(StandardCharsets.UTF_8), policy)
                .with(HttpHeaderNames.CONTENT_SECURITY_POLICY, policy.headerWithSocket());
    }
}
