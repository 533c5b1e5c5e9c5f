package org.naklab.lab.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.records.KeyFigures;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.records.memory.PageFaultRecord;
import org.naklab.lab.report.flame.FlameGraph;
import org.naklab.lab.report.jvm.SafepointView;
import org.naklab.lab.report.latency.LatencyTable;
import org.naklab.lab.report.latency.PercentilePlot;
import org.naklab.lab.report.trace.TraceView;
import org.naklab.lab.runs.history.StallRow;
import org.naklab.lab.runs.page.Page;

/** A run's directory as one HTML file that needs no network. */
public final class Report {
    /** Name of the file in the run directory. */
    public static final String NAME = "report.html";

    private static final int MAX_SHADED_STALLS = 20;

    private final RunFiles files;
    private final TimeAxis axis;

    private Report(RunFiles files) {
        this.files = files;
        axis = TimeAxis.of(files);
    }

    /** Returns the file to which {@link #write} writes. */
    public static Path of(Path runDirectory) {
        return runDirectory.resolve(NAME);
    }

    /** Returns the names of the files of a run to which its report links, as far as the run has them. */
    public static List<String> downloads() {
        return Links.DOWNLOADS;
    }

    /**
     * Writes {@code report.html} into a run's directory. What the directory has not, the report says is absent. The report of the run before
     * it gets a link to it.
     *
     * @param alike stalls of earlier runs like this one, for the plot of their phase
     * @throws org.naklab.lab.core.LabException the directory is no run's, a file of it is damaged, or it cannot be written
     */
    public static void write(Path runDirectory, List<StallRow> alike) {
        write(runDirectory, alike, of(runDirectory));
        new Links(runDirectory, of(runDirectory)).joinPrevious();
    }

    /** Writes the report to another file. */
    public static void write(Path runDirectory, List<StallRow> alike, Path file) {
        Page.write(file, new Report(RunFiles.read(runDirectory)).text(alike, file));
    }

    private String text(List<StallRow> alike, Path file) {
        Charts charts = Charts.of(files, axis);
        PhasePlot phase = PhasePlot.of(files, axis, alike);
        Waterfall waterfall = new Waterfall(files, axis);
        RunDocument document = files.document();
        Map<String, Object> values = new HashMap<>();
        boolean isOfWatch = files.run().isOfWatch();
        String verdict = isOfWatch
                ? document.finding().diagnosis()
                : Objects.requireNonNullElse(document.finding().verdict(), "unknown");
        values.put("isOfWatch", isOfWatch);
        values.put("scenario", document.runCase().scenario());
        values.put("verdict", verdict);
        values.put("verdictClass", Tables.classOf(verdict.equals("clean") ? "pass" : verdict));
        values.put("started", started());
        values.put("startedUtc", Objects.requireNonNullElse(files.run().course().startedUtc(), ""));
        values.putAll(new Links(files.directory(), file).values());
        values.putAll(answer());
        values.put(
                "story",
                RunSummary.tell(files, axis).stream()
                        .map(line -> Map.of("head", line.head(), "text", line.text()))
                        .toList());
        values.putAll(AccountView.of(files, axis));
        List<Chart> picture = charts.picture();
        values.put("hasPicture", !picture.isEmpty());
        values.put("picture", picture.stream().map(Report::figure).toList());
        values.put(
                "charts",
                charts.shown().stream()
                        .filter(chart -> !picture.contains(chart))
                        .map(Report::figure)
                        .toList());
        values.put("folded", charts.folded().stream().map(Report::figure).toList());
        values.put("hasFolded", !charts.folded().isEmpty());
        values.put(
                "foldedTitles",
                String.join(
                        ", ",
                        charts.folded().stream()
                                .map(chart -> chart.caption().title())
                                .toList()));
        values.put("axisLabel", axis.label());
        values.put("hasStall", files.focus().isPresent());
        values.put("focusName", files.causalStall().isPresent() ? "The stall" : "The cause");
        values.put("phaseNote", phase.note());
        values.put("hasPhase", !phase.isEmpty());
        values.put("reference", waterfall.reference());
        values.put("chain", waterfall.rows());
        values.put("hasChain", !waterfall.rows().isEmpty());
        values.put("hasBars", !waterfall.bars().isEmpty());
        values.putAll(tables());
        values.putAll(Instruments.of(files.run().reported().instruments()));
        values.put("absent", files.further().absent());
        values.put("directory", files.directory().toString());
        values.put(
                "latencies",
                LatencyTable.rows(
                        files.run().reported().subscribers(),
                        files.run().served().customers()));
        values.put(
                "latencySentences",
                files.run().reported().subscribers().stream()
                        .flatMap(subscriber -> Stream.ofNullable(
                                        subscriber.effects().latency())
                                .map(latency -> subscriber.name() + ": " + latency.sentence()))
                        .toList());
        values.put(
                "staleQuotes",
                Stream.ofNullable(files.run().served().staleQuotes())
                        .map(StaleQuotesRecord::sentence)
                        .toList());
        values.put("customers", customers(files.run().served().customers()));
        List<SafepointTable.Row> safepoints = files.run().served().safepoints();
        values.put("hasSafepoints", safepoints != null);
        values.put(
                "safepoints",
                safepoints == null
                        ? ""
                        : SafepointView.html(
                                safepoints, "The JVM stopped its threads at no time while it was observed."));
        values.put("safepointProcess", files.run().subjectProcess());
        values.put(
                "hasLatencies", !PercentilePlot.of(files.further().latencies()).isEmpty());
        String trace = trace();
        values.put("trace", trace);
        values.put("hasTrace", !trace.isEmpty());
        values.put("glossary", Glossary.terms());
        values.put("data", Page.script(data(charts, phase, waterfall)));
        values.put("library", Page.resource(Report.class, "echarts/echarts.common.min.js"));
        values.put("script", Page.resource(Report.class, "report.js"));
        return Page.renderCharts(Report.class, "report.html", values);
    }

    /** Returns what customers saw and what became of them, each a sentence. */
    private static List<String> customers(List<CustomersRecord> customers) {
        return Stream.concat(
                        CustomersRecord.sentence(customers).stream(),
                        customers.stream().map(CustomersRecord::figures))
                .toList();
    }

    /** Returns what ran on the CPU of the thread of the stall that matters; empty if the run has no trace of the kernel. */
    private String trace() {
        return TraceView.html(
                files.directory(),
                files.mainStall()
                        .map(stall -> new Interval(stall.atNs(), stall.endNs()))
                        .orElse(null),
                files.mainStall().map(Stall::thread).orElse(""));
    }

    /** Returns the first screen: a sentence and three figures, as the command line prints them. */
    private Map<String, Object> answer() {
        String confidence =
                files.diagnosis().map(each -> each.named().confidence()).orElse(null);
        String remedy = files.diagnosis().map(each -> each.advice().remedy()).orElse("");
        boolean isClean = files.cause().equals("clean");
        return Map.of(
                "answer",
                files.keyFigures().answer(files.cause(), confidence),
                "figures",
                (files.keyFigures().isUnobserved()
                                ? List.<KeyFigures.Figure>of()
                                : files.keyFigures().all())
                        .stream()
                                .map(figure ->
                                        Map.of("head", figure.head(), "value", figure.value(), "text", figure.text()))
                                .toList(),
                "remedy",
                remedy,
                "hasRemedy",
                !remedy.isEmpty() && !isClean);
    }

    private Map<String, Object> tables() {
        Tables tables = new Tables(files, axis);
        Suspects suspects = new Suspects(files);
        Stacks stacks = new Stacks(files, axis);
        List<Map<String, Object>> faultStacks = stacks.ofFaults();
        List<Map<String, Object>> waits = new ArrayList<>(stacks.ofWaits());
        waits.addAll(stacks.ofJava());
        if (waits.isEmpty()) {
            waits.addAll(stacks.ofAbsence());
        }
        Map<String, Object> values = new HashMap<>();
        values.put("doubt", tables.doubt());
        values.put("hasDoubt", !tables.doubt().isEmpty());
        values.put("chainless", tables.chainless());
        values.put("evidence", tables.evidence());
        values.put("hasEvidence", !tables.evidence().isEmpty());
        values.put("suspects", suspects.left());
        values.put("hasLeft", !suspects.left().isEmpty());
        values.put("ruledOut", suspects.ruledOut());
        values.put("ruledOutCount", suspects.ruledOut().size());
        values.put("hasRuledOut", !suspects.ruledOut().isEmpty());
        values.put("hasSuspects", !suspects.isEmpty());
        values.put("noted", tables.noted());
        values.put("notes", tables.noted().size());
        values.put("hasNoted", !tables.noted().isEmpty());
        values.put("conditions", tables.conditions());
        values.put("stacks", faultStacks);
        values.put("hasStacks", !faultStacks.isEmpty());
        List<PageFaultRecord> pageFaults = files.run().used().pageFaults();
        values.put("pageFaults", tables.pageFaults());
        values.put("hasPageFaults", !pageFaults.isEmpty());
        values.put("pageFaultCount", Format.counted(pageFaults.size(), "page fault"));
        values.put(
                "pageFaultTotal",
                Format.milliseconds(pageFaults.stream()
                        .mapToDouble(PageFaultRecord::durationMs)
                        .sum()));
        values.put("waits", waits);
        values.putAll(FlameGraph.values(stacks.offCpu()));
        values.put("hasWaits", !waits.isEmpty());
        values.put("environment", tables.environment());
        values.put("settings", tables.settings());
        values.put("hasSettings", !tables.settings().isEmpty());
        values.put("shared", tables.shared());
        values.put("hasShared", !tables.shared().isEmpty());
        values.put("replay", tables.replay());
        return values;
    }

    /** Returns the start of the run, truncated to seconds; the directory's name contains the milliseconds. */
    private String started() {
        String startedUtc = files.run().course().startedUtc();
        return startedUtc == null ? "" : startedUtc.replace('T', ' ').replaceFirst("(\\.\\d+)?Z$", " UTC");
    }

    private static Map<String, Object> figure(Chart chart) {
        return Map.of(
                "id", chart.id(),
                "title", chart.caption().title(),
                "note", chart.caption().note(),
                "figures", chart.caption().figures(),
                "strip", chart.isStrip(),
                "absent", chart.absent(),
                "drawn", chart.isDrawn());
    }

    private Map<String, Object> data(Charts charts, PhasePlot phase, Waterfall waterfall) {
        Map<String, Object> data = new HashMap<>();
        data.put("from", axis.microseconds(axis.fromNs()));
        data.put("to", axis.microseconds(axis.toNs()));
        data.put("label", axis.label());
        data.put("seconds", axis.hasSeconds());
        Long epochOffsetNs = axis.epochOffsetNs();
        if (epochOffsetNs != null) {
            data.put("originEpochMs", (axis.originNs() + epochOffsetNs) / Units.MS_NS);
        }
        data.put(
                "stalls",
                files.document().longestStalls().stream()
                        .limit(MAX_SHADED_STALLS)
                        .map(stall -> times(new Interval(stall.atNs(), stall.endNs())))
                        .toList());
        data.put("charts", charts.drawn());
        data.put("phase", phase);
        data.put("percentiles", PercentilePlot.of(files.further().latencies()).curves());
        data.put("bars", waterfall.bars());
        data.put("marks", waterfall.marks());
        files.focus().ifPresent(focus -> data.put("focus", times(focus)));
        Traffic.warmUp(files, axis).ifPresent(warmUp -> data.put("warmUp", times(warmUp)));
        files.focus().ifPresent(focus -> data.put("main", axis.microseconds(focus.beginNs())));
        data.put("reference", waterfall.reference());
        return data;
    }

    private List<Long> times(Interval interval) {
        return List.of(axis.microseconds(interval.beginNs()), axis.microseconds(interval.endNs()));
    }
}
