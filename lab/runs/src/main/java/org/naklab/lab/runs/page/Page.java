package org.naklab.lab.runs.page;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.Reason;

/** Makes a page of a template among the resources. Whatever a template names in double braces is escaped. */
public final class Page {
    private Page() {}

    /**
     * Fills a template.
     *
     * @param of the class beside which the template lies
     * @param values maps, lists, strings, numbers and booleans; a name that they do not hold is a mistake
     */
    public static String render(Class<?> of, String template, Map<String, ?> values) {
        return page(of, template, values, false);
    }

    /** Fills the template of a page with charts: the chart library sets the attribute {@code style} of elements. */
    public static String renderCharts(Class<?> of, String template, Map<String, ?> values) {
        return page(of, template, values, true);
    }

    /** Fills the template of a part of a page, to be named in three braces in the template of the page. */
    public static String part(Class<?> of, String template, Map<String, ?> values) {
        return fill(resource(of, template), values);
    }

    private static String page(Class<?> of, String template, Map<String, ?> values, boolean hasCharts) {
        Map<String, Object> all = new TreeMap<>(values);
        all.put("style", resource(Page.class, "page.css"));
        all.put("icon", iconLink());
        String text = resource(of, template);
        all.put(
                "policy",
                ContentPolicy.of(text, hasCharts, part -> fill(part, all)).declaration());
        return fill(text, all);
    }

    /** Returns the element of a page's head that has the icon. */
    public static String iconLink() {
        return "<link rel=\"icon\" href=\"data:image/svg+xml," + encoded(icon()) + "\">\n";
    }

    /** Returns the icon of all pages, as SVG. */
    public static String icon() {
        return resource(Page.class, "icon.svg");
    }

    /** Escapes what ends an attribute or a URL. */
    private static String encoded(String svg) {
        return svg.strip()
                .replace("%", "%25")
                .replace("#", "%23")
                .replace("<", "%3C")
                .replace(">", "%3E")
                .replace("\"", "'");
    }

    private static String fill(String template, Map<String, ?> values) {
        return Mustache.compiler().escapeHTML(true).compile(template).execute(values);
    }

    /** A value as JSON that can stand in a script element: nothing in it ends the element. */
    public static String script(Object value) {
        return Json.line(value)
                .replace("<", "\\u003c")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    /** A text among the resources, its lines ended as a browser ends them before it hashes an element. */
    public static String resource(Class<?> of, String name) {
        try (InputStream in = of.getResourceAsStream(name)) {
            if (in == null) {
                throw new LabException(name + " of package " + of.getPackageName() + " is not in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\r\\n?", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the relative link from a page to a file, so that both can move together.
     *
     * @param page absolute
     * @param target absolute
     */
    public static String link(Path page, Path target) {
        Path here = page.getParent();
        return StreamSupport.stream((here == null ? target : here.relativize(target)).spliterator(), false)
                .map(name -> URLEncoder.encode(name.toString(), StandardCharsets.UTF_8)
                        .replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }

    /**
     * Writes a page, its directory with it.
     *
     * @throws LabException it cannot be written
     */
    public static void write(Path file, String text) {
        try {
            OutputFile.makeDirectoryOf(file);
            OutputFile.replace(file, text);
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + Reason.of(e), e);
        }
    }
}
