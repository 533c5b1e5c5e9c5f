package org.naklab.lab.report.live;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.runs.page.ContentPolicy;
import org.naklab.lab.runs.page.Page;

/**
 * The page that plays a film, or what goes on now. All of it is in one document; its WebSocket {@code film} is beside it.
 *
 * @param title for people
 * @param ways to other pages of the server
 * @param isOfRecord whether it is a film
 * @param isRevealable whether there is, or will be, a verdict that can be revealed
 * @param startMs where a film begins to play, ms since its begin
 * @param role who looks
 */
public record FilmPage(
        String title, List<Way> ways, boolean isOfRecord, boolean isRevealable, long startMs, Role role) {
    /** Tells who looks at a page. */
    public enum Role {
        /** Somebody who moves through what is shown. */
        VIEWER,
        /** Somebody who watches what an instructor does. */
        AUDIENCE,
        /** Somebody who starts and stops runs. */
        INSTRUCTOR
    }

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
        List<Way> ways = List.of(new Way("../../", "All runs"), new Way("report.html", "Report of this run"));
        return new FilmPage(run, ways, true, true, 0, Role.VIEWER).response();
    }

    /**
     * Responds with the page of evidence without a verdict.
     *
     * @param title for people
     * @param startMs where it begins to play, ms since its begin
     */
    public static Response of(String title, List<Way> ways, long startMs) {
        return new FilmPage(title, ways, true, false, startMs, Role.VIEWER).response();
    }

    /**
     * Responds with the page of what goes on now.
     *
     * @param title what that is, for people
     */
    static Response live(String title) {
        return new FilmPage(title, List.of(), false, true, 0, Role.VIEWER).response();
    }

    /** Responds with the page of the runs of an instructor. */
    static Response ofInstructor(Role role) {
        List<Way> ways = role == Role.INSTRUCTOR ? List.of(new Way("./", "All runs")) : List.of();
        return new FilmPage("Live", ways, false, true, 0, role).response();
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
        values.put("role", role.name().toLowerCase(Locale.ROOT));
        values.put("isOfInstructor", role != Role.VIEWER);
        values.put("isInstructor", role == Role.INSTRUCTOR);
        values.put("acts", role == Role.VIEWER ? "" : Page.resource(FilmPage.class, "acts.js"));
        values.put("icon", Page.iconLink());
        values.put("style", Page.resource(Page.class, "page.css") + Page.resource(FilmPage.class, "film.css"));
        values.put("booksScript", Page.resource(FilmPage.class, "books.js"));
        values.put("script", Page.resource(FilmPage.class, "film.js"));
        String html = Page.part(FilmPage.class, "film.html", values);
        ContentPolicy policy = ContentPolicy.ofServed(html);
        return Response.page(html.getBytes(StandardCharsets.UTF_8), policy)
                .with(HttpHeaderNames.CONTENT_SECURITY_POLICY, policy.headerWithSocket());
    }
}
