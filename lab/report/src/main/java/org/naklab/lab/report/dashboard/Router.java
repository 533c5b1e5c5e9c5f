package org.naklab.lab.report.dashboard;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.report.Report;
import org.naklab.lab.report.live.FilmPage;
import org.naklab.lab.report.live.Films;
import org.naklab.lab.report.web.Pages;
import org.naklab.lab.report.web.Response;
import org.naklab.lab.report.web.WebRequest;
import org.naklab.lab.runs.calendar.CalendarPage;
import org.naklab.lab.runs.calendar.KeptPage;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.page.ContentPolicy;
import org.naklab.lab.runs.page.Page;

/**
 * Maps paths to pages: {@code /} is the calendar, {@code /runs.json} its data, {@code /running.json} what goes on, {@code /SCENARIO/RUN/report.html} the report of a run, beside it are the files to
 * which the report links, and {@code /SCENARIO/RUN/film.html} plays the run.
 */
final class Router implements Pages {
    /** A name of letters, digits, dots, hyphens and underscores that does not begin with a dot: no way up, and nothing hidden. */
    private static final String NAME = "([A-Za-z0-9_-][A-Za-z0-9._-]{0,199})";

    private static final Pattern REPORT = Pattern.compile("/" + NAME + "/" + NAME + "/report\\.html");
    /** A run of a campaign: the campaign, the seed, the scenario, the run and the file. */
    private static final Pattern OF_CAMPAIGN =
            Pattern.compile("/campaigns/" + NAME + "/" + NAME + "/" + NAME + "/" + NAME + "/" + NAME);

    private static final Pattern FILM = Pattern.compile("/" + NAME + "/" + NAME + "/(film\\.html|film)");

    private static final Pattern FILE = Pattern.compile("/" + NAME + "/" + NAME + "/" + NAME);

    private final RunCatalog shelf;
    private final ServeLimits limits;
    private final Films films;

    Router(RunCatalog shelf, ServeLimits limits) {
        this.shelf = shelf;
        this.limits = limits;
        films = new Films(shelf::open);
    }

    @Override
    public @Nullable ChannelHandler socket(WebRequest request) throws IOException {
        Matcher film = FILM.matcher(request.path());
        return film.matches() && film.group(3).equals("film") ? films.socket(film.group(1), film.group(2)) : null;
    }

    @Override
    public Response answer(WebRequest request) throws IOException {
        HttpMethod method = request.method();
        String path = request.path();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            return Response.refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD")
                    .with(HttpHeaderNames.ALLOW, "GET, HEAD");
        }
        if (path.equals("/") || path.equals("/index.html")) {
            return calendar();
        }
        if (path.equals("/runs.json")) {
            RunCatalog.Runs runs = shelf.runs();
            byte[] json = Json.line(Map.of("runs", runs.ended(), "running", runs.running()))
                    .getBytes(StandardCharsets.UTF_8);
            return Response.file("application/json", json);
        }
        if (path.equals("/running.json")) {
            RunCatalog.Runs runs = shelf.runs();
            Map<String, Object> now = Map.of(
                    "running",
                    runs.running(),
                    "ended",
                    runs.ended().size(),
                    "newest",
                    runs.ended().isEmpty()
                            ? ""
                            : runs.ended().get(runs.ended().size() - 1).name());
            return Response.file("application/json", Json.line(now).getBytes(StandardCharsets.UTF_8));
        }
        if (path.equals("/favicon.ico")) {
            return Response.file("image/svg+xml", Page.icon().getBytes(StandardCharsets.UTF_8));
        }
        Matcher ofCampaign = OF_CAMPAIGN.matcher(path);
        if (ofCampaign.matches()) {
            return ofCampaign(
                    List.of(ofCampaign.group(1), ofCampaign.group(2), ofCampaign.group(3), ofCampaign.group(4)),
                    ofCampaign.group(5));
        }
        Matcher report = REPORT.matcher(path);
        if (report.matches()) {
            return report(report.group(1), report.group(2));
        }
        Matcher film = FILM.matcher(path);
        if (film.matches() && film.group(3).equals("film.html")) {
            return FilmPage.of(film.group(1) + "/" + film.group(2));
        }
        Matcher file = FILE.matcher(path);
        return file.matches() && Report.downloads().contains(file.group(3))
                ? file(file.group(1), file.group(2), file.group(3))
                : Response.refusal(
                        HttpResponseStatus.NOT_FOUND,
                        "here are /, /runs.json, /running.json, /SCENARIO/RUN/report.html, and /SCENARIO/RUN/film.html");
    }

    private Response calendar() throws IOException {
        RunCatalog.Runs runs = shelf.runs();
        String page = CalendarPage.served(
                shelf.directory().resolve("index.html"),
                History.Latest.of(runs.ended(), CalendarPage.MAX_RUNS),
                runs.running(),
                KeptPage.in(shelf.directory()),
                Instant.now());
        // It asks the server what has changed.
        ContentPolicy policy = ContentPolicy.ofServed(page);
        return Response.page(page.getBytes(StandardCharsets.UTF_8), policy)
                .with(HttpHeaderNames.CONTENT_SECURITY_POLICY, policy.headerWithSocket());
    }

    private Response report(String scenario, String run) throws IOException {
        FileChannel file = shelf.open(scenario, run, Report.NAME);
        return file == null ? missing(Report.NAME, scenario + "/" + run) : page(file);
    }

    private Response file(String scenario, String run, String name) throws IOException {
        FileChannel file = shelf.open(scenario, run, name);
        return file == null ? missing(name, scenario + "/" + run) : download(file);
    }

    private Response ofCampaign(List<String> folders, String name) throws IOException {
        boolean isReport = name.equals(Report.NAME);
        FileChannel file = isReport || Report.downloads().contains(name) ? shelf.openOfCampaign(folders, name) : null;
        if (file == null) {
            return missing(name, "campaigns/" + String.join("/", folders));
        }
        return isReport ? page(file) : download(file);
    }

    private static Response missing(String name, String run) {
        String what = name.equals(Report.NAME) ? "report" : name;
        return Response.refusal(HttpResponseStatus.NOT_FOUND, "no " + what + " of " + run);
    }

    private Response page(FileChannel file) throws IOException {
        try {
            long bytes = file.size();
            if (bytes > limits.maxReportBytes()) {
                file.close();
                return Response.refusal(HttpResponseStatus.FORBIDDEN, tooLarge(bytes));
            }
            return Response.page(file, bytes, policy(head(file)));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Streams a file of a run as something to keep: whatever it contains, a browser does not show it as a page. */
    private static Response download(FileChannel file) throws IOException {
        try {
            return Response.file(file, file.size());
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
