package org.naklab.lab.runs.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Content-Security-Policy of a page: a browser may use the scripts and styles of its template, identified by their SHA-256, and nothing else.
 * The page declares it in its head; a server sends it as a header, with what only a header can say.
 *
 * @param scripts hash sources of the inline scripts
 * @param styles hash sources of the inline style sheets
 * @param hasStyleAttributes whether the elements may have style attributes; a chart library sets them
 */
public record ContentPolicy(List<String> scripts, List<String> styles, boolean hasStyleAttributes) {
    /** The policy of a response that is not a page. */
    public static final ContentPolicy NOTHING = new ContentPolicy(List.of(), List.of(), false);

    /** Length of the part of a page in which its declaration is searched. */
    public static final int HEAD_BYTES = 4_096;

    private static final String HASHES = "((?: 'sha256-[A-Za-z0-9+/]{43}=')*)";
    private static final Pattern DECLARED =
            Pattern.compile("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src"
                    + HASHES + "; style-src" + HASHES + "; style-src-attr '(none|unsafe-inline)'; img-src data:\">");

    /** Matches scripts without attributes; the data blocks of a template have attributes. */
    private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);

    private static final Pattern STYLE = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL);

    public ContentPolicy {
        scripts = List.copyOf(scripts);
        styles = List.copyOf(styles);
    }

    /**
     * Allows a template's own elements.
     *
     * @param render fills a part of the template
     */
    static ContentPolicy of(String template, boolean hasStyleAttributes, UnaryOperator<String> render) {
        return new ContentPolicy(hashes(SCRIPT, template, render), hashes(STYLE, template, render), hasStyleAttributes);
    }

    /** The policy that the beginning of a page declares; empty when there is none. */
    public static Optional<ContentPolicy> declaredIn(String head) {
        Matcher declared = DECLARED.matcher(head);
        return declared.find()
                ? Optional.of(new ContentPolicy(
                        sources(declared.group(1)),
                        sources(declared.group(2)),
                        declared.group(3).equals("unsafe-inline")))
                : Optional.empty();
    }

    /** Returns the policy in the form that a page declares. */
    String declaration() {
        return "default-src 'none'; script-src" + joined(scripts) + "; style-src" + joined(styles) + "; style-src-attr "
                + styleAttributes() + "; img-src data:";
    }

    /** Returns the policy that a server sends: no frame may contain the page, its scripts have a unique origin, and it may offer downloads. */
    public String header() {
        return header("'none'") + sandbox("");
    }

    /**
     * Returns the policy of a page whose forms may be sent to the server that it comes from. Its scripts have the origin of the server, so a sandbox would hold
     * nothing.
     */
    public String headerWithForms() {
        return header("'self'");
    }

    /** Returns the policy of a page that opens a WebSocket to the server that it comes from; it has the origin of the server. */
    public String headerWithSocket() {
        return header("'none'") + sandbox(" allow-same-origin") + "; connect-src 'self'";
    }

    /** Returns the policy of a template's own elements, for a page that is only ever served. */
    public static ContentPolicy ofServed(String page) {
        return of(page, false, UnaryOperator.identity());
    }

    private String sandbox(String allowed) {
        return "; sandbox" + allowed + (scripts.isEmpty() ? "" : " allow-scripts allow-downloads");
    }

    private String header(String formTargets) {
        return "default-src 'none'; script-src" + (scripts.isEmpty() ? " 'none'" : joined(scripts)) + "; style-src"
                + (styles.isEmpty() ? " 'none'" : joined(styles))
                + "; style-src-attr " + styleAttributes()
                + "; img-src data:; base-uri 'none'; form-action " + formTargets + "; frame-ancestors 'none'";
    }

    private String styleAttributes() {
        return hasStyleAttributes ? "'unsafe-inline'" : "'none'";
    }

    private static String joined(List<String> sources) {
        return sources.isEmpty() ? "" : " " + String.join(" ", sources);
    }

    private static List<String> sources(String joined) {
        return joined.isBlank() ? List.of() : List.of(joined.strip().split(" "));
    }

    private static List<String> hashes(Pattern element, String template, UnaryOperator<String> render) {
        return element.matcher(template)
                .results()
                .map(each -> "'sha256-" + hash(render.apply(each.group(1))) + "'")
                .toList();
    }

    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
