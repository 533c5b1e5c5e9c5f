package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.report.dashboard.Dashboard;
import org.naklab.lab.runs.calendar.CalendarPage;
import org.naklab.lab.runs.history.Comparison;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HostFacts;
import org.naklab.lab.runs.history.RunFigures;
import org.naklab.lab.runs.history.RunFinding;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.testing.Matrix;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/** The calendar in the hands of a reader, in a browser. */
@Matrix
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class CalendarInteractionTest {
    private static final RunRow INCIDENT = run("mystery", "none", "pass", "late-binding-delay", 1, 6L, 150.8);
    private static final RunRow CURED = run("mystery", "bind-now", "pass", "clean", 2, 0L, 0);
    private static final RunRow DOUBTFUL = run("baseline", "none", "unknown", "cpu-preemption", 3, null, 31);

    @TempDir
    private Path directory;

    private Browser browser;

    @BeforeEach
    void open() throws Exception {
        Path page = directory.resolve("calendar.html");
        CalendarPage.write(page, History.Latest.of(List.of(INCIDENT, CURED, DOUBTFUL), 3), List.of(), Instant.EPOCH);
        browser = Browser.open(Chromium.find(), directory, page, 1280, 1400);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void shouldFitOnATelephone() throws InterruptedException {
        browser.resize(390, 844);
        Awaitility.await("the page in the width of a telephone")
                .atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> {
                    assertThat(browser.evaluate("document.documentElement.clientWidth")
                                    .asInt())
                            .isEqualTo(390);
                    assertThat(browser.evaluate("document.documentElement.scrollWidth")
                                    .asInt())
                            .isLessThanOrEqualTo(390);
                });
    }

    @Test
    void shouldShowTheRunsOfAScenarioOrVerdictOrWord() throws InterruptedException {
        assertThat(shownMarks()).isEqualTo(3);
        set("scenario", "value", "'baseline'");
        assertThat(shownMarks()).isEqualTo(1);
        assertThat(shownSections()).isEqualTo("baseline");
        assertThat(text("#shown")).isEqualTo("1 of 3 runs");
        set("scenario", "value", "''");
        set("mark-unknown", "checked", "false");
        assertThat(shownSections()).isEqualTo("mystery");
        set("words", "value", "'Late-Binding no'");
        assertThat(shownMarks()).isEqualTo(1);
        set("words", "value", "'nothing has this word'");
        assertThat(shownMarks()).isZero();
        assertThat(shownSections()).isEmpty();
    }

    /** As the command line compares them. */
    @Test
    void shouldCompareTheTwoRunsThatWereClicked() throws InterruptedException {
        set("choosing", "checked", "true");
        click(0);
        assertThat(text("#comparison")).contains(INCIDENT.name() + " is chosen");
        click(1);
        for (Comparison.Line line : Comparison.of(INCIDENT, CURED).lines()) {
            assertThat(cells(line.figure())).containsExactly(line.first(), line.second(), line.difference());
        }
        List<Comparison.Line> lines = Comparison.of(INCIDENT, CURED).lines();
        long alike = lines.stream().filter(line -> !line.differs()).count();
        assertThat(text("#comparison summary")).isEqualTo(alike + " of " + lines.size() + " figures are alike");
        click(2);
        assertThat(cells("diagnosis")).containsExactly("clean", "cpu-preemption", "");
        assertThat(cells("NAKs of the service")).containsExactly("0", "unknown", "");
        click(2);
        click(1);
        assertThat(browser.evaluate("document.getElementById('comparison').hidden")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void shouldKeepTheChoicesInTheAddress() throws Exception {
        chooseAndReload();
    }

    /** The server forbids the page nearly everything: it has an origin of its own, and may not submit a form. */
    @Test
    void shouldKeepTheChoicesInAServedPage() throws Exception {
        browser.close();
        Path runs = Files.createDirectory(directory.resolve("runs"));
        for (RunRow run : List.of(INCIDENT, DOUBTFUL)) {
            Path its = Files.createDirectories(
                    runs.resolve(run.runCase().scenario()).resolve(run.name()));
            Files.writeString(
                    its.resolve("run.json"),
                    "{\"scenario\": \"" + run.runCase().scenario() + "\", \"verdict\": \"pass\", \"runDirectory\": \""
                            + its + "\", \"startedUtc\": \"" + run.startedUtc() + "\"}");
        }
        List<Throwable> errors = new CopyOnWriteArrayList<>();
        try (Dashboard dashboard = Dashboard.launch("127.0.0.1", 0, runs, List.of(), errors::add)) {
            URI page = URI.create("http://127.0.0.1:" + dashboard.port() + "/");
            browser =
                    Browser.open(Chromium.find(), Files.createDirectory(directory.resolve("other")), page, 1280, 1400);
            chooseAndReload();
        }
        assertThat(errors).isEmpty();
    }

    private void chooseAndReload() throws InterruptedException {
        set("scenario", "value", "'mystery'");
        browser.evaluate("document.querySelectorAll('section[data-scenario=mystery] table.list input')[0].click()");
        String shownBefore = text("#comparison");
        assertThat(shownBefore).contains("is chosen");
        browser.evaluate("document.body.dataset.old = 'true'; location.reload()");
        Awaitility.await("the page, loaded again").atMost(60, TimeUnit.SECONDS).until(() -> browser.evaluate(
                        "document.body && document.body.dataset.ready && !document.body.dataset.old")
                .asBoolean());
        assertThat(text("#comparison")).isEqualTo(shownBefore);
        assertThat(shownSections()).isEqualTo("mystery");
    }

    private void set(String id, String property, String value) throws InterruptedException {
        browser.evaluate("(e => { e." + property + " = " + value
                + "; e.dispatchEvent(new Event('input', {bubbles: true})); })(document.getElementById('" + id + "'))");
    }

    private void click(int run) throws InterruptedException {
        browser.evaluate("document.querySelector('.one[data-run=\"" + run + "\"] a').click()");
    }

    private int shownMarks() throws InterruptedException {
        return browser.evaluate("[...document.querySelectorAll('a.run')].filter(e => e.offsetParent).length")
                .asInt();
    }

    private String shownSections() throws InterruptedException {
        return browser.evaluate(
                        "[...document.querySelectorAll('section[data-scenario] h2')].filter(e => e.offsetParent)"
                                + ".map(e => e.textContent).join(' ')")
                .asText();
    }

    private String text(String selector) throws InterruptedException {
        return browser.evaluate("document.querySelector('" + selector + "').textContent")
                .asText();
    }

    private List<String> cells(String figure) throws InterruptedException {
        String cells = browser.evaluate(
                        "[...document.querySelectorAll('#comparison tr')].filter(e => e.cells[0].textContent === '"
                                + figure + "').flatMap(e => [...e.cells]).slice(1).map(e => e.textContent).join('|')")
                .asText();
        return List.of(cells.split("\\|", -1));
    }

    private static RunRow run(
            String scenario,
            String remedy,
            String verdict,
            String diagnosis,
            int second,
            @Nullable Long naks,
            double stallMs) {
        String started = "2026-11-20T10:00:0" + second + ".000Z";
        return new RunRow(
                "host",
                "/runs/" + scenario + "/" + started.replace(':', '-') + "-" + second,
                started,
                new RunCase(scenario, "audited", remedy, "lbtrm", second),
                new RunFinding(verdict, diagnosis, null),
                new RunFigures(
                        new RunFigures.Traffic(35_500, naks == null ? 0 : naks, naks),
                        new RunFigures.Harm(376, 6, 12, 312_832),
                        stallMs > 0 ? 1 : 0,
                        stallMs),
                new HostFacts("0.1.0", "17.0.15", "6.18.0", "amd64", "A Processor", 2, 8L << 30));
    }
}
