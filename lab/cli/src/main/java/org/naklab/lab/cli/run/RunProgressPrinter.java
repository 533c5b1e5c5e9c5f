package org.naklab.lab.cli.run;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.RunProgress;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Terminal;
import org.naklab.messaging.Topic;

/** Shows a run while it goes on, on standard error, and its findings at the end. */
final class RunProgressPrinter implements RunListener {
    /** Where nobody watches a line that is rewritten, the first line of a run comes so late, and each further one when twice the time is over. */
    private static final long FIRST_PLAIN_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long RATE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    /** The limit for one run; on a busy machine there may be hundreds of stalls. */
    private static final int MAX_STALLS_SHOWN = 10;

    /** Width of the first column. */
    private static final int HEAD_WIDTH = 14;

    private final Terminal terminal;
    private final PrintStream err;
    private final PrintStream findings;
    private RunProgress reference = new RunProgress(0, 0, 0, 0, 0);
    private long perSecond;
    private long nextPlainNs = FIRST_PLAIN_NS;
    private final boolean isOnlyRun;
    private final StepProgress steps;
    private final boolean isVerbose;
    private long totalNs;
    private int begun;
    private int stalls;

    /**
     * @param json whether standard output is kept for a document
     * @param runs how many there will be; of more than one, each gets a line only
     * @param isVerbose whether the set-up, the stalls and the conditions that hold are printed too
     */
    RunProgressPrinter(Terminal terminal, boolean json, int runs, boolean isVerbose) {
        this(terminal, json, new StepProgress(runs), runs == 1, isVerbose);
    }

    /**
     * Prints a line for each of several runs.
     *
     * @param steps counts the runs
     */
    RunProgressPrinter(Terminal terminal, StepProgress steps) {
        this(terminal, true, steps, false, false);
    }

    private RunProgressPrinter(
            Terminal terminal, boolean json, StepProgress steps, boolean isOnlyRun, boolean isVerbose) {
        this.terminal = terminal;
        this.steps = steps;
        this.isOnlyRun = isOnlyRun;
        this.isVerbose = isVerbose;
        err = terminal.err();
        findings = json ? err : terminal.out();
    }

    @Override
    public void onPlanned(RunPlan plan) {
        begun++;
        nextPlainNs = FIRST_PLAIN_NS;
        perSecond = 0;
        reference = new RunProgress(0, 0, 0, 0, 0);
        printMarkup("@|bold " + plan.scenario() + "|@  seed " + plan.seed() + "  profile " + plan.profileLabel()
                + "  fidelity " + plan.fidelity() + "  remedy " + plan.remedy());
        totalNs = plan.workload().durationNs();
        if (begun > 1) {
            rewrite("starting the processes");
            return;
        }
        if (!isVerbose) {
            if (plan.placement().composition() == null && plan.channels().ttl() != 0) {
                printHanging("multicast", "the traffic leaves this machine");
            }
            plan.notes().forEach(note -> printHanging("note", note));
            rewrite("starting the processes");
            return;
        }
        printHanging("flow", flow(plan.workload()));
        printMarkup("  multicast     " + plan.channels().group(Topic.ORDER_BOOK_EVENTS) + ":"
                + plan.channels().port(Topic.ORDER_BOOK_EVENTS) + " on " + reach(plan));
        BufferSizing stall = plan.traffic().stall();
        if (stall != null) {
            stall.lines().forEach(line -> printHanging(line.head(), line.text()));
        }
        plan.notes().forEach(note -> printHanging("note", note));
        rewrite("starting the processes");
    }

    /** Prints a step; where nobody watches a line that is rewritten, the first run's steps stay. */
    @Override
    public void onStep(String what) {
        if (terminal.errIsTerminal()) {
            rewrite(what);
        } else if (begun == 1) {
            printHanging("preparing", what);
        }
    }

    @Override
    public void onFinding(String what) {
        if (!isVerbose) {
            return;
        }
        clear();
        printHanging("calibration", what);
    }

    @Override
    public void onReady(String process, long pid, int grantedReceiveBufferBytes) {
        String buffer = grantedReceiveBufferBytes == 0
                ? ""
                : ", receive buffer " + Format.bytes(grantedReceiveBufferBytes) + " by the kernel's accounting";
        if (begun > 1 || !isVerbose) {
            return;
        }
        clear();
        printMarkup(String.format(Locale.ROOT, "  %-" + HEAD_WIDTH + "spid %d%s", process, pid, buffer));
    }

    @Override
    public void onFlowStarted() {
        rewrite("order flow starts");
    }

    @Override
    public void onProgress(RunProgress now) {
        measureRate(now);
        String line = line(now);
        if (terminal.errIsTerminal()) {
            rewrite(line);
        } else if (begun == 1 && now.elapsedNs() >= nextPlainNs) {
            nextPlainNs = 2 * now.elapsedNs();
            err.println(line);
        }
    }

    /** Over a second: the processes report four times in it. */
    private void measureRate(RunProgress now) {
        long elapsedNs = now.elapsedNs() - reference.elapsedNs();
        if (elapsedNs >= RATE_INTERVAL_NS) {
            perSecond = (now.published() - reference.published()) * RATE_INTERVAL_NS / elapsedNs;
            reference = now;
        }
    }

    @Override
    public void onStall(long atNs, String process, String thread, long durationNs) {
        stalls++;
        if (isOnlyRun && stalls <= MAX_STALLS_SHOWN && isVerbose) {
            clear();
            String text = thread + " stood still for " + Format.milliseconds(durationNs / Units.NS_PER_MS);
            String last = stalls == MAX_STALLS_SHOWN ? "; further stalls are not printed here" : "";
            terminal.printHanging(
                    err, String.format(Locale.ROOT, "%6.1f s  STALL  ", atNs / Units.NS_PER_S), text + last);
        }
    }

    @Override
    public void onWindingDown(String what) {
        rewrite(what);
    }

    @Override
    public void onFinished(RunResult result) {
        clear();
        if (isOnlyRun) {
            new RunSummaryPrinter(terminal, findings, isVerbose).print(result);
        } else {
            RunSummaryPrinter.printShort(terminal, err, result, steps.ended().strip());
        }
    }

    private static String reach(RunPlan plan) {
        if (plan.placement().composition() != null) {
            return "the composition's network, stays on this machine";
        }
        return plan.channels().networkInterface() + " TTL " + plan.channels().ttl()
                + (plan.channels().ttl() == 0 ? ", stays on this machine" : ", @|bold leaves this machine|@");
    }

    /** Shows how many events each receiver is behind the exchange: counts of all of them are wider than a terminal of 80 columns. */
    private String line(RunProgress now) {
        return String.format(
                Locale.ROOT,
                "%s  %,d/s  published %,d  behind: mds %,d, journal %,d, gateway %,d",
                elapsed(now.elapsedNs()),
                perSecond,
                now.published(),
                now.published() - now.received(),
                now.published() - now.journaled(),
                now.published() - now.gatewayReceived());
    }

    /** A recorded flow ends with its file; how long that takes is not known before. */
    private String elapsed(long elapsedNs) {
        return totalNs <= 0 || totalNs == Long.MAX_VALUE
                ? String.format(Locale.ROOT, "%6.1f s", elapsedNs / Units.NS_PER_S)
                : String.format(
                        Locale.ROOT,
                        "%4.1f of %.1f s",
                        Math.min(elapsedNs, totalNs) / Units.NS_PER_S,
                        totalNs / Units.NS_PER_S);
    }

    private static String flow(Workload workload) {
        Path source = workload.source();
        String what = source == null ? "synthetic, " + workload.instruments() + " instruments" : source.toString();
        String pace = workload.eventsPerSecond() == 0
                ? "as fast as possible"
                : Format.count(workload.eventsPerSecond()) + " events/s";
        if (workload.speed() != 0) {
            pace = "recorded time, " + workload.speed() + " times as fast";
        }
        String end = workload.durationNs() == Long.MAX_VALUE ? "to its end" : Format.seconds(workload.durationNs());
        return what + ", " + pace + ", " + end;
    }

    private void printMarkup(@Nullable String markup) {
        err.println(terminal.styled(err, String.valueOf(markup)));
    }

    private void printHanging(String head, String text) {
        String padded = "  " + head + " ".repeat(Math.max(1, HEAD_WIDTH - head.length()));
        terminal.printHanging(err, padded, text);
    }

    /** Replaces the progress line, truncated to the width of the terminal; prints nothing if the output is not a terminal. */
    private void rewrite(String line) {
        if (terminal.errIsTerminal()) {
            err.print("\r\033[K" + terminal.truncated(err, line));
            err.flush();
        }
    }

    private void clear() {
        rewrite("");
    }
}
