package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.books.BooksFile;
import org.naklab.lab.report.dashboard.Dashboard;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/** The film of a run in the hands of a viewer, in a browser. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class FilmPageTest {
    private static final String HOST = "127.0.0.1";

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    @Test
    void shouldShowAStallAndItsCauseAndSurviveALostConnection() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        Path runs = Files.createDirectories(directory.resolve("runs"));
        FixtureRun.copyTo(Files.createDirectories(runs.resolve("mystery/run-1")));
        Dashboard dashboard = Dashboard.launch(HOST, 0, runs, List.of(), errors::add);
        int port = dashboard.port();
        URI page = URI.create("http://" + HOST + ":" + port + "/mystery/run-1/film.html");
        try (Browser browser = Browser.open(chromium, directory, page, 1280, 720)) {
            browser.evaluate("document.getElementById('play').click()");
            await(browser, "a pause", "document.getElementById('play').textContent === 'Play'");
            seek(browser, "Number(document.getElementById('seek').max)");
            await(browser, "the stall in the list", "document.querySelectorAll('.stall').length > 0");
            assertThat(browser.evaluate("document.body.textContent.includes('late-binding')")
                            .asBoolean())
                    .isFalse();
            // 60 ms into the first stall, by the time that the list tells.
            seek(browser, "1000 * parseFloat([...document.querySelectorAll('.stall')].pop().textContent) + 60");
            await(
                    browser,
                    "a stage that is stalled",
                    "/silent for \\d/.test((document.querySelector('.stage.stalled') || {}).textContent)");
            await(
                    browser,
                    "how long the buffer lasts",
                    "/full in [\\d.,]+ ms if nobody reads/.test(document.getElementById('flow').textContent)");
            seek(browser, "Number(document.getElementById('seek').max)");
            browser.evaluate("document.getElementById('reveal').click()");
            await(browser, "the cause", "document.getElementById('verdict').textContent.includes('late-binding')");
            await(browser, "the chain", "document.querySelector('#verdict ol li') !== null");

            dashboard.close();
            await(browser, "a lost connection", "document.getElementById('state').textContent.includes('lost')");
            dashboard = Dashboard.launch(HOST, port, runs, List.of(), errors::add);
            await(browser, "a new connection", "document.getElementById('state').textContent.includes('Playing')");
            assertThat(browser.evaluate("[...document.querySelectorAll('canvas')].every(each => each.width > 100)")
                            .asBoolean())
                    .isTrue();
        } finally {
            dashboard.close();
        }
        assertThat(errors).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1280, 720", "1920, 1080", "390, 844"})
    void shouldKeepNobodyOut(int width, int height) throws IOException, InterruptedException {
        String chromium = Chromium.find();
        Path runs = Files.createDirectories(directory.resolve("runs"));
        FixtureRun.copyTo(Files.createDirectories(runs.resolve("mystery/run-1")));
        try (Dashboard dashboard = Dashboard.launch(HOST, 0, runs, List.of(), errors::add);
                Browser browser = Browser.open(
                        chromium,
                        directory,
                        URI.create("http://" + HOST + ":" + dashboard.port() + "/mystery/run-1/film.html"),
                        width,
                        height)) {
            browser.press(" ");
            await(browser, "a pause", "document.getElementById('play').textContent === 'Play'");
            browser.press("End");
            browser.evaluate("document.getElementById('reveal').click()");
            await(browser, "the chain", "document.querySelector('#verdict ol li') !== null");
            browser.evaluate("document.querySelector('#events details').open = true");
            assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                    .as("nothing is wider than the screen")
                    .isLessThanOrEqualTo(width);
            assertThat(browser.evaluate(
                                    "[...document.querySelectorAll('canvas')].every(each => each.clientWidth > 0.5 * "
                                            + "document.querySelector('main').clientWidth)")
                            .asBoolean())
                    .as("charts take most of the width")
                    .isTrue();
            for (String scheme : List.of("light", "dark")) {
                browser.prefer(scheme);
                assertThat(browser.obstacles()).as(scheme).isEmpty();
            }
        }
        assertThat(errors).isEmpty();
    }

    private static final String USABLE =
            "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')]"
                    + ".filter(each => !each.disabled && each.checkVisibility())";

    private static final String AT_S = "parseFloat(document.getElementById('clock').textContent)";

    /** Everything that can be used is reached by the Tab key alone, and the keys do what the page says of them. */
    @Test
    void shouldNeedNoMouse() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        Path runs = Files.createDirectories(directory.resolve("runs"));
        FixtureRun.copyTo(Files.createDirectories(runs.resolve("mystery/run-1")));
        try (Dashboard dashboard = Dashboard.launch(HOST, 0, runs, List.of(), errors::add);
                Browser browser = Browser.open(
                        chromium,
                        directory,
                        URI.create("http://" + HOST + ":" + dashboard.port() + "/mystery/run-1/film.html"),
                        1280,
                        720)) {
            browser.press(" ");
            await(browser, "a pause", "document.getElementById('play').textContent === 'Play'");
            int usable = browser.evaluate(USABLE + ".length").asInt();
            assertThat(usable).as("ways, playback and the list of stalls").isGreaterThan(6);
            for (int i = 0; i < usable; i++) {
                browser.press("Tab");
                assertThat(browser.evaluate(USABLE + ".indexOf(document.activeElement)")
                                .asInt())
                        .isEqualTo(i);
            }
            browser.evaluate("document.activeElement.blur()");
            browser.press("End");
            double endS = browser.evaluate("Number(document.getElementById('seek').max)")
                            .asDouble()
                    / 1_000;
            await(browser, "the end", AT_S + " > " + (endS - 0.1));
            browser.press("ArrowLeft");
            await(browser, "a second before", "Math.abs(" + AT_S + " - " + (endS - 1) + ") < 0.1");
            browser.press("ArrowRight");
            await(browser, "the end again", AT_S + " > " + (endS - 0.1));
            int window = browser.evaluate("document.getElementById('window').selectedIndex")
                    .asInt();
            browser.press("+");
            await(browser, "a zoom", "document.getElementById('window').selectedIndex === " + (window + 1));
            browser.press("-");
            await(browser, "less of it", "document.getElementById('window').selectedIndex === " + window);
            browser.press(".");
            browser.press(">");
            await(browser, "a large step of the line", "document.body.dataset.cursor > '0.5100'");
            browser.press("<");
            await(browser, "a large step back", "document.body.dataset.cursor === '0.5000'");
        }
        assertThat(errors).isEmpty();
    }

    /** The books that a run kept are shown at the time at which the film is. */
    @Test
    void shouldShowTheOldPricesOfCustomersWhileTheServiceIsStalled() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        Path runs = Files.createDirectories(directory.resolve("runs"));
        Path run = FixtureRun.copyTo(Files.createDirectories(runs.resolve("mystery/run-1")));
        long beginNs = beginNs(run);
        Files.write(
                run.resolve(BooksFile.NAME),
                List.of(books(beginNs, 1, 1_000_000), books(beginNs + 500_000_000, 160, 1_001_200)));
        try (Dashboard dashboard = Dashboard.launch(HOST, 0, runs, List.of(), errors::add);
                Browser browser = Browser.open(
                        chromium,
                        directory,
                        URI.create("http://" + HOST + ":" + dashboard.port() + "/mystery/run-1/film.html"),
                        1280,
                        720)) {
            browser.evaluate("(each => { each.value = '0.01'; each.dispatchEvent(new Event('change')); })"
                    + "(document.getElementById('speed'))");
            seek(browser, "400");
            await(browser, "the books", "document.getElementById('stale').textContent.includes('All customers')");
            seek(browser, "900");
            await(
                    browser,
                    "the old price",
                    "document.getElementById('stale').textContent.includes('160 ms old: the best price is 12 ticks')");
            seek(browser, "400");
            await(browser, "the books again", "document.getElementById('stale').textContent.includes('All customers')");
        }
        assertThat(errors).isEmpty();
    }

    /** Keeps what a chart writes at the lines of its grid: text, place and whether the line is a strong one. */
    private static final String KEEP_THE_GRID = "(() => { window.grid = []; let lines = [];"
            + "const pen = CanvasRenderingContext2D.prototype, move = pen.moveTo, text = pen.fillText, clear = pen.clearRect;"
            + "pen.clearRect = function(...box) { lines = []; clear.apply(this, box); };"
            + "pen.moveTo = function(x, y) { lines.push({ x, isStrong: this.globalAlpha === 1 }); move.call(this, x, y); };"
            + "pen.fillText = function(t, x, y) { const line = lines.find(each => Math.abs(each.x + 3 - x) < 0.01);"
            + " if (line) { line.text = t; window.grid.push(line); lines.splice(lines.indexOf(line), 1); }"
            + " text.call(this, t, x, y); }; })()";

    /** The story of the incident says how long after a second of the clock the stall began; the begin of a film is no such second. */
    @Test
    void shouldDrawTheSecondsOfTheClock() throws IOException, InterruptedException {
        Path runs = Files.createDirectories(directory.resolve("runs"));
        Path run = FixtureRun.copyTo(Files.createDirectories(runs.resolve("mystery/run-1")));
        long epochNs = beginNs(run)
                + Json.parse(Files.readAllBytes(run.resolve("run.json")))
                        .get("epochOffsetNs")
                        .asLong();
        long boundaryS = epochNs / 1_000_000_000 + 1;
        double boundaryMs = (boundaryS * 1_000_000_000 - epochNs) / 1e6;
        double atMs = Math.ceil(boundaryMs + 400);
        Grid grid = gridAt(runs, atMs);
        assertThat(grid.text())
                .isEqualTo(Instant.ofEpochSecond(boundaryS).toString().substring(11, 19));
        assertThat(grid.beforeMs()).isCloseTo(atMs - boundaryMs, within(10.0));
    }

    /** A record of an earlier version does not say what the clock was. */
    @Test
    void shouldDrawTheSecondsSinceTheBeginIfTheClockIsNotKnown() throws IOException, InterruptedException {
        Path runs = Files.createDirectories(directory.resolve("runs"));
        Path run = FixtureRun.copyTo(Files.createDirectories(runs.resolve("mystery/run-1")));
        Path record = run.resolve("run.json");
        Files.writeString(record, Files.readString(record).replace("\"epochOffsetNs\"", "\"formerly\""));
        Grid grid = gridAt(runs, 1_400);
        assertThat(grid.text()).isEqualTo("1.00 s");
        assertThat(grid.beforeMs()).isCloseTo(400, within(10.0));
    }

    /** A strong line: its text, and how far it is from the right edge, ms. */
    private record Grid(String text, double beforeMs) {}

    /** Returns the only strong line in the second before a time. */
    private Grid gridAt(Path runs, double atMs) throws IOException, InterruptedException {
        String chromium = Chromium.find();
        try (Dashboard dashboard = Dashboard.launch(HOST, 0, runs, List.of(), errors::add);
                Browser browser = Browser.open(
                        chromium,
                        directory,
                        URI.create("http://" + HOST + ":" + dashboard.port() + "/mystery/run-1/film.html"),
                        1280,
                        720)) {
            browser.evaluate("document.getElementById('play').click()");
            await(browser, "a pause", "document.getElementById('play').textContent === 'Play'");
            browser.evaluate("(each => { each.value = '1000'; each.dispatchEvent(new Event('change')); })"
                    + "(document.getElementById('window'))");
            seek(browser, "0");
            await(browser, "the begin", "document.getElementById('clock').textContent === '0.000 s'");
            browser.evaluate(KEEP_THE_GRID);
            seek(browser, String.valueOf(atMs));
            String strong = "window.grid.filter(line => line.isStrong).slice(-1)";
            String clock = String.format(Locale.ROOT, "%.3f s", atMs / 1_000);
            await(
                    browser,
                    "the time",
                    "document.getElementById('clock').textContent === '" + clock + "' && " + strong + ".length");
            Grid grid = new Grid(
                    browser.evaluate(strong + "[0].text").asText(),
                    browser.evaluate("1000 * (1 - " + strong + "[0].x / document.querySelector('canvas').clientWidth)")
                            .asDouble());
            assertThat(errors).isEmpty();
            return grid;
        }
    }

    /** The film of a run without a counted time begins with its first sample. */
    private static long beginNs(Path run) throws IOException {
        try (InputStream in = Files.newInputStream(run.resolve("samples.csv.gz"))) {
            return Samples.read(in, "samples").bySeries().values().stream()
                    .filter(series -> series.size() > 0)
                    .mapToLong(series -> series.timeNs(0))
                    .min()
                    .orElseThrow();
        }
    }

    private static String books(long atNs, long ageMs, long exchangeBid) {
        return BooksFile.line(List.of(book(atNs, "exchange", 0, exchangeBid), book(atNs, "mds", ageMs, 1_000_000)));
    }

    private static BookView book(long atNs, String process, long ageMs, long bid) {
        return new BookView(
                atNs,
                process,
                1,
                BookView.Validity.VALID,
                0,
                ageMs * 1_000_000,
                List.of(new BookView.Level(bid, 100, 1)),
                List.of(new BookView.Level(bid + 200, 100, 1)),
                null);
    }

    private static void seek(Browser browser, String toMs) throws InterruptedException {
        browser.evaluate("(() => { const seek = document.getElementById('seek'); seek.value = " + toMs
                + "; seek.dispatchEvent(new Event('input')); })()");
    }

    private static void await(Browser browser, String what, String condition) {
        Awaitility.await(what).atMost(60, TimeUnit.SECONDS).until(() -> browser.evaluate("Boolean(" + condition + ")")
                .asBoolean());
    }
}
