package org.naklab.lab.report;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.naklab.lab.runs.history.StallRow;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.runs.record.RunDocument;

/** A run's directory as one HTML file that needs no network. */
public final class Report {
    /** Name of the file in the run directory. */
    public static final String NAME = "report.html";

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

    /**
     * Writes {@code report.html} into a run's directory. What the directory has not, the report says is absent.
     *
     * @param alike stalls of earlier runs like this one, for the plot of their phase
     * @throws org.naklab.lab.core.LabException the directory is no run's, a file of it is damaged, or it cannot be written
     */
    public static void write(Path runDirectory, List<StallRow> alike) {
        write(runDirectory, alike, of(runDirectory));
    }

    /** Writes the report to another file. */
    public static void write(Path runDirectory, List<StallRow> alike, Path file) {
        Page.write(file, new Report(RunFiles.read(runDirectory)).text(alike));
    }

    private String text(List<StallRow> alike) {
        List<Chart> charts = Charts.of(files, axis);
        PhasePlot phase = PhasePlot.of(files, axis, alike);
        Tables tables = new Tables(files, axis);
        RunDocument document = files.document();
        String verdict = Objects.requireNonNullElse(document.verdict(), "unknown");
        Map<String, Object> values = new HashMap<>();
        values.put("scenario", document.runCase().scenario());
        values.put("verdict", verdict);
        values.put("verdictClass", Tables.classOf(verdict));
        values.put("started", started());
        values.put("doubt", tables.doubt());
        values.put("hasDoubt", !tables.doubt().isEmpty());
        values.put(
                "story",
                RunSummary.tell(files, axis).stream()
                        .map(line -> Map.of("head", line.head(), "text", line.text()))
                        .toList());
        values.putAll(AccountView.of(files, axis));
        values.put("charts", charts.stream().map(Report::figure).toList());
        values.put("axisLabel", axis.label());
        values.put("hasStall", document.mainStall().isPresent());
        values.put("phaseNote", phase.note());
        values.put("hasPhase", !phase.isEmpty());
        values.put("chain", tables.chain());
        values.put("chainless", tables.chainless());
        values.put("hasChain", !tables.chain().isEmpty());
        values.put("evidence", tables.evidence());
        values.put("hasEvidence", !tables.evidence().isEmpty());
        values.put("suspects", tables.suspects());
        values.put("hasSuspects", !tables.suspects().isEmpty());
        values.put("noted", tables.noted());
        values.put("notes", tables.noted().size());
        values.put("hasNoted", !tables.noted().isEmpty());
        values.put("conditions", tables.conditions());
        Stacks stacks = new Stacks(files, axis);
        List<Map<String, Object>> faultStacks = stacks.ofFaults();
        values.put("stacks", faultStacks);
        values.put("noStacks", faultStacks.isEmpty());
        List<Map<String, Object>> waits = stacks.ofWaits();
        values.put("waits", waits);
        values.put("hasWaits", !waits.isEmpty());
        values.put("environment", tables.environment());
        values.putAll(Instruments.of(files.run().instruments()));
        values.put("replay", tables.replay());
        values.put("absent", files.absent());
        values.put("directory", files.directory().toString());
        values.put("data", Page.script(data(charts, phase)));
        values.put("library", Page.resource(Report.class, "echarts/echarts.common.min.js"));
        values.put("script", Page.resource(Report.class, "report.js"));
        return Page.render(Report.class, "report.html", values);
    }

    /** Returns the start of the run, truncated to seconds; the directory's name contains the milliseconds. */
    private String started() {
        String startedUtc = files.run().startedUtc();
        return startedUtc == null ? "" : startedUtc.replace('T', ' ').replaceFirst("(\\.\\d+)?Z$", " UTC");
    }

    private static Map<String, Object> figure(Chart chart) {
        return Map.of(
                "id", chart.id(),
                "title", chart.title(),
                "note", chart.note(),
                "absent", chart.absent(),
                "drawn", chart.absent().isEmpty());
    }

    private Map<String, Object> data(List<Chart> charts, PhasePlot phase) {
        Map<String, Object> data = new HashMap<>();
        data.put("from", axis.microseconds(axis.fromNs()));
        data.put("to", axis.microseconds(axis.toNs()));
        data.put("label", axis.label());
        data.put("seconds", axis.hasSeconds());
        data.put(
                "stalls",
                files.document().longestStalls().stream()
                        .limit(20)
                        .map(stall -> List.of(axis.microseconds(stall.atNs()), axis.microseconds(stall.endNs())))
                        .toList());
        data.put(
                "charts",
                charts.stream().filter(chart -> chart.absent().isEmpty()).toList());
        data.put("phase", phase);
        files.document()
                .mainStall()
                .ifPresent(stall ->
                        data.put("focus", List.of(axis.microseconds(stall.atNs()), axis.microseconds(stall.endNs()))));
        return data;
    }
}
