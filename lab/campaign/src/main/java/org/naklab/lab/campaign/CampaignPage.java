package org.naklab.lab.campaign;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.runs.calendar.KeptPage;
import org.naklab.lab.runs.history.RunColour;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.scenarios.Verdict;

/** A campaign as one HTML page: progress, arms with intervals, failures by kind with links to their reports, and a mark for each seed. */
public final class CampaignPage {
    private static final double PERCENT = 100;
    private static final int BAR_PX = 240;
    private static final int MARKS_IN_A_ROW = 200;
    private static final int MARK_PX = 5;
    private static final int ROW_PX = 14;
    private static final int TALL_PX = 12;
    private static final int LOW_PX = 6;

    private CampaignPage() {}

    /**
     * A page that was written.
     *
     * @param report what it shows
     */
    public record Kept(Path file, CampaignReport report) {}

    /**
     * Writes the page beside the runs, where the calendar and the dashboard find it; an earlier one of the campaign is replaced.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    public static Kept keep(Path runs, CampaignStore store, Campaign campaign) {
        Path file = KeptPage.create(runs, "campaign", campaign.name(), Instant.parse(campaign.startedUtc()));
        List<CampaignStore.Mark> marks = store.marks(campaign.name());
        CampaignReport report = CampaignReport.of(store, campaign, marks);
        Page.write(file, html(runs.toAbsolutePath().normalize(), file, campaign, report, marks));
        KeptPage.linkBack(runs, file);
        return new Kept(file, report);
    }

    /** Returns the page; its links are relative to a file. */
    static String html(Path runs, Path file, Campaign campaign, CampaignReport report, List<CampaignStore.Mark> marks) {
        Map<String, Object> values = new HashMap<>();
        values.put("name", report.state().name());
        values.put("verdict", report.state().verdict().label());
        values.put(
                "progress",
                report.state().done() + " of " + Format.counted(report.state().total(), "run"));
        values.put("canary", report.canary().words());
        values.put("note", report.note() == null ? List.of() : List.of(report.note()));
        values.put(
                "arms", report.findings().arms().stream().map(CampaignPage::arm).toList());
        values.put(
                "comparisons",
                report.findings().comparisons().stream()
                        .map(CampaignReport::words)
                        .toList());
        values.put(
                "failures",
                report.failures().stream()
                        .map(kind -> failure(runs, file, kind))
                        .toList());
        values.put(
                "remaining",
                report.findings().remaining().stream().map(RemainingLoss::words).toList());
        values.put("hasFailures", !report.failures().isEmpty());
        values.put("strips", strips(campaign.plan(), marks));
        return Page.render(CampaignPage.class, "campaign.html", values);
    }

    private static Map<String, Object> arm(CampaignReport.ArmFigures arm) {
        int trials = arm.failed().trials();
        double share = trials == 0 ? 0 : (double) arm.failed().hits() / trials;
        return Map.of(
                "scenario",
                arm.cell().scenario(),
                "arm",
                arm.cell().arm(),
                "failed",
                arm.failed().hits() + " of " + trials,
                "unknown",
                arm.unknown(),
                "interval",
                trials == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "%.2f %%, %.2f to %.2f %%",
                                PERCENT * share,
                                PERCENT * arm.failed().low(),
                                PERCENT * arm.failed().high()),
                "x",
                px(arm.failed().low()),
                "width",
                Math.max(1, px(arm.failed().high()) - px(arm.failed().low())),
                "at",
                px(share),
                "bar",
                BAR_PX);
    }

    private static long px(double share) {
        return Math.round(share * BAR_PX);
    }

    private static Map<String, Object> failure(Path runs, Path file, CampaignReport.FailureKind kind) {
        return Map.of(
                "seeds",
                kind.seeds(),
                "scenario",
                kind.place().scenario(),
                "claim",
                kind.what().claim() == null ? "" : kind.what().claim(),
                "cause",
                kind.what().cause(),
                "replay",
                kind.example().replay(),
                "seed",
                kind.example().fastestSeed(),
                "report",
                link(runs, file, kind.example().runDirectory()));
    }

    /** A run of another machine may not be below the same directory, and then it has no link. */
    private static List<String> link(Path runs, Path file, @Nullable String runDirectory) {
        if (runDirectory == null) {
            return List.of();
        }
        Path report = Path.of(runDirectory, "report.html");
        return report.startsWith(runs) ? List.of(Page.link(file.toAbsolutePath().normalize(), report)) : List.of();
    }

    /** One strip for each cell, or for each block in time: a mark for each seed. */
    private static List<Map<String, Object>> strips(CampaignPlan plan, List<CampaignStore.Mark> marks) {
        List<Map<String, Object>> strips = new ArrayList<>();
        if (plan.grid().blocks().isEmpty()) {
            plan.cells()
                    .forEach(cell -> strips.add(strip(
                            cell.scenario() + ", " + cell.arm(),
                            marks.stream()
                                    .filter(mark -> mark.cell().equals(cell))
                                    .toList())));
            return strips;
        }
        for (String scenario : plan.grid().scenarios()) {
            long first = plan.grid().firstSeed();
            for (Block block : plan.grid().blocks()) {
                long begin = first;
                long end = first + block.seeds();
                strips.add(strip(
                        scenario + ", " + block.arm() + ", seeds " + begin + " to " + (end - 1),
                        marks.stream()
                                .filter(mark -> mark.cell().equals(new Cell(scenario, block.arm()))
                                        && mark.seed() >= begin
                                        && mark.seed() < end)
                                .toList()));
                first = end;
            }
        }
        return strips;
    }

    private static Map<String, Object> strip(String title, List<CampaignStore.Mark> marks) {
        int rows = (marks.size() + MARKS_IN_A_ROW - 1) / MARKS_IN_A_ROW;
        long failed =
                marks.stream().filter(mark -> mark.verdict() == Verdict.FAIL).count();
        Map<String, Object> strip = new HashMap<>();
        strip.put("title", title);
        strip.put("told", failed + " of " + Format.counted(marks.size(), "seed") + " failed");
        strip.put("width", Math.min(MARKS_IN_A_ROW, Math.max(1, marks.size())) * MARK_PX);
        strip.put("height", Math.max(1, rows) * ROW_PX);
        for (Verdict verdict : Verdict.values()) {
            strip.put(verdict.label(), path(marks, verdict));
        }
        strip.put(
                "receivers",
                marks.stream()
                        .flatMap(mark -> mark.receivers().stream())
                        .map(RunRow.Receiver::name)
                        .distinct()
                        .sorted(Comparator.comparing((String name) -> !name.equals(ProcessNames.SERVICE))
                                .thenComparing(name -> name))
                        .map(name -> receiver(name, marks))
                        .toList());
        return strip;
    }

    private static Map<String, Object> receiver(String name, List<CampaignStore.Mark> marks) {
        Map<String, Object> values = new HashMap<>();
        values.put("receiver", name);
        for (RunColour colour : RunColour.values()) {
            values.put(colour.label(), path(marks, LOW_PX, mark -> mark.colour(name) == colour));
        }
        return values;
    }

    /** Failures are taller than passes, so that they can be told apart without colours. */
    private static String path(List<CampaignStore.Mark> marks, Verdict verdict) {
        return path(marks, verdict == Verdict.PASS ? LOW_PX : TALL_PX, mark -> mark.verdict() == verdict);
    }

    private static String path(List<CampaignStore.Mark> marks, int height, Predicate<CampaignStore.Mark> isShown) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < marks.size(); i++) {
            if (isShown.test(marks.get(i))) {
                int x = i % MARKS_IN_A_ROW * MARK_PX;
                int y = i / MARKS_IN_A_ROW * ROW_PX + TALL_PX - height;
                path.append('M').append(x).append(' ').append(y);
                path.append('h').append(MARK_PX - 1).append('v').append(height);
                path.append('h').append(1 - MARK_PX).append('z');
            }
        }
        return path.toString();
    }
}
