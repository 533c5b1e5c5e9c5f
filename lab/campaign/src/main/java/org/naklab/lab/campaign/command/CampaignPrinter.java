package org.naklab.lab.campaign.command;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.campaign.ArmComparison;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignReport;
import org.naklab.lab.campaign.Cell;
import org.naklab.lab.campaign.RemainingLoss;
import org.naklab.lab.campaign.Shard;
import org.naklab.lab.campaign.ShardRun;
import org.naklab.lab.campaign.TrialRow;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.Units;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Prints the progress of a shard, and how a campaign stands. */
final class CampaignPrinter implements ShardRun.Listener {
    /** A rehearsal ends thousands of trials a second. */
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(1);

    private static final int SECONDS_PER_MINUTE = 60;
    private static final double PERCENT = 100;

    private final Terminal terminal;
    private final PrintStream out;
    private long beganNs;
    private long saidNs;
    private long doneBefore;

    CampaignPrinter(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    void begin(Campaign campaign, Shard shard) {
        beganNs = System.nanoTime();
        saidNs = beganNs - STEP_NS;
        doneBefore = -1;
        terminal.err()
                .println("campaign " + campaign.name() + ": "
                        + Format.counted(campaign.trials(), "run") + " with the canary"
                        + (shard.equals(Shard.WHOLE) ? "" : ", of which this is shard " + shard)
                        + (campaign.corpus().isEmpty()
                                ? ""
                                : "; first " + Format.counted(campaign.corpus().size(), "seed")
                                        + " that failed before"));
    }

    @Override
    public void onTrial(TrialRow row, long done, long total) {
        long nowNs = System.nanoTime();
        if (doneBefore < 0) {
            doneBefore = done - 1;
        }
        boolean isWorthALine =
                row.result().verdict() != Verdict.PASS && !row.cell().equals(Cell.CANARY);
        if (!isWorthALine && nowNs - saidNs < STEP_NS && done < total) {
            return;
        }
        saidNs = nowNs;
        terminal.err().println(line(row) + "  " + done + " of " + total + left(nowNs, done, total));
    }

    private String left(long nowNs, long done, long total) {
        double eachS = (nowNs - beganNs) / Units.NS_PER_S / Math.max(1, done - doneBefore);
        long leftS = Math.round(eachS * (total - done));
        if (leftS == 0) {
            return "";
        }
        return ", about "
                + (leftS < 2 * SECONDS_PER_MINUTE ? leftS + " s" : leftS / SECONDS_PER_MINUTE + " min")
                + " left";
    }

    /** Returns a trial on one line. */
    static String line(TrialRow row) {
        String claim = row.result().claim();
        return String.format(
                Locale.ROOT,
                "%-7s %s, %s, seed %d%s",
                row.result().verdict().label(),
                row.cell().scenario(),
                row.cell().arm(),
                row.seed(),
                claim == null
                        ? ""
                        : ": does not hold: " + claim + " (" + row.result().cause() + ")");
    }

    /** Tells how far the shard came. */
    void end(ShardRun.Summary summary) {
        if (summary.done() < summary.total()) {
            terminal.err()
                    .println("note: " + (summary.total() - summary.done()) + " of " + summary.total()
                            + " runs have not been made; --resume goes on with them");
        }
    }

    void print(CampaignReport report) {
        out.println(terminal.styled(out, "@|bold " + report.state().name() + "|@") + "  "
                + report.state().verdict().label() + ", " + report.state().done() + " of "
                + Format.counted(report.state().total(), "run")
                + "; the canary " + report.canary().words());
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.LEFT);
        table.head("scenario", "arm", "failed", "unknown", "share, 95 % interval");
        for (CampaignReport.ArmFigures arm : report.findings().arms()) {
            table.row(
                    arm.cell().scenario(),
                    arm.cell().arm(),
                    arm.failed().hits() + " of " + arm.failed().trials(),
                    String.valueOf(arm.unknown()),
                    share(arm));
        }
        table.print();
        for (ArmComparison comparison : report.findings().comparisons()) {
            out.println();
            terminal.printHanging(out, "  ", CampaignReport.words(comparison));
        }
        for (RemainingLoss loss : report.findings().remaining()) {
            out.println();
            terminal.printHanging(out, "  ", loss.words());
        }
        for (CampaignReport.FailureKind kind : report.failures()) {
            out.println();
            terminal.printHanging(
                    out,
                    "  " + Format.counted(kind.seeds(), "failure") + "  ",
                    kind.place().scenario() + ": does not hold: "
                            + claim(kind.what().claim()) + "; cause "
                            + kind.what().cause());
            out.println("    again   " + kind.example().replay());
            if (kind.example().runDirectory() != null) {
                out.println("    run     " + kind.example().runDirectory() + " on "
                        + kind.example().host());
                if (!Files.isDirectory(Path.of(kind.example().runDirectory()))) {
                    out.println("    fetch   " + Program.name() + " campaign fetch "
                            + kind.place().scenario() + "/" + kind.place().arm() + "/"
                            + kind.example().fastestSeed() + " "
                            + report.state().name());
                }
            }
        }
        if (report.note() != null) {
            out.println();
            terminal.printHanging(out, "  note: ", report.note());
        }
    }

    private static String claim(@Nullable String claim) {
        return claim == null ? "not told by the run" : claim;
    }

    private static String share(CampaignReport.ArmFigures arm) {
        int trials = arm.failed().trials();
        return trials == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.2f %%, %.2f to %.2f %%",
                        PERCENT * arm.failed().hits() / trials,
                        PERCENT * arm.failed().low(),
                        PERCENT * arm.failed().high());
    }
}
