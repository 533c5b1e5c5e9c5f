package org.naklab.lab.report.trace;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.trace.CpuActivity;
import org.naklab.lab.core.trace.CpuActivity.Kind;
import org.naklab.lab.core.trace.InterruptsOff;
import org.naklab.lab.core.trace.TraceCoverage;
import org.naklab.lab.core.trace.TraceFile;
import org.naklab.lab.core.trace.TraceLine;
import org.naklab.lab.core.trace.TraceSummary;
import org.naklab.lab.runs.page.Page;

/** The section of a report about the CPU of a stalled thread: a strip, a table, and the stack of the kernel. */
public final class TraceView {
    private static final int MAX_ROWS = 40;

    private final TraceSummary summary;
    private final List<TraceLine> lines;
    /** From rings of their own, which do not reach as far back. */
    private final List<TraceLine> interruptsOff;

    private final Map<String, Object> values = new HashMap<>();

    private TraceView(TraceSummary summary, List<TraceLine> lines) {
        this.summary = summary;
        this.lines = lines.stream().filter(line -> !InterruptsOff.isOf(line)).toList();
        interruptsOff = lines.stream().filter(InterruptsOff::isOf).toList();
    }

    /**
     * Returns the section; empty if the directory has no trace.
     *
     * @param stall that matters; {@code null} if there is none
     * @param thread of the stall; empty if it is not known
     * @throws InputException a file is damaged
     */
    public static String html(Path directory, @Nullable Interval stall, String thread) {
        Path text = directory.resolve(TraceFile.NAME);
        Path summary = directory.resolve(TraceSummary.NAME);
        if (!Files.isRegularFile(text) || !Files.isRegularFile(summary)) {
            return "";
        }
        return new TraceView(read(summary), TraceFile.read(text)).html(stall, thread);
    }

    private static TraceSummary read(Path file) {
        try {
            TraceSummary summary = Json.read(file, TraceSummary.class);
            if (summary == null) {
                throw new InputException("cannot read " + file + ": no record");
            }
            return summary;
        } catch (UncheckedIOException e) {
            throw new InputException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private String html(@Nullable Interval stall, String thread) {
        OptionalInt cpu = stall == null ? OptionalInt.empty() : CpuActivity.cpuOf(lines, thread, stall.beginNs());
        values.put("stopped", stopped());
        values.put("lost", lost());
        TraceCoverage coverage = stall == null || cpu.isEmpty()
                ? null
                : TraceCoverage.of(lines, cpu.getAsInt(), stall, summary.times().stoppedNs());
        values.put("absent", absence(stall, thread, coverage));
        values.put("isShown", false);
        if (stall != null && coverage != null && coverage.isEnough()) {
            values.put("isShown", true);
            values.put("covered", covered(coverage));
            values.put("share", String.format(Locale.ROOT, "%.3f", coverage.share()));
            fill(CpuActivity.of(lines, cpu.getAsInt(), stall), stall, CpuActivity.commOf(thread));
        }
        new LongestSections(lines, interruptsOff).fill(values);
        values.put("isOffMissing", summary.sources().missing().containsAll(InterruptsOff.TRACEPOINTS));
        values.put("isOffRecorded", summary.sources().events().containsAll(InterruptsOff.TRACEPOINTS));
        return Page.part(TraceView.class, "trace.html", values);
    }

    private void fill(CpuActivity activity, Interval stall, String comm) {
        values.put("cpu", activity.cpu());
        values.put("thread", comm);
        values.put("length", ms(stall.lengthNs()));
        values.put("rectangles", CpuStrip.rectangles(activity, stall, comm, TraceView::ms));
        values.put(
                "rows",
                activity.sums().stream().limit(MAX_ROWS).map(TraceView::row).toList());
        values.put("longestInterrupt", longest(activity, Kind.INTERRUPT, "No interrupt was recorded in the stall"));
        values.put(
                "longestSoft", longest(activity, Kind.SOFT_INTERRUPT, "No soft interrupt was recorded in the stall"));
        TraceLine stack = activity.stack();
        values.put("hasStack", stack != null);
        values.put(
                "stackOf",
                stack == null
                        ? ""
                        : stack.comm() + " at " + stack.event() + ", " + ms(stack.timeNs() - stall.beginNs())
                                + " after the begin of the stall");
        values.put("stack", stack == null ? "" : String.join("\n", stack.stack()));
    }

    private static String absence(@Nullable Interval stall, String thread, @Nullable TraceCoverage coverage) {
        if (stall == null) {
            return "No stall matters here: the trace is in " + TraceFile.NAME + ".";
        }
        if (coverage == null) {
            return "The trace does not show the thread " + thread + ".";
        }
        if (coverage.isEnough()) {
            return "";
        }
        String rest = coverage.coveredNs() == 0
                ? "nothing of the stall that matters"
                : percent(coverage.share()) + " of the stall that matters, which is too little to tell what ran in it";
        return "The trace has " + rest + ": it "
                + (coverage.missedAfterNs() >= coverage.missedBeforeNs()
                        ? "ended before the stall did."
                        : "begins after the stall did.");
    }

    /** Tells which part of the stall is drawn, and where the rest would be. */
    private static String covered(TraceCoverage coverage) {
        String head = "The trace has " + percent(coverage.share()) + " of that stall";
        if (coverage.isNearlyAll()) {
            return head;
        }
        return head + "; " + ms(coverage.missedBeforeNs()) + " before its oldest event and "
                + ms(coverage.missedAfterNs()) + " after its end are not in it";
    }

    /** Rounds down: a part is never called the whole. */
    private static String percent(double share) {
        return share > 0 && share < 0.01
                ? "less than 1 %"
                : String.format(Locale.ROOT, "%.0f %%", Math.floor(share * 100));
    }

    private String stopped() {
        String by = summary.trigger().trip() == null
                ? "when its window was written"
                : String.format(
                        Locale.ROOT,
                        "by %s, %,.0f us after an instrument had reported it",
                        summary.trigger().trip(),
                        summary.times().stopLatencyUs());
        return "The trace was stopped " + by + ". It holds "
                + summary.cpus().stream()
                        .map(each -> Format.count(each.entries()) + " events of CPU " + each.cpu())
                        .collect(Collectors.joining(", "))
                + ".";
    }

    private String lost() {
        long overwritten =
                summary.cpus().stream().mapToLong(TraceSummary.Cpu::overwritten).sum();
        return "Events lost: " + Format.count(summary.lost())
                + "; overwritten because they were older than the rings can hold: " + Format.count(overwritten) + ".";
    }

    private static String longest(CpuActivity activity, Kind kind, String none) {
        String what = kind == Kind.INTERRUPT ? "Longest interrupt: " : "Longest soft interrupt: ";
        return activity.longest(kind)
                .map(section ->
                        what + section.name() + ", " + ms(section.interval().lengthNs()))
                .orElse(none);
    }

    private static Map<String, Object> row(CpuActivity.Sum sum) {
        return Map.of(
                "kind", sum.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                "name", sum.name(),
                "count", Format.count(sum.count()),
                "total", ms(sum.totalNs()),
                "longest", ms(sum.longestNs()));
    }

    private static String ms(long ns) {
        return String.format(Locale.ROOT, "%,.3f ms", ns / Units.NS_PER_MS);
    }
}
