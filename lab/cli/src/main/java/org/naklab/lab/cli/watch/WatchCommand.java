package org.naklab.lab.cli.watch;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.ShutdownHook;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.scenarios.runner.Cancellation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab watch}. */
@Command(
        name = "watch",
        description = {
            "Watch a running process that receives UDP, with or without Aeron and Java: depth and drops "
                    + "of its sockets at 1 kHz, faults and run-queue delay of its threads, memory, and the NAKs of "
                    + "its Aeron driver."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Prints the list of instruments, then events as they occur, and at the end a summary of each "
                    + "socket. Ends with the process, after --duration, or at Ctrl-C. The process is only "
                    + "observed; another user's process requires the permission to trace it.",
            "",
            "--record is for long observations: all data stays in a ring buffer until the depth of a "
                    + "socket rises, datagrams are dropped or a NAK is sent. The window around the first of these, "
                    + "from 5 s before to 1 s after, is then written to DIR, and recording ends; events are still "
                    + "printed. In DIR:",
            "  window-samples.csv.gz     time_ns,series,value: all samples of the window",
            "  window-timeline.jsonl     the events of the window by time",
            "  window-fault-stacks.json  major faults, of the receiving threads if all",
            "                            of them are known, with perf",
            "  window-perf.data          the same for perf script and perf report",
            "  window.jfr                of a Java process: safepoints, collections, and",
            "                            the waits of its receiving threads (a lock and",
            "                            its owner, a file, a sleep) with their stacks;",
            "                            all of these are also printed as events",
            "--metrics serves the headroom, depth, drops and stalls of the sockets for Prometheus;"
                    + " docs/how-to/watch-metrics.md explains them and has a dashboard for Grafana. The label "
                    + "of a process is its name, so that a restart continues its time series.",
            "The JFR recording needs the same user or root. Missing capabilities are printed at start, "
                    + "with how to provide them.",
            "",
            "Examples:",
            "  naklab watch 4711",
            "  naklab watch 4711 --duration 60",
            "  naklab watch 4711 --record hunt",
            "  naklab watch 4711 --metrics 127.0.0.1:9464",
            "  naklab watch 4711 --json-lines | grep DATAGRAMS_DROPPED",
            "",
            "Exit codes: 0 watched to the end, 2 the process cannot be watched, 64 wrong usage."
        })
public final class WatchCommand implements Callable<Integer> {
    private static final long LOOK_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A century: the clock does not wrap. */
    private static final long FOREVER_NS = TimeUnit.DAYS.toNanos(36_500);

    private final Terminal terminal;

    @Parameters(paramLabel = "PID", converter = Converters.Positive.class, description = "Process id.")
    private long pid;

    @Option(
            names = "--json-lines",
            description = "Events as JSON on standard output, one per line; everything else on standard error.")
    private boolean jsonLines;

    @Option(
            names = "--duration",
            paramLabel = "S",
            converter = Converters.Seconds.class,
            description = "Seconds to watch (default: until the process ends).")
    private @Nullable Long durationNs;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description = "Write the window around the first rise, drop or NAK to this directory.")
    private @Nullable Path record;

    @Mixin
    private MetricsOption metrics;

    WatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Cancellation cancellation = new Cancellation();
        Thread windDown = new Thread(() -> ShutdownHook.await(cancellation), "wind-down");
        Runtime.getRuntime().addShutdownHook(windDown);
        try (MetricsOption.Session session = metrics.start(pid)) {
            watch(cancellation, session);
            return ExitCode.OK;
        } finally {
            cancellation.done();
        }
    }

    private void watch(Cancellation cancellation, MetricsOption.Session session) {
        WatchConsole console = new WatchConsole(terminal, jsonLines);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Watch watch = attach(session.before(console), error -> failure.compareAndSet(null, error));
        RecorderReport report = new RecorderReport(watch, record, console);
        try (watch) {
            console.begin("process " + pid + name(), watch.describe(), watch.missing());
            session.observe(watch, console);
            report.begin();
            long endNs = System.nanoTime() + (durationNs == null ? FOREVER_NS : durationNs);
            while (!console.isOver()
                    && failure.get() == null
                    && !cancellation.isRequested()
                    && System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(LOOK_PERIOD_NS);
                report.printNews();
            }
        }
        report.end();
        console.summarise(watch.sockets(), watch.statistics());
        Throwable error = failure.get();
        if (error != null) {
            throw new IllegalStateException("an instrument failed", error);
        }
    }

    private Watch attach(TimelineListener listener, ErrorHandler errorHandler) {
        String process = String.valueOf(pid);
        return record == null
                ? Watch.attach(process, pid, listener, List.of(), errorHandler)
                : Watch.attachRecording(process, pid, record, listener, errorHandler);
    }

    private String name() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .map(command -> " (" + command + ")")
                .orElse("");
    }
}
