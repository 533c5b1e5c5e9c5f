package org.naklab.lab.watch.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.aeron.AeronUnit;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.FailedRequests;
import org.naklab.lab.terminal.KilledLabs;
import org.naklab.lab.terminal.MachineLoad;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.SudoUser;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.terminal.live.LiveView;
import org.naklab.lab.terminal.live.ServeOption;
import org.naklab.lab.watch.WatchDocuments;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
            "In a terminal, draws a table of the sockets (depth, limit, headroom, drops, arrival rate, last stall) with the "
                    + "events below it. Otherwise, and with --plain, prints the list of instruments, then events as they "
                    + "occur. At the end, prints one sentence for each "
                    + "kind of stall or loss, with its cause, and a summary of each socket. Ends with the process, "
                    + "after --duration, after --windows, with the process of --while, or at Ctrl-C. The process is only observed; another "
                    + "user's process requires the permission to trace it. As root, the kernel records what the "
                    + "threads waited for, and who woke them.",
            "",
            "With --name, all processes are watched whose name or command line matches and that have a UDP "
                    + "socket, also those that start later: it waits for the first, and goes on when one ends.",
            "",
            "With --aeron-dir, a media driver and its clients are watched as one unit, through restarts. DIR is what "
                    + "the driver was given as aeron.dir, /dev/shm/aeron-USER by default. If no driver runs in it, the "
                    + "watch waits for one. The summary says who stood still: the driver's receiver, whose socket "
                    + "held datagrams, or the poll of a client, whose position stood still while there was "
                    + "something to poll. Streams over IPC have a depth too: the publisher's position minus the "
                    + "subscriber's. With --record, each process has windows of its own, in DIR/driver-PID and "
                    + "DIR/client-PID; --metrics are those of the driver.",
            "",
            "--record is for long observations: all data stays in a ring buffer until the depth of a "
                    + "socket rises, datagrams are dropped or a NAK is sent. The window around the first of these, "
                    + "from 5 s before to 1 s after the sockets have drained, is then written to DIR, and recording "
                    + "ends; events are still printed. With --windows N, the first N windows are written to DIR/1, "
                    + "DIR/2 and so on. In DIR:",
            "  run.json, diagnosis.json  the findings; naklab report DIR makes the report",
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
            "--serve shows the strip charts, the stalls and the events in browsers while they happen; "
                    + "docs/reference/live.md describes the page. Viewers change nothing, and by default only this machine can connect.",
            "The JFR recording needs the same user or root. Missing capabilities are printed at start, "
                    + "with how to provide them.",
            "",
            "The command of --exec runs in a shell when a window was written, with NAKLAB_WINDOW (its "
                    + "directory), NAKLAB_PID, NAKLAB_CAUSE and NAKLAB_CONFIDENCE in its environment.",
            "",
            "Examples:",
            "  naklab watch 4711",
            "  naklab watch 4711 --duration 60",
            "  naklab watch 4711 --record hunt && naklab report hunt",
            "  naklab watch --name md-receiver --record hunt --windows 5",
            "  naklab watch --aeron-dir /dev/shm/aeron-md",
            "  naklab watch 4711 --record hunt --exec 'logger \"$NAKLAB_CAUSE\"'",
            "  naklab watch 4711 --metrics 127.0.0.1:9464",
            "  naklab watch 4711 --serve",
            "  naklab watch 4711 --json-lines | grep DATAGRAMS_DROPPED",
            "",
            "Exit codes: 0 nothing stalled and nothing was lost; 3 stalls or losses were found; 2 no process has "
                    + "started, or nothing was found but not all was seen; 64 wrong usage; 66 no such process; "
                    + "69 the process cannot be watched."
        })
public final class WatchCommand implements Callable<Integer> {
    /** Part of the line that is printed when a process is observed and recorded. */
    public static final String RECORDED_IN = " will be recorded in ";

    private static final String BUSY =
            "the watch may miss samples, and stalls may be due to these programs: stop them, or expect cpu-preemption";

    /** A century: the clock does not wrap. */
    private static final long FOREVER_NS = TimeUnit.DAYS.toNanos(36_500);

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Target target = new Target();

    /** The processes to watch. */
    static final class Target {
        @Parameters(
                arity = "1..*",
                paramLabel = "PID",
                converter = Converters.ProcessId.class,
                description = "Process id.")
        private @Nullable List<Long> pids;

        @Option(
                names = "--name",
                paramLabel = "REGEX",
                converter = Converters.Regex.class,
                description = "Processes whose name or command line contains a match, also those that start later.")
        private @Nullable Pattern name;

        @Option(
                names = "--aeron-dir",
                paramLabel = "DIR",
                description =
                        "The Aeron media driver in this directory and all its clients, also those that start later.")
        private @Nullable Path aeronDirectory;
    }

    @Option(
            names = "--json-lines",
            description = "Events as JSON on standard output, one per line; everything else on standard error.")
    private boolean jsonLines;

    @Option(
            names = "--duration",
            paramLabel = "T",
            converter = Converters.Duration.class,
            description =
                    "How long to watch, such as 90s or 10m; without a unit in seconds (default: until the process ends).")
    private @Nullable Long durationNs;

    @Option(
            names = "--while",
            paramLabel = "PID",
            converter = Converters.Positive.class,
            description = "End when this process has ended, which need not be one that is watched: a script, a test.")
    private @Nullable Long companion;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description = "Write the window around the first rise, drop or NAK to this directory.")
    private @Nullable Path record;

    @Mixin
    private MetricsOption metrics;

    @Mixin
    private ServeOption serve;

    @Option(
            names = "--windows",
            paramLabel = "N",
            converter = Converters.Count.class,
            description = "With --record: write N windows, then end (default: one, and go on watching).")
    private @Nullable Integer windows;

    @Option(
            names = "--exec",
            paramLabel = "COMMAND",
            description = "With --record: run a command when a window was written.")
    private @Nullable String command;

    @Option(names = "--verbose", description = "Also print waits of threads that receive nothing, and single waits.")
    private boolean verbose;

    @Option(names = "--plain", description = "In a terminal too, print events as lines instead of drawing a table.")
    private boolean plain;

    WatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (record == null && (windows != null || command != null)) {
            throw new UsageException("--windows and --exec need --record");
        }
        if (record != null) {
            warnOfBusyMachine();
        }
        KilledLabs.undo(terminal.err());
        Cancellation cancellation = new Cancellation();
        if (companion != null) {
            endWith(companion, cancellation);
        }
        Thread windDown = new Thread(() -> ShutdownHook.await(cancellation), "wind-down");
        Runtime.getRuntime().addShutdownHook(windDown);
        FailedRequests errors = new FailedRequests(terminal.err());
        try (MetricsOption.Session session = metrics.start(errors);
                LiveView view = serve.start(LiveFeed.ofWatch(title()), errors)) {
            return watch(cancellation, session, view).exitCode();
        } finally {
            cancellation.done();
        }
    }

    private static void endWith(long pid, Cancellation cancellation) {
        ProcessHandle process =
                ProcessHandle.of(pid).orElseThrow(() -> new InputException("no process " + pid + " for --while"));
        CompletableFuture<Void> unused = process.onExit().thenRun(cancellation::request);
    }

    private WatchOutcome watch(Cancellation cancellation, MetricsOption.Session session, LiveView view)
            throws Exception {
        Path aeronDirectory = target.aeronDirectory;
        if (aeronDirectory == null) {
            return watch(
                    cancellation, session, view, target.name == null ? null : new ProcessFinder(target.name), pids());
        }
        try (AeronUnit unit = AeronUnit.of(aeronDirectory)) {
            return watch(cancellation, session, view, new UnitFinder(unit), List.of());
        }
    }

    /** Returns what is watched, for people. */
    private String title() {
        if (target.name != null) {
            return "processes that match " + target.name;
        }
        return target.aeronDirectory == null
                ? "process "
                        + pids().stream()
                                .map(each -> String.valueOf(each.pid()))
                                .collect(Collectors.joining(", "))
                : "media driver in " + target.aeronDirectory;
    }

    private List<WatchTarget> pids() {
        return target.pids == null
                ? List.of()
                : target.pids.stream().map(WatchTarget::of).toList();
    }

    private WatchOutcome watch(
            Cancellation cancellation,
            MetricsOption.Session session,
            LiveView view,
            @Nullable TargetFinder finder,
            List<WatchTarget> targets)
            throws Exception {
        WatchConsole console = new WatchConsole(terminal, jsonLines, verbose, !plain);
        WatchLoop loop = new WatchLoop(
                console,
                cancellation,
                documents(),
                finder,
                recordings(),
                windows != null,
                command == null ? null : new WindowHook(command),
                session,
                view);
        view.url().ifPresent(url -> console.print("live at " + url));
        if (target.name != null) {
            console.print("waiting for a process that matches " + target.name);
        }
        if (finder instanceof UnitFinder unit) {
            unit.onWaiting(console::print);
        }
        try {
            return loop.run(targets, durationNs == null ? FOREVER_NS : durationNs);
        } finally {
            console.endLive();
            giveToSudoUser();
        }
    }

    private void warnOfBusyMachine() {
        MachineLoad.warn(terminal, BUSY);
    }

    /** A window that was recorded with sudo belongs to who started it. */
    private void giveToSudoUser() {
        Path directory = record;
        if (directory != null && Files.isDirectory(directory)) {
            new SudoUser(terminal.err()).giveTree("the recording", directory);
        }
    }

    private WatchDocuments documents() {
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        return new WatchDocuments(Version.current(), "naklab " + String.join(" ", arguments), arguments);
    }

    private @Nullable Recordings recordings() {
        int count = windows == null ? 1 : windows;
        if (record == null) {
            return null;
        }
        return target.aeronDirectory == null ? Recordings.together(record, count) : Recordings.ofUnit(record, count);
    }
}
