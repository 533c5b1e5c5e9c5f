package org.naklab.lab.cli.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.report.Report;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.RemedyComparison;
import org.naklab.lab.scenarios.experiment.RemedyLatency;
import org.naklab.lab.scenarios.experiment.RemedyPrice;
import org.naklab.lab.scenarios.experiment.RemedyStaleQuotes;
import org.naklab.lab.scenarios.experiment.RemedySummary;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.terminal.runs.MeasuredLine;

/** The comparison of remedies as one HTML page: the table of the last screen, the intervals as pictures, and links to the runs. */
final class RemedyComparisonPage {
    private static final double INTERVAL_PX = 160;

    private RemedyComparisonPage() {}

    /**
     * Writes the page.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    static void write(Path file, RemedyComparison comparison) {
        Path page = file.toAbsolutePath().normalize();
        Optional<RunPlan> plan = comparison.results().stream().findFirst().map(result -> result.outcome()
                .plan());
        Map<String, Object> values = new HashMap<>();
        values.put("scenario", plan.map(RunPlan::scenario).orElse(""));
        values.put("measured", MeasuredLine.now());
        values.put("verdict", comparison.verdict().label());
        values.put("verdictClass", classOf(comparison.verdict()));
        values.put(
                "answer",
                answer(comparison.summaries())
                        + comparison.note().map(note -> " Note: " + note + ".").orElse(""));
        values.put(
                "remedies",
                comparison.summaries().stream().map(RemedyComparisonPage::row).toList());
        values.put(
                "latencies",
                comparison.summaries().stream()
                        .flatMap(summary -> Stream.ofNullable(summary.measured().latency())
                                .map(latency -> latency(summary.remedy().label(), latency)))
                        .toList());
        values.put(
                "staleQuotes",
                comparison.summaries().stream()
                        .flatMap(summary -> Stream.ofNullable(summary.measured().staleQuotes())
                                .map(quotes -> staleQuotes(summary.remedy().label(), quotes)))
                        .toList());
        values.put(
                "runs",
                comparison.results().stream().map(result -> run(page, result)).toList());
        Page.write(file, Page.render(RemedyComparisonPage.class, "comparison.html", values));
    }

    private static String answer(List<RemedySummary> summaries) {
        List<String> cures = summaries.stream()
                .filter(summary -> !summary.remedy().equals(Remedy.NONE))
                .filter(summary -> summary.effect() == Answer.REMOVES_THE_CAUSE)
                .map(summary -> summary.remedy().label())
                .toList();
        return cures.isEmpty()
                ? "No remedy was seen to remove the cause."
                : "The cause is removed by: " + String.join(", ", cures) + ".";
    }

    private static Map<String, Object> row(RemedySummary summary) {
        double share = summary.withNak().trials() == 0
                ? 0
                : (double) summary.withNak().hits() / summary.withNak().trials();
        Map<String, Object> row = new HashMap<>();
        row.put("remedy", summary.remedy().label());
        row.put("effect", RemedyComparisonTable.effect(summary));
        row.put("class", summary.effect().meaning().style());
        row.put("withNak", summary.withNak().hits() + " of " + summary.withNak().trials());
        row.put("interval", summary.withNak().text());
        row.put("low", pixels(summary.withNak().low()));
        row.put("width", pixels(summary.withNak().high() - summary.withNak().low()));
        row.put("share", pixels(share));
        row.put("passed", summary.verdicts().passed() + "/" + summary.verdicts().runs());
        row.put("stalls", Format.count(summary.harm().stalls()));
        row.put("longest", Format.milliseconds(summary.harm().longestStallMs()));
        row.put("drops", Format.count(summary.harm().datagramsDropped()));
        row.put("naks", Format.count(summary.harm().naks()));
        row.put("blocked", Format.count(summary.harm().blockedSends()));
        RemedyPrice price = summary.measured().price();
        row.put("cpu", price == null ? "" : RemedyComparisonTable.cpu(price));
        row.put("memory", price == null ? "" : Format.bytes(Math.round(price.memoryBytes())));
        row.put("locked", price == null ? "" : Format.bytes(Math.round(price.lockedBytes())));
        row.put("start", price == null ? "" : Format.milliseconds(price.startMs()));
        return row;
    }

    private static Map<String, String> latency(String remedy, RemedyLatency latency) {
        return Map.of(
                "remedy", remedy,
                "p50", LatencyRecord.milliseconds(latency.p50Us()),
                "p99", LatencyRecord.milliseconds(latency.p99Us()),
                "p999", LatencyRecord.milliseconds(latency.p999Us()),
                "max", LatencyRecord.milliseconds(latency.maxUs()),
                "over1", LatencyRecord.percent(latency.over1MsShare()),
                "over10", LatencyRecord.percent(latency.over10MsShare()),
                "over100", LatencyRecord.percent(latency.over100MsShare()));
    }

    private static Map<String, String> staleQuotes(String remedy, RemedyStaleQuotes quotes) {
        return Map.of(
                "remedy", remedy,
                "over10", Format.count(quotes.over10Ms()),
                "total", Format.milliseconds(quotes.totalMs()),
                "longest", Format.milliseconds(quotes.longestMs()),
                "difference", RemedyComparisonTable.difference(quotes));
    }

    private static Map<String, Object> run(Path page, RunResult result) {
        RunPlan plan = result.outcome().plan();
        Path directory = plan.directory().toAbsolutePath().normalize();
        boolean isLinked = Files.isRegularFile(Report.of(directory));
        return Map.of(
                "name", String.valueOf(directory.getFileName()),
                "seed", String.valueOf(plan.seed()),
                "remedy", plan.remedy().label(),
                "verdict", result.verdict().label(),
                "class", classOf(result.verdict()),
                "diagnosis", result.diagnosis(),
                "linked", isLinked,
                "link", isLinked ? Page.link(page, Report.of(directory)) : "");
    }

    private static String classOf(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "good";
            case FAIL -> "bad";
            case UNKNOWN -> "doubt";
        };
    }

    private static String pixels(double share) {
        return String.format(Locale.ROOT, "%.1f", share * INTERVAL_PX);
    }
}
