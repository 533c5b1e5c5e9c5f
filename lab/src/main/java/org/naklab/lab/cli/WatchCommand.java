package org.naklab.lab.cli;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.detect.Watch;
import org.naklab.lab.run.Cancellation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab watch}. */
@Command(
        name = "watch",
        description = {
            "Watch a running process that receives UDP, Aeron or not, Java or not: depth and drops of its sockets at 1 kHz, faults and",
            "run-queue delay of its threads, memory, and the NAKs of its Aeron driver."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Prints what each instrument reads, then events as they happen, and at the end what became of each socket. Ends with the",
            "process, after --duration, or at Ctrl-C. The process is not touched; to see another user's takes the right to trace it.",
            "",
            "Examples:",
            "  naklab watch 4711",
            "  naklab watch 4711 --duration 60",
            "  naklab watch $(pgrep -n receiver) --json-lines | jq -c 'select(.type == \"DATAGRAMS_DROPPED\")'",
            "",
            "Exit codes: 0 watched to the end, 2 the process cannot be watched, 64 wrong usage."
        })
final class WatchCommand implements Callable<Integer> {
    private static final long LOOK_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A century: the clock does not wrap. */
    private static final long FOREVER_NS = TimeUnit.DAYS.toNanos(36_500);

    private final Terminal terminal;

    @Parameters(paramLabel = "PID", converter = Numbers.Positive.class, description = "Number of the process.")
    private long pid;

    @Option(
            names = "--json-lines",
            description = "Events as JSON on standard output, one a line; everything else on standard error.")
    private boolean jsonLines;

    @Option(
            names = "--duration",
            paramLabel = "S",
            converter = Numbers.Seconds.class,
            description = "Seconds to watch (default: as long as the process lives).")
    private @Nullable Long durationNs;

    WatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Cancellation cancellation = new Cancellation();
        Thread windDown = new Thread(() -> WindDown.await(cancellation), "wind-down");
        Runtime.getRuntime().addShutdownHook(windDown);
        try {
            watch(cancellation);
            return ExitCode.OK;
        } finally {
            cancellation.done();
        }
    }

    private void watch(Cancellation cancellation) {
        WatchConsole console = new WatchConsole(terminal, jsonLines);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Watch watch =
                Watch.attach(String.valueOf(pid), pid, console, List.of(), error -> failure.compareAndSet(null, error));
        try (watch) {
            console.begin("process " + pid + name(), watch.describe());
            long endNs = System.nanoTime() + (durationNs == null ? FOREVER_NS : durationNs);
            while (!console.isOver()
                    && failure.get() == null
                    && !cancellation.isRequested()
                    && System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(LOOK_PERIOD_NS);
            }
        }
        console.summarise(watch.sockets(), watch.statistics());
        Throwable error = failure.get();
        if (error != null) {
            throw new IllegalStateException("an instrument failed", error);
        }
    }

    private String name() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .map(command -> " (" + command + ")")
                .orElse("");
    }
}
