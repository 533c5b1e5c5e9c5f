package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.DiagnosedStalls;
import org.naklab.lab.records.KeyFigures;
import org.naklab.lab.records.RunRecord;

/** What the report answers first, which stall it is about, and where it leads. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FirstScreenTest {
    private static final long US_PER_MS = 1_000;

    @TempDir
    private Path directory;

    private Path run;
    private ObjectNode record;
    private ObjectNode diagnosis;

    @BeforeEach
    void copyRun() throws IOException {
        run = Files.createDirectories(directory.resolve("runs/mystery/2026-11-21T03-26-10.052Z-42"));
        FixtureRun.copyTo(run);
        record = Json.read(run.resolve("run.json"), ObjectNode.class);
        diagnosis = Json.read(run.resolve("diagnosis.json"), ObjectNode.class);
    }

    @Test
    void shouldAnswerInASentenceAndThreeFiguresThatTheCommandLinePrintsToo() throws IOException {
        Document page = write();
        KeyFigures figures = keyFigures();
        assertThat(page.select(".answer").text())
                .isEqualTo(figures.answer("late-binding-delay", "certain"))
                .startsWith("mds-context received nothing for 151.5 ms and the service lost 378 datagrams, because ");
        assertThat(page.select("[data-figure]").eachAttr("data-figure")).containsExactly("stalled", "lost", "control");
        for (KeyFigures.Figure figure : figures.all()) {
            Element shown = page.select("[data-figure=" + figure.head() + "]").first();
            assertThat(shown).isNotNull();
            assertThat(shown.select("dd.value").text() + ": "
                            + shown.select("dd:not(.value)").text())
                    .isEqualTo(figure.sentence());
        }
    }

    /** The sum over all receivers would blame the service for the losses of its control group. */
    @Test
    void shouldSayWhoseEachLossIs() throws IOException {
        record.put("datagramsDropped", 500).put("naks", 9);
        for (JsonNode socket : record.path("sockets")) {
            boolean isGateway = socket.path("process").asText().equals("gateway-1")
                    && socket.path("port").asInt() == port();
            ((ObjectNode) socket).put("drops", isGateway ? 500 : 0);
        }
        for (JsonNode subscriber : record.path("subscribers")) {
            boolean isService = subscriber.path("name").asText().equals("mds");
            ((ObjectNode) subscriber.path("transport")).put("naksSent", isService ? 0 : 9);
        }
        Document page = write();
        assertThat(page.select("[data-figure=lost]").text()).contains("nothing").contains("mds dropped no datagram");
        assertThat(page.select("[data-figure=control]").text())
                .contains("500 datagrams")
                .contains("gateway-1: 500");
        assertThat(page.select("#story").text())
                .contains("the service sent 0 NAKs")
                .doesNotContain("500 datagrams, dropped");
    }

    /** What the service lost meanwhile has another reason. */
    @Test
    void shouldNotJoinTheStallOfOneProcessWithTheLossOfAnother() throws IOException {
        ((ObjectNode) record.path("stalls").path(0)).put("process", "gateway-1").put("thread", "gateway-1-context");
        assertThat(write().select(".answer").text())
                .startsWith("gateway-1-context received nothing for 151.5 ms, because ")
                .doesNotContain("378");
        for (JsonNode socket : record.path("sockets")) {
            if (socket.path("process").asText().equals("gateway-1")
                    && socket.path("port").asInt() == port()) {
                ((ObjectNode) socket).put("drops", 12);
            }
        }
        assertThat(write().select(".answer").text())
                .startsWith(
                        "gateway-1-context received nothing for 151.5 ms and gateway-1 lost 12 datagrams, because ");
    }

    @Test
    void shouldNotSayThatNothingNeedsAnExplanationBesideAStall() {
        record.path("sockets").forEach(socket -> ((ObjectNode) socket).put("drops", 0));
        record.path("subscribers")
                .forEach(subscriber -> ((ObjectNode) subscriber.path("transport")).put("naksSent", 0));
        Json.write(run.resolve("run.json"), record);
        assertThat(keyFigures().answer("clean", "certain"))
                .isEqualTo("Nothing was lost, and a stall of 151.5 ms cost nothing (clean, certain).");
        record.putArray("stalls");
        Json.write(run.resolve("run.json"), record);
        assertThat(keyFigures().answer("clean", "certain"))
                .isEqualTo("Nothing was lost and nothing needs an explanation (clean, certain).");
    }

    private KeyFigures keyFigures() {
        return KeyFigures.of(Json.read(run.resolve("run.json"), RunRecord.class), DiagnosedStalls.NONE, List.of());
    }

    @Test
    void shouldHaveThePictureBesideTheAnswer() throws IOException {
        Document page = write();
        assertThat(page.select(".first.pictured #answer")).hasSize(1);
        assertThat(page.select(".first.pictured #picture [data-chart=depth]")).hasSize(1);
        assertThat(page.select("[data-chart=depth]")).hasSize(1);
        assertThat(page.html().indexOf("id=\"picture\"")).isLessThan(page.html().indexOf("<h2>Timeline"));
    }

    /** A watched process is no service of a run: it has no final report and no control group. Its sockets go on to drop after the window. */
    @Test
    void shouldTellTheDropsOfAWatchedProcess() throws IOException {
        record.put("scenario", "watch").putNull("exchange").put("naks", 0).put("datagramsDropped", 297);
        record.set("subscribers", record.arrayNode());
        for (JsonNode socket : record.path("sockets")) {
            boolean isFeed = socket.path("process").asText().equals("mds")
                    && socket.path("port").asInt() == port();
            ((ObjectNode) socket).put("process", "4711").put("drops", isFeed ? 896 : 0);
        }
        Document page = write();
        assertThat(page.select(".answer").text())
                .contains(" received nothing for 151.5 ms and process 4711 lost 297 datagrams, because ");
        assertThat(page.select("[data-figure=lost]").text())
                .contains("297 datagrams")
                .contains("process 4711: dropped by a full socket");
        assertThat(page.text()).doesNotContain("final report").doesNotContain("the service mds");
    }

    private int port() {
        return record.path("plan").path("channels").path("basePort").asInt();
    }

    /** A hiccup of the CPU was longer than the stall that lost the data. */
    @Test
    void shouldBeAboutTheDiagnosedStallAlthoughAnotherIsLonger() throws IOException {
        ObjectNode main = (ObjectNode) record.path("stalls").path(0);
        long atNs = main.path("atNs").asLong();
        ObjectNode hiccup = main.deepCopy()
                .put("atNs", atNs - 900_000_000)
                .put("durationMs", 165.1)
                .put("cause", "cpu-preemption");
        ((ArrayNode) record.path("stalls")).add(hiccup);
        shouldBeAboutTheStallThatLostTheData();
        hiccup.put("cause", main.path("cause").asText());
        diagnosis.set("stall", main.deepCopy());
        shouldBeAboutTheStallThatLostTheData();
    }

    private void shouldBeAboutTheStallThatLostTheData() throws IOException {
        Document page = write();
        assertThat(page.select("[data-figure=stalled]").text()).contains("151.5 ms");
        assertThat(page.select(".answer").text()).contains("151.5 ms");
        Element stall = page.select("#chain tbody tr:contains(stall)").first();
        assertThat(stall).isNotNull();
        assertThat(stall.select(".after").text()).isEqualTo("+0.000 ms");
        JsonNode data = data(page);
        assertThat(data.path("focus").path(1).asLong()
                        - data.path("focus").path(0).asLong())
                .isBetween(151 * US_PER_MS, 152 * US_PER_MS);
        assertThat(data.path("main")).isEqualTo(data.path("focus").path(0));
        assertThat(page.select("#story").text()).contains("for 151.5 ms").doesNotContain("165.1");
    }

    /** Without a stall of its own, a cause is where its evidence is. */
    @Test
    void shouldOpenAtTheEvidenceOfACauseThatIsNoStall() throws IOException {
        long stallUs = data(write()).path("main").asLong();
        long evidenceNs = firstCounted() + 500_000_000;
        record.put("diagnosis", "slow-consumer");
        diagnosis.put("cause", "slow-consumer");
        diagnosis.set(
                "evidence", Json.parse("[{\"atNs\":" + evidenceNs + ",\"text\":\"ring full\",\"figure\":\"12\"}]"));
        Document page = write();
        assertThat(page.select(".answer").text())
                .as("the stall has another cause")
                .startsWith("The service lost 378 datagrams, because a consumer ")
                .doesNotContain("151.5 ms");
        assertThat(page.select("[data-figure=stalled]").text()).contains("151.5 ms", "cause late-binding-delay");
        FixtureRun.rewrite(
                run.resolve("samples.csv.gz"), rows -> rows.replaceAll("(?m)^.*gauge\\.mds\\.ringDepthSlots.*\\R", ""));
        page = write();
        long evidenceUs = data(page).path("main").asLong();
        assertThat(evidenceUs).isEqualTo(stallUs + 500 * US_PER_MS);
        assertThat(data(page).path("focus").path(0).asLong()).isEqualTo(evidenceUs);
        assertThat(page.select("#zoom-stall").text()).isEqualTo("The cause");
        assertThat(page.select("#account details[open]")).isEmpty();
        Files.writeString(
                run.resolve("timeline.jsonl"),
                ringRise(evidenceNs + 90_000_000, 10) + ringRise(evidenceNs + 100_000_000, 900),
                StandardOpenOption.APPEND);
        JsonNode focus = data(write()).path("focus");
        assertThat(focus.path(0).asLong()).isEqualTo(evidenceUs + 100 * US_PER_MS);
        assertThat(focus.path(1).asLong()).isEqualTo(evidenceUs + 1_000 * US_PER_MS);
    }

    @Test
    void shouldOpenWhereTheRingOfASlowConsumerIsFull() throws IOException {
        long stallUs = data(write()).path("main").asLong();
        record.put("diagnosis", "slow-consumer");
        diagnosis.put("cause", "slow-consumer");
        String ring = ",gauge.mds.ringDepthSlots,";
        FixtureRun.rewrite(
                run.resolve("samples.csv.gz"),
                rows -> rows.replaceAll("(?m)^.*gauge\\.mds\\.ringDepthSlots.*\\R", "")
                        + (firstCounted() + 200_000_000) + ring + "10\n"
                        + (firstCounted() + 300_000_000) + ring + "600\n"
                        + (firstCounted() + 400_000_000) + ring + "1024\n"
                        + (firstCounted() + 700_000_000) + ring + "3\n");
        JsonNode focus = data(write()).path("focus");
        assertThat(focus.path(0).asLong()).isEqualTo(stallUs + 300 * US_PER_MS);
        assertThat(focus.path(1).asLong()).isEqualTo(stallUs + 700 * US_PER_MS);
    }

    private static String ringRise(long atNs, long durationMs) {
        return "{\"timeNs\":" + atNs + ",\"type\":\"RING_DEPTH_RISE\",\"process\":\"mds\",\"thread\":\"\",\"details\":"
                + "{\"durationNs\":" + durationMs * 1_000_000 + "}}\n";
    }

    /** The bind begins a little after the stall, which is its effect. */
    @Test
    void shouldListTheChainFromCauseToEffect() throws IOException {
        Document page = write();
        assertThat(page.select("#chain tbody tr td:first-child").eachText())
                .startsWith("rate limit hit", "wake-up failed", "symbol bound", "stall", "socket depth rise");
        assertThat(StreamSupport.stream(data(page).path("bars").spliterator(), false)
                        .map(bar -> bar.path("name").asText()))
                .startsWith("rate limit hit", "wake-up failed", "symbol bound", "stall", "socket depth rise");
    }

    /** The script goes to the time of a link that is clicked. */
    @Test
    void shouldLeadFromTheChainToItsTime() throws IOException {
        Document page = write();
        assertThat(page.select("#chain a:contains(stall)").attr("data-at"))
                .isEqualTo(data(page).path("main").asText());
    }

    @Test
    void shouldMarkDropNakAndRepairInThePicture() throws IOException {
        assertThat(StreamSupport.stream(data(write()).path("marks").spliterator(), false)
                        .map(mark -> mark.path("text").asText()))
                .anyMatch(text -> text.matches("first drop \\+\\d+ ms"))
                .anyMatch(text -> text.matches("NAK \\+\\d+ ms"))
                .anyMatch(text -> text.matches("repaired \\+\\d+ ms"))
                .contains("second boundary");
    }

    @Test
    void shouldPutTheCulpritOnTopAndFoldWhoIsRuledOut() throws IOException {
        Document page = write();
        assertThat(page.select("#suspects tbody tr").get(0).text()).startsWith("late-binding-delay the cause, certain");
        assertThat(page.select("#suspects tbody tr.culprit")).hasSize(1);
        assertThat(page.select("details #ruled-out tr td:nth-child(2)").eachText())
                .containsOnly("ruled out");
        diagnosis.put("cause", "network-loss");
        for (JsonNode suspect : diagnosis.path("suspects")) {
            if (suspect.path("suspect").asText().equals("loss on the network")) {
                ((ObjectNode) suspect).put("ruledOut", false);
            }
        }
        assertThat(write().select("#suspects tbody tr td:first-child").eachText())
                .startsWith("network-loss")
                .doesNotContain("loss on the network");
    }

    /** Whichever cause stands for it, and whether it is the first. */
    @ParameterizedTest
    @CsvSource({
        "lock-wait, lock or file lock",
        "file-lock-wait, lock or file lock",
        "disk-wait, disk or file system",
        "process-frozen, process paused",
        "process-traced, process paused",
        "vm-operation, garbage collection or safepoint",
        "time-to-safepoint, garbage collection or safepoint",
        "major-fault, page fault or memory reclaim",
        "memory-pressure, page fault or memory reclaim",
        "cpu-throttled, CPU quota of the cgroup",
        "kernel-interference, interrupts on the CPU of the receipt thread",
        "network-delay, loss on the network"
    })
    void shouldNotListACauseOnceMoreAsASuspectThatIsLeft(String cause, String suspect) throws IOException {
        diagnosis
                .withArray("suspects")
                .addObject()
                .put("suspect", suspect)
                .put("ruledOut", false)
                .put("figure", "1 of 1 ms");
        diagnosis.set("causes", Json.parse("[{\"cause\":\"late-binding-delay\"},{\"cause\":\"" + cause + "\"}]"));
        assertThat(write().select("#suspects tbody tr td:first-child").eachText())
                .contains(cause)
                .doesNotContain(suspect);
        diagnosis.put("cause", cause);
        diagnosis.set("causes", Json.parse("[]"));
        assertThat(write().select("#suspects tbody tr td:first-child").eachText())
                .startsWith(cause)
                .doesNotContain(suspect);
    }

    @ParameterizedTest
    @CsvSource({
        "slow-consumer, writers",
        "network-loss, naks",
        "traffic-burst, rate",
        "late-binding-delay, depth",
        "a-cause-of-tomorrow, depth"
    })
    void shouldBeginWithTheChartThatMattersForTheCause(String cause, String first) throws IOException {
        record.put("diagnosis", cause);
        diagnosis.put("cause", cause);
        Document page = write();
        assertThat(page.select("[data-chart]").eachAttr("data-chart")).startsWith(first);
        assertThat(page.select("#folded [data-chart]")).isNotEmpty();
        assertThat(page.select("#folded figure [data-absent]").size())
                .isEqualTo(page.select("figure [data-absent]").size());
    }

    @Test
    void shouldTellTheFiguresOfEachChartInWords() throws IOException {
        Document page = write();
        assertThat(page.select("#chart-depth").attr("aria-label"))
                .startsWith("Socket depth: ")
                .containsPattern("mds at most 305 KiB at \\d\\.\\d{3} s")
                .contains("limit of mds and gateway-1 305 KiB");
        assertThat(page.select("#chart-drops").attr("aria-label")).contains("mds dropped 378 in all");
        for (Element chart : page.select("[data-chart]:not([data-chart=phase])")) {
            assertThat(chart.attr("aria-label")).as(chart.id()).containsPattern("\\d");
        }
        assertThat(page.select("output#range").attr("aria-live")).isEqualTo("polite");
    }

    @Test
    void shouldDrawLimitsThatCoincideAsOneLineWithBothNames() throws IOException {
        assertThat(limits()).containsExactly("limit of mds and gateway-1");
        FixtureRun.rewrite(
                run.resolve("samples.csv.gz"),
                rows -> rows.replaceAll("(?m)^(\\d+,socket\\.gateway[^,]*limitBytes),\\d+$", "$1,400000"));
        assertThat(limits()).containsExactly("limit of mds", "limit of gateway-1");
    }

    private List<String> limits() throws IOException {
        return StreamSupport.stream(
                        data(write()).path("charts").path(0).path("series").spliterator(), false)
                .filter(series -> series.path("kind").asText().equals("limit"))
                .map(series -> series.path("name").asText())
                .toList();
    }

    @Test
    void shouldGreyTheWarmUpAndClipToTheTraffic() throws IOException {
        JsonNode before = data(write());
        long firstNs = firstCounted();
        record.putObject("counted").put("beginNs", firstNs - 100_000_000).put("endNs", firstNs + 600_000_000);
        JsonNode data = data(write());
        assertThat(data.path("warmUp").path(1).asLong())
                .isEqualTo(data.path("main").asLong() - 100 * US_PER_MS);
        assertThat(data.path("to").asLong()).isLessThan(before.path("to").asLong());
    }

    private long firstCounted() {
        return record.path("stalls").path(0).path("atNs").asLong();
    }

    @Test
    void shouldSayOnTopThatTheSamplerWasBlind() throws IOException {
        assertThat(write().select("#blindness")).isEmpty();
        ObjectNode instruments = record.putObject("instruments");
        instruments.putArray("reading");
        instruments.putArray("blind");
        instruments
                .putObject("sampler")
                .put("ticks", 5_000)
                .put("missedTicks", 7_559)
                .put("maxLatenessNs", 5_610_600_000L);
        Document page = write();
        assertThat(page.select("#blindness").text())
                .contains("missed 7,559 of 12,559 readings")
                .contains("5610.6 ms late");
        assertThat(page.text().indexOf("7,559")).isLessThan(page.text().indexOf("mds-context received nothing"));
    }

    @Test
    void shouldSayUnknownInThePlaceOfAFigureThatNobodyObserved() throws IOException {
        assertThat(write().select(".figures").text()).doesNotContain("sockets not observed");
        ObjectNode instruments = record.putObject("instruments");
        instruments.putArray("reading");
        instruments.putArray("blind").add("sockets of gateway-1: gone");
        instruments.putArray("unseenSockets").add("gateway-1");
        assertThat(write().select(".figures").text())
                .contains("unknown")
                .contains("gateway-1: sockets not observed, no NAK");
    }

    @Test
    void shouldLinkCalendarNeighboursGlossaryAndFiles() throws IOException {
        Path next = Files.createDirectories(run.resolveSibling("2026-11-22T03-26-10.052Z-7"));
        FixtureRun.copyTo(next);
        Document page = write();
        assertThat(page.select("nav a[rel]")).isEmpty();
        Report.write(next, List.of());
        page = Jsoup.parse(Report.of(run));
        assertThat(page.select("nav a[rel=next]").attr("href")).isEqualTo("../2026-11-22T03-26-10.052Z-7/report.html");
        assertThat(Jsoup.parse(Report.of(next)).select("nav a[rel=prev]").attr("href"))
                .isEqualTo("../2026-11-21T03-26-10.052Z-42/report.html");
        assertThat(page.select("nav a:contains(calendar)").attr("href")).isEqualTo("../../index.html");
        assertThat(page.select("[data-download]").eachText())
                .containsExactly("run.json", "diagnosis.json", "timeline.jsonl", "samples.csv.gz", "fault-stacks.json");
        assertThat(page.select("#glossary dt").eachText()).contains("verdict", "fidelity");
        assertThat(page.select("#copy")).hasSize(1);
        Path elsewhere = directory.resolve("report.html");
        Report.write(run, List.of(), elsewhere);
        assertThat(Jsoup.parse(elsewhere).select("[data-download]").attr("href"))
                .isEqualTo("runs/mystery/2026-11-21T03-26-10.052Z-42/run.json");
    }

    @Test
    void shouldListFurtherCauses() throws IOException {
        diagnosis.set(
                "causes",
                Json.parse("[{\"cause\":\"late-binding-delay\",\"confidence\":\"certain\"},{\"cause\":\"lock-wait\","
                        + "\"confidence\":\"likely\",\"process\":\"mds\",\"thread\":\"mds-context\",\"atNs\":5,"
                        + "\"durationMs\":40.0,\"lostDatagrams\":12,\"remedy\":\"shorten it\"}]"));
        assertThat(write().select("#suspects tbody tr").get(1).text())
                .contains("lock-wait", "further cause, likely", "40.0 ms", "12 datagrams");
    }

    private Document write() throws IOException {
        Json.write(run.resolve("run.json"), record);
        Json.write(run.resolve("diagnosis.json"), diagnosis);
        Report.write(run, List.of());
        return Jsoup.parse(Report.of(run));
    }

    private static JsonNode data(Document page) throws IOException {
        return Json.parse(page.select("#run-data").html());
    }
}
