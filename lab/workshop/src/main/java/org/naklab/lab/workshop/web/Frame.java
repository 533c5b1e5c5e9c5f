package org.naklab.lab.workshop.web;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.runs.page.ContentPolicy;
import org.naklab.lab.runs.page.Page;

/**
 * The frame of all pages of the workshop.
 *
 * @param title of the page
 * @param who is looking; empty: nobody knows
 * @param links of the head: addresses by their words
 * @param call what the trainer asks of all; empty: nothing
 * @param isReloaded whether the page loads itself again now and then
 */
record Frame(String title, String who, List<Link> links, List<Link> call, boolean isReloaded) {
    /**
     * A link.
     *
     * @param path on this server
     */
    record Link(String path, String words) {}

    Frame {
        links = List.copyOf(links);
        call = List.copyOf(call);
    }

    /**
     * Responds with a page.
     *
     * @param part template of what is in the frame
     * @param values of the template
     */
    Response page(HttpResponseStatus status, String part, Map<String, ?> values) {
        Map<String, Object> frame = new HashMap<>();
        frame.put("title", title);
        if (!who.isEmpty()) {
            frame.put("who", who);
        }
        frame.put("links", links.stream().map(Frame::values).toList());
        frame.put("call", call.stream().map(Frame::values).toList());
        frame.put("isReloaded", isReloaded);
        frame.put("script", Page.resource(Frame.class, "workshop.js"));
        frame.put("looks", Page.resource(Frame.class, "workshop.css"));
        frame.put("body", Page.part(Frame.class, part, values));
        String html = Page.render(Frame.class, "workshop.html", frame);
        return Response.form(status, html, ContentPolicy.declaredIn(html).orElse(ContentPolicy.NOTHING));
    }

    private static Map<String, String> values(Link link) {
        return Map.of("path", link.path(), "words", link.words());
    }
}
