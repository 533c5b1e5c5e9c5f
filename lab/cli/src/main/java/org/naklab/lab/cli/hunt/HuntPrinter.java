package org.naklab.lab.cli.hunt;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.RunProgress;
import org.naklab.lab.terminal.CommandHook;
import org.naklab.lab.terminal.Terminal;

/** Prints how a hunt goes, on standard error, and runs the command of {@code --exec} for each hit. */
final class HuntPrinter implements Hunt.Observer, RunListener {
    /** On a terminal, one line is rewritten; elsewhere there is a line so often. */
    private static final long PLAIN_INTERVAL_NS = TimeUnit.SECONDS.toNanos(60);

    private final Terminal terminal;
    private final PrintStream err;
    private final HuntOptions.Limits limits;
    private final @Nullable CommandHook hook;
    private final LongSupplier clockNs;
    private final long beganNs;
    private long lastPlainNs;
    /** The runs so far, as words. */
    private String runs = "0 runs";

    /** @param hook {@code null}: no command is run */
    HuntPrinter(Terminal terminal, HuntOptions.Limits limits, @Nullable CommandHook hook, LongSupplier clockNs) {
        this.terminal = terminal;
        this.err = terminal.err();
        this.limits = limits;
        this.hook = hook;
        this.clockNs = clockNs;
        beganNs = clockNs.getAsLong();
        lastPlainNs = beganNs;
    }

    void begin(String scenario, HuntCondition condition, long seed) {
        terminal.printHanging(
                err,
                "hunting ",
                scenario + " until " + condition.text() + ", " + Format.counted(limits.windows(), "hit")
                        + " wanted, seeds from " + seed + ", no run begins after " + clock(limits.maxNs()) + ", "
                        + Format.bytes(limits.keptBytes()) + " are kept at most");
    }

    /** Waits for the command, so that neither it nor the next run disturbs the other. */
    @Override
    public void onHit(HuntSummary.Hit hit) throws InterruptedException {
        clear();
        terminal.printHanging(
                err,
                "HIT  ",
                "run " + hit.run() + ", seed " + hit.seed() + ": " + hit.diagnosis() + confidence(hit) + "  "
                        + hit.directory());
        if (hook != null) {
            hook.start(Map.of(
                            "NAKLAB_WINDOW", hit.directory(),
                            "NAKLAB_RUN", String.valueOf(hit.run()),
                            "NAKLAB_SEED", String.valueOf(hit.seed()),
                            "NAKLAB_CAUSE", hit.diagnosis(),
                            "NAKLAB_CONFIDENCE", hit.confidence()))
                    .ifPresent(err::println);
            hook.await().forEach(err::println);
        }
    }

    @Override
    public void onRun(HuntSummary soFar) {
        runs = Format.counted(soFar.course().runs(), "run") + ", "
                + Format.counted(soFar.kept().hits().size(), "hit") + ", "
                + Format.bytes(soFar.kept().keptBytes()) + " kept";
        print("");
    }

    /** The progress of one run, which may be a long one. */
    @Override
    public void onProgress(RunProgress now) {
        print(String.format(
                Locale.ROOT, "; this run %.0f s, %,d received", now.elapsedNs() / Units.NS_PER_S, now.received()));
    }

    private void print(String thisRun) {
        String line = clock(clockNs.getAsLong() - beganNs) + " of " + clock(limits.maxNs()) + "  " + runs + thisRun;
        if (terminal.errIsTerminal()) {
            err.print("\r\033[K" + terminal.truncated(err, line));
            err.flush();
        } else if (clockNs.getAsLong() - lastPlainNs >= PLAIN_INTERVAL_NS) {
            lastPlainNs = clockNs.getAsLong();
            err.println(line);
        }
    }

    /** Prints the summary. */
    void end(HuntSummary summary, PrintStream out) {
        clear();
        out.println();
        out.println("  ended        " + summary.course().ended().words() + " after "
                + clock(TimeUnit.MILLISECONDS.toNanos(summary.course().elapsedMs())));
        terminal.printHanging(out, "  hits         ", summary.rateWords());
        if (summary.course().inconclusive() > 0) {
            terminal.printHanging(
                    out,
                    "  unknown      ",
                    Format.counted(summary.course().inconclusive(), "inconclusive run")
                            + ", which the rate leaves out");
        }
        for (HuntSummary.Hit hit : summary.kept().hits()) {
            terminal.printHanging(
                    out,
                    "  seed " + String.format(Locale.ROOT, "%-8d", hit.seed()),
                    hit.diagnosis() + confidence(hit) + "  "
                            + (hit.kept() ? hit.directory() : "deleted, because of --keep-disk"));
        }
        if (summary.kept().keptMiss() != null) {
            terminal.printHanging(out, "  without hit  ", summary.kept().keptMiss());
        }
        out.println("  kept         " + Format.bytes(summary.kept().keptBytes()));
    }

    private static String confidence(HuntSummary.Hit hit) {
        return hit.confidence().isEmpty() ? "" : " (" + hit.confidence() + ")";
    }

    /** Returns a time as hours, minutes and seconds. */
    private static String clock(long ns) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(ns);
        return String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    private void clear() {
        if (terminal.errIsTerminal()) {
            err.print("\r\033[K");
        }
    }
}
