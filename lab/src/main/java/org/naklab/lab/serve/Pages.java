package org.naklab.lab.serve;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.history.CalendarPage;

/** What can be asked for: {@code /} is the calendar, {@code /SCENARIO/RUN/report.html} a run's report. */
final class Pages {
    /** A name of letters, digits, dots, hyphens and underscores that does not begin with a dot: no way up, and nothing hidden. */
    private static final String NAME = "([A-Za-z0-9_-][A-Za-z0-9._-]*)";

    private static final Pattern REPORT = Pattern.compile("/" + NAME + "/" + NAME + "/report\\.html");

    private final RunShelf shelf;

    Pages(RunShelf shelf) {
        this.shelf = shelf;
    }

    /** @param path decoded, without query */
    Answer answer(HttpMethod method, String path) {
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

    private Answer calendar() {
        String page = CalendarPage.text(shelf.directory().resolve("index.html"), shelf.rows(), Instant.now());
        return Answer.page(page.getBytes(StandardCharsets.UTF_8));
    }

    private Answer report(String scenario, String run) {
        return shelf.report(scenario, run)
                .map(file -> {
                    try {
                        return Answer.page(Files.readAllBytes(file));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .orElseGet(() -> Answer.refusal(HttpResponseStatus.NOT_FOUND, "no report of " + scenario + "/" + run));
    }
}
