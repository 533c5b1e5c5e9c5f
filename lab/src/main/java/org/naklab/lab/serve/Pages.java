package org.naklab.lab.serve;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.history.CalendarPage;
import org.naklab.lab.page.ContentPolicy;
import org.naklab.lab.report.Report;

/** What can be asked for: {@code /} is the calendar, {@code /SCENARIO/RUN/report.html} a run's report. */
final class Pages {
    /** A name of letters, digits, dots, hyphens and underscores that does not begin with a dot: no way up, and nothing hidden. */
    private static final String NAME = "([A-Za-z0-9_-][A-Za-z0-9._-]{0,199})";

    private static final Pattern REPORT = Pattern.compile("/" + NAME + "/" + NAME + "/report\\.html");

    private final RunShelf shelf;
    private final ServeLimits limits;

    Pages(RunShelf shelf, ServeLimits limits) {
        this.shelf = shelf;
        this.limits = limits;
    }

    /** @param path decoded, without query */
    Answer answer(HttpMethod method, String path) throws IOException {
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            return Answer.refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD");
        }
        if (path.equals("/")) {
            return calendar();
        }
        Matcher report = REPORT.matcher(path);
        return report.matches()
                ? report(report.group(1), report.group(2))
                : Answer.refusal(HttpResponseStatus.NOT_FOUND, "here are / and /SCENARIO/RUN/report.html");
    }

    private Answer calendar() throws IOException {
        String page = CalendarPage.text(shelf.directory().resolve("index.html"), shelf.rows(), Instant.now());
        return Answer.page(page.getBytes(StandardCharsets.UTF_8), policy(page));
    }

    private Answer report(String scenario, String run) throws IOException {
        FileChannel file = shelf.open(scenario, run, Report.NAME);
        if (file == null) {
            return Answer.refusal(HttpResponseStatus.NOT_FOUND, "no report of " + scenario + "/" + run);
        }
        try {
            long bytes = file.size();
            if (bytes > limits.maxReportBytes()) {
                file.close();
                return Answer.refusal(HttpResponseStatus.FORBIDDEN, tooLarge(bytes));
            }
            return Answer.page(file, bytes, policy(head(file)));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private String tooLarge(long bytes) {
        return String.format(
                Locale.ROOT,
                "the report has %,d bytes, and %,d at most are served; open the file itself",
                bytes,
                limits.maxReportBytes());
    }

    private static String head(FileChannel file) throws IOException {
        return new String(RunFolder.head(file, ContentPolicy.HEAD_BYTES), StandardCharsets.UTF_8);
    }

    /** A page that declares none, such as a report of an earlier version, has no scripts and no style: 'naklab report' writes it anew. */
    private static ContentPolicy policy(String page) {
        return ContentPolicy.declaredIn(page).orElse(ContentPolicy.NOTHING);
    }
}
