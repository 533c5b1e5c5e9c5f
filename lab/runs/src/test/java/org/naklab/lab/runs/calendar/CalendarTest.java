package org.naklab.lab.runs.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.RunColour;
import org.naklab.lab.runs.history.RunFigures;
import org.naklab.lab.runs.history.RunFinding;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.runs.history.TestRuns;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CalendarTest {
    private static final RunRow RED =
            TestRuns.mystery("2026-11-20T10:00:00.000Z", 7).run();
    private static final RunRow BLUE =
            TestRuns.run("2026-11-20T11:00:00.000Z", "mystery", "bind-now", TestRuns.figures(0L, 0));
    private static final RunRow YELLOW =
            TestRuns.run("2026-11-21T10:00:00.000Z", "mystery", "bind-now", TestRuns.figures(0L, 3));
    private static final RunRow GREY =
            TestRuns.run("2026-11-21T11:00:00.000Z", "baseline", "none", TestRuns.figures(null, 0));

    @TempDir
    private Path directory;

    @Test
    void shouldNameRunsInDocumentsByTheServicesOwnNaksAndTheRetransmissionsSeen() {
        assertThat(List.of(RED, BLUE, YELLOW, GREY))
                .extracting(RunRow::colour)
                .containsExactly(RunColour.RED, RunColour.BLUE, RunColour.YELLOW, RunColour.GREY);
    }

    @Test
    void shouldGroupByScenarioDayAndRemedyWithTheLatestDayFirst() {
        Calendar.Section<RunRow> mystery =
                Calendar.ofRuns(List.of(RED, BLUE, YELLOW, GREY)).sections().get(1);
        assertThat(mystery.scenario()).isEqualTo("mystery");
        assertThat(mystery.remedies()).containsExactly("none", "bind-now");
        assertThat(mystery.days())
                .containsExactly(
                        new Calendar.Day<>("2026-11-21", List.of(List.of(), List.of(YELLOW))),
                        new Calendar.Day<>("2026-11-20", List.of(List.of(RED), List.of(BLUE))));
    }

    private static void write(Path file, List<RunRow> runs, List<KeptPage> pages) {
        CalendarPage.write(file, new History.Latest(runs, runs.size()), pages, Instant.EPOCH);
    }

    @Test
    void shouldSayHowManyEarlierRunsAreNotShown() throws Exception {
        Path file = directory.resolve("calendar.html");
        CalendarPage.write(file, History.Latest.of(List.of(RED, BLUE, YELLOW), 2), List.of(), Instant.EPOCH);
        Document page = Jsoup.parse(file);
        assertThat(page.select("a.run")).hasSize(2);
        assertThat(page.select("h1 + p").text()).startsWith("The latest 2 runs of 3: one mark per run");
        write(file, List.of(RED, BLUE), List.of());
        assertThat(Jsoup.parse(file).select("h1 + p").text()).startsWith("2 runs: one mark per run");
    }

    @Test
    void shouldWriteAPageThatNeedsNoNetwork() throws Exception {
        Path file = directory.resolve("calendar.html");
        write(file, List.of(RED, BLUE, YELLOW, GREY), List.of());
        Document page = Jsoup.parse(file);
        assertThat(page.select("a.run").eachText()).containsOnly("\u2713").hasSize(4);
        assertThat(page.select("section[data-scenario=mystery] table:not(.list) th")
                        .eachText())
                .containsExactly(
                        "day", "no remedy 1 of 1 run passed, NAK in 1", "bind-now 2 of 2 runs passed, NAK in 0");
        assertThat(page.select(".key .run").eachText()).containsExactly("\u2713", "\u2717", "?");
        assertThat(page.select("[src], link:not([href^=data:]), iframe")).isEmpty();
    }

    @Test
    void shouldBeginWithTheLatestRunsAndTheNewestReport() throws Exception {
        Path run = Files.createDirectories(directory.resolve("runs/mystery/newest"));
        Files.createFile(run.resolve("report.html"));
        Path file = directory.resolve("runs/index.html");
        write(file, List.of(RED, BLUE, YELLOW.in(run), GREY), List.of());
        Document page = Jsoup.parse(file);
        assertThat(page.select("#latest tbody tr td:first-child").eachText())
                .hasSize(4)
                .isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(page.select("#newest a").attr("href")).isEqualTo("mystery/newest/report.html");
        assertThat(page.html().indexOf("id=\"latest\"")).isLessThan(page.html().indexOf("data-scenario"));
    }

    @Test
    void shouldDrawTheTrendOfTheRunsWithAVerdict() throws Exception {
        List<RunRow> runs = List.of(
                stalled("2026-11-20T10:00:00.000Z", "pass", 150.5),
                stalled("2026-11-21T10:00:00.000Z", "unknown", 900),
                stalled("2026-11-22T10:00:00.000Z", "fail", 0),
                stalled("2026-11-23T10:00:00.000Z", "pass", 75.25));
        Path file = directory.resolve("calendar.html");
        write(file, runs, List.of());
        Document page = Jsoup.parse(file);
        assertThat(page.select("svg.trend").attr("aria-label"))
                .isEqualTo("longest stall in 3 runs: 0.0 ms to 150.5 ms, in the latest 75.3 ms");
        assertThat(page.select("svg.trend circle").eachAttr("class")).containsExactly("pass", "fail", "pass");
        assertThat(page.select("svg.trend circle").eachAttr("cy")).containsExactly("4.0", "30.0", "17.0");
        write(file, runs.subList(0, 3), List.of());
        assertThat(Jsoup.parse(file).select("svg.trend"))
                .as("the trend of two runs")
                .isEmpty();
    }

    @Test
    void shouldLeadBackFromAPageOfATool() throws Exception {
        Path page = KeptPage.create(directory, "libprof", "./my program", Instant.parse("2026-11-20T10:00:12.500Z"));
        Files.writeString(page, "<html><body>\n<p>costs $1</p></body></html>");
        KeptPage.linkBack(directory, page);
        assertThat(Jsoup.parse(page).select("nav a").attr("href")).isEqualTo("../../index.html");
        assertThat(Jsoup.parse(page).select("p").text()).isEqualTo("costs $1");
    }

    /** Those of no tool, and directories without a page, are not linked. */
    @Test
    void shouldLinkThePagesThatToolsHaveKept() throws Exception {
        Path page = KeptPage.create(directory, "libprof", "./my program", Instant.parse("2026-11-20T10:00:12.500Z"));
        Files.writeString(page, "<html>");
        KeptPage.create(directory, "bindings", "4711", Instant.EPOCH);
        Files.createDirectories(directory.resolve("tune/other"));
        Files.writeString(directory.resolve("tune/other/report.html"), "<html>");
        List<KeptPage> pages = KeptPage.in(directory);
        assertThat(pages).containsExactly(new KeptPage("libprof", "2026-11-20T10:00:12.500Z", "my-program", page));

        Path file = directory.resolve("calendar.html");
        write(file, List.of(), pages);
        assertThat(Jsoup.parse(file).select("#pages tbody td").eachText())
                .containsExactly("2026-11-20 10:00:12", "naklab libprof", "my-program");
        assertThat(Jsoup.parse(file).select("#pages a").attr("href"))
                .isEqualTo("libprof/2026-11-20T10-00-12.500Z-my-program/report.html");
        write(file, List.of(RED), List.of());
        assertThat(Jsoup.parse(file).select("#pages")).isEmpty();
    }

    /** Only a server can know, when the page is read, which runs go on. */
    @Test
    void shouldShowRunsThatGoOnInTheServedPageOnly() throws Exception {
        RunningRun running =
                new RunningRun(new RunCase("masked", "audited", "none", "lbtrm", 9), "2026-11-20T10:00:00.000Z", null);
        RunningRun shown = new RunningRun(
                new RunCase("mystery", "audited", "none", "lbtrm", 9),
                "2026-11-20T10:00:00.000Z",
                "http://127.0.0.1:8082/film.html");
        Document served = Jsoup.parse(CalendarPage.served(
                directory.resolve("index.html"),
                new History.Latest(List.of(), 0),
                List.of(running, shown),
                List.of(),
                Instant.parse("2026-11-20T10:00:12.500Z")));
        assertThat(served.select(".going li").eachText())
                .containsExactly(
                        "masked, no remedy, seed 9: since 2026-11-20 10:00:00 UTC, for 12 s. It has no page of its own while it goes on; naklab run masked --serve starts a run that has one",
                        "mystery, no remedy, seed 9: since 2026-11-20 10:00:00 UTC, for 12 s. Watch it live, on the machine on which it runs");
        assertThat(served.select(".going a").eachAttr("href")).containsExactly("http://127.0.0.1:8082/film.html");
        assertThat(served.body().attr("data-served")).isEqualTo("yes");
        Path file = directory.resolve("calendar.html");
        write(file, List.of(RED), List.of());
        assertThat(Jsoup.parse(file).select("[data-served], .going")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "http://127.0.0.1:8082/film.html?x",
                "http://evil.example:8082/film.html",
                "http://127.0.0.1:8082@evil.example/film.html",
                "//127.0.0.1:8082/film.html"
            })
    void shouldLinkNothingButALivePageOfThisMachine(String live) {
        assertThat(new RunningRun(new RunCase("masked", "audited", "none", "lbtrm", 9), "", live).live())
                .isNull();
    }

    private static RunRow stalled(String startedUtc, String verdict, double longestMs) {
        RunRow run = TestRuns.run(startedUtc, "mystery", "none", TestRuns.figures(3L, 3));
        return new RunRow(
                run.host(),
                run.runDirectory(),
                run.startedUtc(),
                run.runCase(),
                new RunFinding(verdict, "late-binding-delay", null),
                new RunFigures(
                        new RunFigures.Traffic(1_000, 3, 3L),
                        new RunFigures.Harm(0, 3, 0, 832),
                        longestMs > 0 ? 1 : 0,
                        longestMs),
                run.hostFacts());
    }

    /** A pass of a scenario that loses data is no alarm, and a run without a verdict proves nothing about its remedy. */
    @Test
    void shouldMarkRunsByVerdictAndCountNoneWithoutOne() throws Exception {
        RunRow fail = judged("2026-11-20T12:00:00.000Z", "fail");
        RunRow unknown = judged("2026-11-20T13:00:00.000Z", "unknown");
        Path file = directory.resolve("calendar.html");
        write(file, List.of(RED, fail, unknown, unknown), List.of());
        Document page = Jsoup.parse(file);
        assertThat(page.select("a.run.pass").eachText()).containsExactly("\u2713");
        assertThat(page.select("a.run.fail").eachText()).containsExactly("\u2717");
        assertThat(page.select("a.run.unknown").eachText()).containsExactly("?", "?");
        assertThat(page.select("th .sum").eachText())
                .containsExactly("1 of 1 run passed, NAK in 1", "0 of 1 run passed, NAK in 1; 2 without a verdict");
        write(file, List.of(unknown), List.of());
        assertThat(Jsoup.parse(file).select("th .sum").text()).isEqualTo("no run with a verdict; 1 without a verdict");
    }

    /** A title is not shown on a touch screen. */
    @Test
    void shouldListVerdictCauseAndTimeAsText() throws Exception {
        Path file = directory.resolve("calendar.html");
        write(file, List.of(RED), List.of());
        assertThat(Jsoup.parse(file).select("table.list tbody tr").text())
                .isEqualTo(
                        "2026-11-20 10:00:00 no remedy 7 pass late-binding-delay 150.8 ms 6 mds red, gateway-1 yellow");
    }

    /** The loss of one receiver must not hide that of another. */
    @Test
    void shouldShowAColourForEachReceiver() throws Exception {
        RunRow masked = RED.with(List.of(
                new RunRow.Receiver("mds", 6, 400),
                new RunRow.Receiver("gateway-1", 4, 180),
                new RunRow.Receiver("gateway-2", 0, 580),
                new RunRow.Receiver("gateway-3", 0, 0)));
        Path file = directory.resolve("calendar.html");
        write(file, List.of(masked, BLUE), List.of());
        Document page = Jsoup.parse(file);
        assertThat(page.select("table:not(.list) .receiver").eachAttr("class"))
                .containsExactly("receiver red", "receiver red", "receiver yellow", "receiver blue");
        assertThat(page.select("table:not(.list) .receiver").eachAttr("title"))
                .containsExactly(
                        "mds: sent a NAK",
                        "gateway-1: sent a NAK",
                        "gateway-2: no NAK of its own, but datagrams came in again or out of order",
                        "gateway-3: no NAK, nothing recovered");
        assertThat(page.select("table.list td:last-child").eachText())
                .containsExactly("mds red, gateway-1 red, gateway-2 yellow, gateway-3 blue");
    }

    private static RunRow judged(String startedUtc, String verdict) {
        RunRow run = TestRuns.run(startedUtc, "mystery", "bind-now", TestRuns.figures(3L, 3));
        return new RunRow(
                run.host(),
                run.runDirectory(),
                run.startedUtc(),
                run.runCase(),
                new RunFinding(verdict, "cpu-preemption", null),
                run.figures(),
                run.hostFacts());
    }

    @Test
    void shouldEscapeWhateverAScenarioIsCalled() throws Exception {
        String hostile = "<img src=x onerror=\"alert('1')\">";
        RunRow run = TestRuns.run("2026-11-21T11:00:00.000Z", hostile, hostile, TestRuns.figures(0L, 0));
        Path file = directory.resolve("calendar.html");
        write(file, List.of(run), List.of());
        Document page = Jsoup.parse(file);
        assertThat(page.select("img")).isEmpty();
        assertThat(page.select("[data-scenario] h2").text()).isEqualTo(hostile);
    }

    @Test
    void shouldLinkReportsThatAreThere() throws Exception {
        Path report = directory.resolve("runs/a b#c/report.html");
        Files.createDirectories(report.resolveSibling(""));
        Files.writeString(report, "");
        RunRow there = new RunRow(
                "host",
                report.resolveSibling("").toString(),
                BLUE.startedUtc(),
                BLUE.runCase(),
                BLUE.finding(),
                BLUE.figures(),
                BLUE.hostFacts());
        Path file = directory.resolve("pages/calendar.html");
        write(file, List.of(there, RED), List.of());
        Document page = Jsoup.parse(file);
        assertThat(page.select("a.run[href]").eachAttr("href")).containsExactly("../runs/a%20b%23c/report.html");
    }
}
