package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPOutputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.runs.history.StallRow;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ReportTest {
    private static final long MAX_BYTES = 3_000_000;

    private static final String UNKNOWN_PAGE = ",\"place\":\"\",\"code\":\"\"";

    @TempDir
    private Path run;

    @BeforeEach
    void copyRun() throws IOException {
        FixtureRun.copyTo(run);
    }

    /** Whoever made the run may have put a link in the place of the report. */
    @Test
    void shouldOverwriteNothingThroughALink(@TempDir Path own) throws IOException {
        Path victim = Files.writeString(own.resolve("victim"), "mine");
        Files.createSymbolicLink(run.resolve("report.html"), victim);
        assertThatThrownBy(this::write).isInstanceOf(LabException.class).hasMessageContaining("is a link");
        assertThat(victim).hasContent("mine");
    }

    @Test
    void shouldHaveDataInEveryChart() throws IOException {
        JsonNode charts = data(write()).path("charts");
        assertThat(texts(charts, "id"))
                .containsExactly("depth", "drops", "gaps", "naks", "blocked", "faults", "memory", "rate", "writers");
        for (JsonNode chart : charts) {
            assertThat(chart.path("series")).as(chart.path("id").asText()).isNotEmpty();
            for (JsonNode series : chart.path("series")) {
                assertThat(series.path("x")).as(series.path("name").asText()).isNotEmpty();
                assertThat(series.path("y")).hasSameSizeAs(series.path("x"));
            }
        }
    }

    @Test
    void shouldShowTheDeepestReadingAndAllDrops() throws IOException {
        JsonNode depth = data(write()).path("charts").path(0);
        assertThat(highest(depth, "mds")).isEqualTo(312_832);
        assertThat(highest(depth, "limit of mds and gateway-1")).isEqualTo(313_124);
        JsonNode drops = data(write()).path("charts").path(1);
        assertThat(highest(drops, "mds dropped")).isEqualTo(378);
        assertThat(highest(drops, "gateway-1 dropped")).isZero();
    }

    @Test
    void shouldLeaveALimitOutThatWouldHideTheDepths() throws IOException {
        String socket = "socket.mds.0.0.0.0:"
                + Json.read(run.resolve("run.json"), JsonNode.class)
                        .path("plan")
                        .path("channels")
                        .path("basePort")
                        .asText()
                + "#1.";
        try (OutputStream file = Files.newOutputStream(run.resolve("samples.csv.gz"));
                Writer rows = new OutputStreamWriter(new GZIPOutputStream(file), StandardCharsets.UTF_8)) {
            rows.write("time_ns,series,value\n");
            rows.write("1000," + socket + "depthBytes,66560\n");
            rows.write("1000," + socket + "limitBytes,8388608\n");
        }
        Document page = write();
        assertThat(texts(data(page).path("charts").path(0).path("series"), "name"))
                .containsExactly("mds");
        assertThat(page.select("figcaption").text()).contains("its limit, 8 MiB, is far above");
    }

    @Test
    void shouldTellTheStoryInTenLines() throws IOException {
        Document page = write();
        assertThat(page.select("#story li")).hasSizeLessThanOrEqualTo(10);
        assertThat(page.select("#story").text())
                .contains("late-binding-delay, certain")
                .contains("mds-context for 151.5 ms")
                .contains("378 datagrams: the service mds")
                .contains("6 NAKs")
                .contains("the bind began 0.152 ms after the stall")
                .contains("8 of 9 suspects");
    }

    @Test
    void shouldOrderTheChainAndMarkWhatIsMissing() throws IOException {
        ObjectNode diagnosis = Json.read(run.resolve("diagnosis.json"), ObjectNode.class);
        ((ObjectNode) diagnosis.path("chain").path(6)).put("present", false).putNull("atNs");
        ((ObjectNode) diagnosis.path("chain").path(7)).put("inOrder", false);
        Json.write(run.resolve("diagnosis.json"), diagnosis);
        Document page = write();
        assertThat(page.select("#chain td.bad").eachText()).containsExactly("missing");
        assertThat(page.select("#chain td.doubt").eachText()).containsExactly("out of order");
        assertThat(page.select("#chain td.good")).hasSize(7);
    }

    @Test
    void shouldShowThePageFaultsOfTheReceiptThreads() throws IOException {
        assertThat(write().select("#page-faults")).isEmpty();
        ObjectNode record = Json.read(run.resolve("run.json"), ObjectNode.class);
        ObjectNode fault = record.putArray("pageFaults").addObject();
        fault.put(
                        "atNs",
                        Json.read(run.resolve("run.json"), JsonNode.class)
                                .path("stalls")
                                .path(0)
                                .path("atNs")
                                .asLong())
                .put("durationMs", 147.2)
                .put("process", "mds")
                .put("thread", "mds-context")
                .put("major", true)
                .put("place", "libc.so.6 .gnu.hash")
                .put("address", "0x7f12")
                .put("file", "/usr/lib/libc.so.6")
                .put("section", ".gnu.hash");
        fault.putArray("stack").add("_dl_lookup_symbol_x").add("_dl_fixup");
        Json.write(run.resolve("run.json"), record);
        Document page = write();
        assertThat(page.select("#page-faults tbody td").eachText())
                .contains("147.2", "major", "0x7f12", "/usr/lib/libc.so.6", ".gnu.hash");
        assertThat(page.select("#page-faults pre").text()).isEqualTo("_dl_lookup_symbol_x\n_dl_fixup");
    }

    /** The run's cause alone does not bring the chart of the memory to the main part. */
    @Test
    void shouldShowTheMemoryWithTheBeginOfTheEvictionInTheMainPart() throws IOException {
        assertThat(write().select("#folded [data-chart=memory]")).hasSize(1);
        ObjectNode record = Json.read(run.resolve("run.json"), ObjectNode.class);
        long stallNs = record.path("stalls").path(0).path("atNs").asLong();
        record.putObject("memory").put("evictionBeganNs", stallNs - 100_000_000).putArray("stalls");
        Json.write(run.resolve("run.json"), record);
        Document page = write();
        assertThat(page.select("[data-chart=memory]")).hasSize(1);
        assertThat(page.select("#folded [data-chart=memory]")).isEmpty();
        assertThat(texts(data(page).path("marks"), "text")).contains("eviction began -100 ms");
    }

    @Test
    void shouldShowSuspectsStackEnvironmentAndReplay() throws IOException {
        Document page = write();
        assertThat(page.select("#suspects tbody tr, #ruled-out tbody tr")).hasSize(10);
        assertThat(page.select("pre.stack").text()).contains("_dl_fixup");
        assertThat(page.select("#replay").text()).startsWith("naklab run mystery --seed 42");
        assertThat(page.select("#environment dt").eachText()).contains("kernel", "JDK", "Aeron", "net.core.rmem_max");
        assertThat(page.select("#environment dd").eachText()).doesNotContain("4194304");
    }

    @Test
    void shouldNameTheAxesOfEveryChart() throws IOException {
        for (JsonNode chart : data(write()).path("charts")) {
            boolean hasRight = StreamSupport.stream(chart.path("series").spliterator(), false)
                    .anyMatch(series -> series.path("right").asBoolean());
            assertThat(chart.path("left").path("title").asText()).isNotEmpty();
            assertThat(chart.path("right").path("title").asText().isEmpty())
                    .as(chart.path("id").asText())
                    .isEqualTo(!hasRight);
        }
    }

    @Test
    void shouldSayInALineWhyARunDidNotPass() throws IOException {
        assertThat(write().select("#doubt")).isEmpty();
        ObjectNode document = Json.read(run.resolve("run.json"), ObjectNode.class);
        document.put("verdict", "unknown");
        document.withArray("conditions")
                .addObject()
                .put("claim", "host did not stall the subscribers")
                .put("verdict", "unknown")
                .put("figures", "3 stalls without a CPU");
        Json.write(run.resolve("run.json"), document);
        assertThat(write().select("#doubt").text())
                .isEqualTo("host did not stall the subscribers: 3 stalls without a CPU");
    }

    @Test
    void shouldSayWhyThereIsNoStack() throws IOException {
        Files.delete(run.resolve("fault-stacks.json"));
        ObjectNode document = Json.read(run.resolve("run.json"), ObjectNode.class);
        ObjectNode instruments = document.putObject("instruments");
        instruments.putArray("reading").add("stacks of major faults of thread mds-context of mds by perf");
        instruments.putArray("blind");
        Json.write(run.resolve("run.json"), document);
        assertThat(write().select("[data-absent=stacks]").text()).contains("saw no major fault");
        instruments.putArray("reading");
        instruments.withArray("blind").add("mds: no page-fault stacks: perf is not installed");
        Json.write(run.resolve("run.json"), document);
        Document page = write();
        assertThat(page.select("[data-absent=stacks]").text()).contains("perf is not installed");
        assertThat(page.select("#story").text()).contains("blind instruments: 1");
    }

    /** Perf follows frame pointers, which libraries do not have; the recorder reads their tables of frames. */
    @Test
    void shouldShowTheRecordersStackOfAMajorFaultInsteadOfPerfs() throws IOException {
        assertThat(write().select("pre.stack").text()).contains("do_lookup_x");
        JsonNode stall = Json.read(run.resolve("run.json"), JsonNode.class)
                .path("stalls")
                .path(0);
        long atNs = stall.path("atNs").asLong();
        String thread = stall.path("thread").asText();
        String frames = "lookup (ld.so) < fixup (ld.so) < yield (libnaklab_yield.so)";
        Path timeline = run.resolve("timeline.jsonl");
        String absence = event(
                atNs + 11_000_000, "THREAD_ABSENT", thread, "\"state\":\"blocked\",\"userStack\":\"" + frames + "\"");
        String minor = event(atNs + 10_000_000, "PAGE_FAULT", thread, "\"major\":false" + UNKNOWN_PAGE);
        Files.writeString(timeline, absence + minor, StandardOpenOption.APPEND);
        assertThat(write().select("pre.stack").text())
                .as("the stack of a minor fault")
                .contains("do_lookup_x");
        String major = event(atNs + 10_000_000, "PAGE_FAULT", thread, "\"major\":true" + UNKNOWN_PAGE);
        Files.writeString(timeline, major, StandardOpenOption.APPEND);
        assertThat(write().select("pre.stack").eachText()).contains(frames.replace(" < ", "\n"));
        assertThat(write().select("pre.stack").text()).doesNotContain("do_lookup_x");
    }

    @Test
    void shouldShowWhatTheLongestStallWaitedFor() throws IOException {
        long stallNs = Json.read(run.resolve("run.json"), JsonNode.class)
                .path("stalls")
                .path(0)
                .path("atNs")
                .asLong();
        Files.writeString(
                run.resolve("timeline.jsonl"),
                wait(stallNs + 1_000_000, "mds-context", "parked")
                        + wait(stallNs + 1_000_000, "gateway-1-context", "slept")
                        + wait(stallNs + 900_000_000, "mds-context", "forced to the disk a.cq4"),
                StandardOpenOption.APPEND);
        Document page = write();
        assertThat(page.select("[data-wait]").eachText())
                .singleElement()
                .asString()
                .startsWith("parked, 80.0 ms");
        assertThat(page.select("[data-wait] + pre").text()).isEqualTo("a.B.park:1\na.B.run:2");
    }

    /** A program in C has no other stack, and a JVM may have recorded none. */
    @Test
    void shouldShowTheStackOfTheLongestAbsenceWithoutJavaStacks() throws IOException {
        long stallNs = Json.read(run.resolve("run.json"), JsonNode.class)
                .path("stalls")
                .path(0)
                .path("atNs")
                .asLong();
        String absence = event(
                stallNs + 1_000_000,
                "THREAD_ABSENT",
                "mds-context",
                "\"state\":\"sleeping\",\"userStack\":\"c < b < a\"");
        Files.writeString(run.resolve("timeline.jsonl"), absence, StandardOpenOption.APPEND);
        Document page = write();
        assertThat(page.select("[data-wait]").text()).startsWith("was off the CPU (sleeping), 80.0 ms");
        assertThat(page.select("[data-wait] + pre").text()).isEqualTo("c\nb\na");
        assertThat(page.select("svg.flame text").eachText()).containsExactlyInAnyOrder("a", "b", "c");

        Files.writeString(
                run.resolve("timeline.jsonl"),
                wait(stallNs + 1_000_000, "mds-context", "parked"),
                StandardOpenOption.APPEND);
        assertThat(write().select("[data-wait]").text()).startsWith("parked, 80.0 ms");
    }

    private static String wait(long atNs, String thread, String what) {
        return event(
                atNs,
                "JAVA_WAIT",
                thread,
                "\"what\":\"" + what + "\",\"where\":\"a.B.run:2\",\"stack\":\"a.B.park:1 < a.B.run:2\"");
    }

    private static String event(long atNs, String type, String thread, String details) {
        return "{\"timeNs\":" + atNs + ",\"type\":\"" + type + "\",\"process\":\"mds\",\"thread\":\"" + thread
                + "\",\"details\":{\"durationNs\":80000000," + details + "}}\n";
    }

    @Test
    void shouldShowWhoElseRanOnTheCpuOfTheReceiptThread() throws IOException {
        assertThat(write().select("#shared")).isEmpty();
        CoreShared once = new CoreShared(
                "mds",
                "mds-context",
                2,
                "kworker/2:1",
                new Interval(1_000, 5_001_000),
                new CoreShared.Share(3, 4_000_000, 2_500_000));
        try (Writer timeline = Files.newBufferedWriter(run.resolve("timeline.jsonl"), StandardOpenOption.APPEND)) {
            timeline.write(Json.line(once) + "\n" + Json.line(once) + "\n");
        }
        assertThat(write().select("#shared tbody tr").eachText())
                .containsExactly("mds-context 2 kworker/2:1 6 8.0 ms 2.5 ms");
    }

    @Test
    void shouldShowTheSafepointsByOperation() throws IOException {
        assertThat(write().select("#safepoint-table"))
                .as("JFR did not observe it")
                .isEmpty();
        Path file = run.resolve("run.json");
        ObjectNode document = Json.read(file, ObjectNode.class);
        SafepointTable table = new SafepointTable();
        table.add("G1CollectFull", 12_000_000, 2_500, 10_000_000);
        table.add("G1CollectFull", 3_000_000, 1_500, 510_000_000);
        table.add("Cleanup", 200_000, 50_000, 20_000_000);
        document.set("safepoints", Json.tree(table.rows(), ArrayNode.class));
        Files.writeString(file, Json.line(document));

        Document page = write();
        assertThat(page.select("#safepoint-table summary").text()).isEqualTo("Safepoints of mds by operation");
        assertThat(page.select("#safepoints tbody tr").eachText())
                .anySatisfy(row -> assertThat(row).startsWith("G1CollectFull 2 15.0 ms 12.0 ms 4 us 3 us"))
                .anySatisfy(row -> assertThat(row).startsWith("Cleanup 1 200 us 200 us 50 us 50 us"))
                .hasSize(2);
    }

    @Test
    void shouldFoldTheSettingsOfTheKernel() throws IOException {
        assertThat(write().select("#settings"))
                .as("a run of an earlier version")
                .isEmpty();
        Path file = run.resolve("run.json");
        ObjectNode document = Json.read(file, ObjectNode.class);
        ObjectNode settings = document.withObject("/environment/settings");
        settings.put("preemption", "lazy").put("tickHz", 250).put("commandLine", "quiet <isolcpus>=2");
        settings.putObject("irqAffinity").put("0-3", 19).put("1", 2);
        Files.writeString(file, Json.line(document));

        Document page = write();
        assertThat(page.select("details:not([open]) > #settings dt").eachText())
                .contains("preemption model", "tick", "interrupts by CPUs", "command line");
        assertThat(page.select("#settings dd").eachText())
                .contains("lazy", "250 Hz", "0-3: 19; 1: 2", "quiet <isolcpus>=2", "not reported, or none");
    }

    @Test
    void shouldSayWhatIsAbsentInsteadOfFailing() throws IOException {
        for (String name : FixtureRun.EVIDENCE) {
            Files.delete(run.resolve(name));
        }
        Document page = write();
        assertThat(page.select("[data-absent]").eachAttr("data-absent"))
                .contains("depth", "gaps", "faults", "naks", "blocked", "memory", "chain", "suspects", "stacks");
        assertThat(page.select("#environment").text())
                .contains("samples.csv.gz: this run has none", "timeline.jsonl: this run has none");
        assertThat(page.select("#story").text()).contains("378 datagrams");
    }

    /** The rate limiter refused fewer times than it refused sends. */
    @Test
    void shouldDrawAsManyBlockedSendsAsTheRunCounts() throws IOException {
        long counted = Json.read(run.resolve("run.json"), JsonNode.class)
                .path("blockedSends")
                .asLong();
        JsonNode blocked = StreamSupport.stream(data(write()).path("charts").spliterator(), false)
                .filter(chart -> chart.path("id").asText().equals("blocked"))
                .findFirst()
                .orElseThrow();
        assertThat(counted).isPositive();
        assertThat(highest(blocked, "mds")).isEqualTo(counted);
    }

    @Test
    void shouldFallBackOnTheTimelineWithoutSamples() throws IOException {
        Files.delete(run.resolve("samples.csv.gz"));
        JsonNode charts = data(write()).path("charts");
        assertThat(texts(charts, "id")).containsExactly("gaps", "naks", "blocked");
        assertThat(highest(charts.path(1), "mds NAKs sent")).isEqualTo(6);
    }

    @Test
    void shouldReadWhatAKilledRunLeft() throws IOException {
        byte[] samples = Files.readAllBytes(run.resolve("samples.csv.gz"));
        Files.write(run.resolve("samples.csv.gz"), java.util.Arrays.copyOf(samples, samples.length / 2));
        String timeline = Files.readString(run.resolve("timeline.jsonl"));
        Files.writeString(run.resolve("timeline.jsonl"), timeline.substring(0, timeline.length() - 20));
        assertThat(data(write()).path("charts")).isNotEmpty();
    }

    @Test
    void shouldPlotPhasesOfRunsLikeIt() throws IOException {
        StallRow other = new StallRow("mds", "mds-context", 1_795_231_575_013_500_000L, 148.0, 0, "late-binding-delay");
        Report.write(run, List.of(other));
        JsonNode phase = data(page()).path("phase");
        assertThat(phase.path("own")).hasSize(1);
        assertThat(phase.path("own").path(0).path(0).asDouble()).isBetween(0.0, 20.0);
        assertThat(phase.path("others").path(0).path(0).asDouble()).isEqualTo(13.5);
    }

    @Test
    void shouldShowTheAccountOfTheMainStallAsABar() throws IOException {
        account(0, "page-fault", 140.2, "libc.so.6 .gnu.hash", "preempted", 5.38, "by java", "unexplained", 0.02, "");
        Document page = write();
        assertThat(page.select("#account rect[data-part]").eachAttr("data-part"))
                .containsExactly("page fault", "preempted", "unexplained");
        assertThat(page.select("#account rect[data-part]").eachAttr("data-ms"))
                .containsExactly("140.2", "5.38", "0.02");
        assertThat(page.select("#account rect[data-part=unexplained]").attr("class"))
                .contains("unexplained");
        assertThat(page.select("#account .bar").attr("role")).isEqualTo("img");
        assertThat(page.select("#account .bar").attr("aria-label"))
                .isEqualTo("Of 145.6 ms: 140.2 ms page fault (96.3 %, libc.so.6 .gnu.hash),"
                        + " 5.4 ms preempted (3.7 %, by java), 0.020 ms unexplained (<0.1 %).");
        assertThat(page.select("#account-parts tbody tr").eachText())
                .containsExactly(
                        "1 page fault 140.2 96.3 % libc.so.6 .gnu.hash",
                        "2 preempted 5.4 3.7 % by java", "3 unexplained 0.020 <0.1 %");
        assertThat(page.select("#other-accounts")).isEmpty();
    }

    /** The diagnosis names the sum of a group, so the largest group comes first and not the largest part. */
    @Test
    void shouldGroupThePartsOfOneColour() throws IOException {
        account(0, "lock", 60.0, "", "preempted", 50.0, "", "stolen", 40.0, "", "unexplained", 0.5, "");
        assertThat(write().select("#account rect[data-part]").eachAttr("data-ms"))
                .containsExactly("50.0", "40.0", "60.0", "0.5");
    }

    /** A bar that says one thing takes less room than one that compares. */
    @Test
    void shouldDrawABarOfOneColourLow() throws IOException {
        account(0, "page-fault", 140.2, "libc.so.6", "unexplained", 0.02, "");
        assertThat(write().select("#account .bar").hasClass("low")).isTrue();

        account(0, "lock", 60.0, "", "preempted", 50.0, "");
        assertThat(write().select("#account .bar").hasClass("low")).isFalse();
    }

    @Test
    void shouldSayWhatOpensTheRecordingAndTheTrace() throws IOException {
        assertThat(write().text())
                .contains("window.jfr: JDK Mission Control, File, Open File.", "ui.perfetto.dev: naklab report ")
                .contains("--perfetto trace.json");
    }

    @Test
    void shouldShowDepthAndDropsBesideTheAnswer() throws IOException {
        Document page = write();
        assertThat(page.select(".first #picture [data-chart]").eachAttr("data-chart"))
                .containsExactly("depth", "drops");
        assertThat(page.select("[data-chart=drops]")).hasSize(1);
    }

    @Test
    void shouldShowNoFiguresOfARunThatEndedBeforeAnythingWasObserved() throws IOException {
        ObjectNode document = Json.read(run.resolve("run.json"), ObjectNode.class);
        document.putArray("subscribers");
        document.putArray("stalls");
        Json.write(run.resolve("run.json"), document);
        for (String evidence : List.of("diagnosis.json", "timeline.jsonl", "samples.csv.gz")) {
            Files.delete(run.resolve(evidence));
        }
        Document page = write();
        assertThat(page.select(".answer").text()).startsWith("This run shows nothing: it ended before");
        assertThat(page.select(".figures div")).isEmpty();
        String second = document.path("startedUtc").asText().substring(11, 19);
        assertThat(page.text()).contains("seconds after " + second + " UTC");
    }

    @Test
    void shouldFillTheBarWithPartsThatCanBeSeen() throws IOException {
        account(0, "sleep", 150.0, "", "on-cpu", 0.001, "", "unexplained", 0.002, "");
        double x = 0;
        for (Element part : write().select("#account rect[data-part]")) {
            assertThat(percent(part, "x")).isCloseTo(x, within(0.01));
            assertThat(percent(part, "width")).isGreaterThan(0.7);
            x += percent(part, "width");
        }
        assertThat(x).isCloseTo(100, within(0.01));
    }

    @Test
    void shouldAddUpTheShortestOfManyPartsButNotTheUnexplained() throws IOException {
        Object[] parts = new Object[3 * 21];
        for (int i = 0; i < 20; i++) {
            parts[3 * i] = "preempted";
            parts[3 * i + 1] = 20.0 - i;
            parts[3 * i + 2] = "by thread " + i;
        }
        parts[60] = "unexplained";
        parts[61] = 0.5;
        parts[62] = "";
        account(0, parts);
        Document page = write();
        List<String> rows = page.select("#account-parts tbody tr").eachText();
        assertThat(rows).hasSize(12);
        assertThat(rows.get(10)).contains("10 shorter parts: preempted");
        assertThat(rows.get(11)).contains("unexplained 0.5");
        assertThat(page.select("#account rect[data-part]").eachAttr("data-ms").stream()
                        .mapToDouble(Double::parseDouble)
                        .sum())
                .isCloseTo(210.5, within(1e-6));
    }

    @Test
    void shouldListTheAccountsOfOtherStallsByTime() throws IOException {
        ObjectNode document = Json.read(run.resolve("run.json"), ObjectNode.class);
        ObjectNode main = (ObjectNode) document.path("stalls").path(0);
        document.withArray("stalls")
                .add(main.deepCopy().put("atNs", main.path("atNs").asLong() + 2).put("durationMs", 30.0))
                .add(main.deepCopy().put("atNs", main.path("atNs").asLong() + 1).put("durationMs", 25.0));
        Json.write(run.resolve("run.json"), document);
        account(0, "sleep", 151.5, "");
        account(2, "lock", 29.8, "woken by java", "on-cpu", 0.2, "");
        account(3, "unexplained", 25.0, "");
        assertThat(write().select("#other-accounts tbody tr").eachText())
                .satisfiesExactly(
                        first -> assertThat(first).endsWith("mds-context 25.0 ms 25.0 ms = 25.0 unexplained"),
                        second -> assertThat(second)
                                .endsWith("mds-context 30.0 ms 30.0 ms = 29.8 lock (woken by java) + 0.2 other"));
    }

    @Test
    void shouldShowNothingOfAnAccountThatARunDoesNotHave() throws IOException {
        Document page = write();
        assertThat(page.select("#account, #account-parts, #other-accounts")).isEmpty();
        assertThat(page.text()).doesNotContain("Parts of the other stalls").doesNotContain("number in the bar");
    }

    private static double percent(Element part, String attribute) {
        return Double.parseDouble(part.attr(attribute).replace("%", ""));
    }

    /** @param parts kind, milliseconds and detail of each entry */
    private void account(int stall, Object... parts) {
        ObjectNode document = Json.read(run.resolve("run.json"), ObjectNode.class);
        ArrayNode account = ((ObjectNode) document.path("stalls").path(stall)).putArray("account");
        for (int i = 0; i < parts.length; i += 3) {
            account.addObject()
                    .put("kind", (String) parts[i])
                    .put("ms", (Double) parts[i + 1])
                    .put("detail", (String) parts[i + 2]);
        }
        Json.write(run.resolve("run.json"), document);
    }

    @Test
    void shouldNeedNoNetworkAndStaySmall() throws IOException {
        Document page = write();
        assertThat(page.select("[src], link:not([href^=data:]), iframe, img")).isEmpty();
        assertThat(page.select("meta[http-equiv=Content-Security-Policy]").attr("content"))
                .startsWith("default-src 'none'");
        assertThat(Files.size(Report.of(run))).isLessThan(MAX_BYTES);
    }

    @Test
    void shouldEscapeWhateverARunSays() throws IOException {
        String hostile = "</script><script>alert(1)</script><img src=x onerror=\"alert('1')\">";
        ObjectNode document = Json.read(run.resolve("run.json"), ObjectNode.class);
        document.put("scenario", hostile).put("replay", hostile);
        document.withObject("/environment").put("processor", hostile);
        Json.write(run.resolve("run.json"), document);
        TimelineEvent stall = TimelineEvent.of(1, TimelineEventType.STALL, hostile, Map.of());
        String line = Json.line(stall);
        Files.writeString(run.resolve("timeline.jsonl"), line + "\n");
        Files.delete(run.resolve("samples.csv.gz"));
        Document page = write();
        assertThat(page.select("img")).isEmpty();
        assertThat(page.select("script")).hasSize(3);
        assertThat(page.select("h1").text()).isEqualTo(hostile);
        assertThat(page.select("#replay").text()).isEqualTo(hostile);
        assertThat(data(page).path("charts").toString()).contains("alert(1)");
    }

    @Test
    void shouldSayInOneLineThatADirectoryIsNoRun() throws IOException {
        Files.delete(run.resolve("run.json"));
        assertThatThrownBy(() -> Report.write(run, List.of()))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("it has no run.json");
    }

    private Document write() throws IOException {
        Report.write(run, List.of());
        return page();
    }

    private Document page() throws IOException {
        return Jsoup.parse(Report.of(run));
    }

    private static JsonNode data(Document page) throws JsonProcessingException {
        return Json.parse(page.select("#run-data").html());
    }

    private static List<String> texts(JsonNode nodes, String key) {
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(node -> node.path(key).asText())
                .toList();
    }

    private static long highest(JsonNode chart, String series) {
        return StreamSupport.stream(chart.path("series").spliterator(), false)
                .filter(each -> each.path("name").asText().equals(series))
                .flatMap(each -> StreamSupport.stream(each.path("y").spliterator(), false))
                .mapToLong(JsonNode::asLong)
                .max()
                .orElseThrow(() -> new AssertionError("no series " + series + " in " + chart.path("id")));
    }
}
