package org.naklab.lab.watch.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.aeron.SubscriptionSummary;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.MonotonicToWallClock;
import org.naklab.lab.terminal.SafepointPrinter;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.watch.command.live.EventFormatter;
import org.naklab.lab.watch.command.live.LiveDisplay;
import org.naklab.lab.watch.command.live.WatchedProcess;

/**
 * Prints the output of a watch: events by time, which it holds back for a tenth of a second, then a summary. In a terminal, they are shown live below a table until the
 * summary. Thread-safe.
 */
final class WatchConsole implements TimelineListener {
    /** An event may be reported after a later one, */
    private static final long HOLD_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** and a stall when its records have come. It is on its way, and its cause is not found yet, for so long. Programs want the order, people the news. */
    private static final long JSON_HOLD_NS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final Terminal terminal;
    private final PrintStream out;
    private final PrintStream words;
    private final boolean jsonLines;
    private final LongSupplier now;
    private final MonotonicToWallClock clock = MonotonicToWallClock.ofSystem();
    private final EventFormatter line = new EventFormatter(clock);
    private final EventFilter filter;
    private final List<Held> held = new ArrayList<>();
    private final Deque<Told> told = new ArrayDeque<>();
    /** Shows the events while the watch goes on; {@code null}: they are printed. */
    private @Nullable LiveDisplay live;

    private volatile boolean unread;

    /** The threads that a signal stopped or continued, of those that are printed together. */
    private final Map<Halt, List<TimelineEvent>> stopped = new LinkedHashMap<>();

    /** A signal that stops or continues a process. */
    private record Halt(String process, TimelineEventType type, long timeNs) {
        static Halt of(TimelineEvent event) {
            return new Halt(event.process(), event.type(), event.timeNs());
        }

        boolean isSame(TimelineEvent event) {
            return process.equals(event.process()) && type == event.type() && event.timeNs() - timeNs < HOLD_NS;
        }
    }

    /**
     * Tells what is not printed yet.
     *
     * @param orderNs the time by which it is ordered
     */
    private record Held(long arrivedNs, long orderNs, Runnable print) {}

    /** Tells until when all stalls had been told at a time. */
    private record Told(long atNs, long untilNs) {}

    /**
     * Creates the output of a watch.
     *
     * @param jsonLines whether standard output is kept for events as JSON, one a line: all of them
     * @param isVerbose whether all events are printed
     * @param isLive whether a table is drawn on a terminal that can show one
     */
    WatchConsole(Terminal terminal, boolean jsonLines, boolean isVerbose, boolean isLive) {
        this(terminal, jsonLines, isVerbose, isLive, System::nanoTime);
    }

    /** @param now CLOCK_MONOTONIC, ns */
    WatchConsole(Terminal terminal, boolean jsonLines, boolean isVerbose, boolean isLive, LongSupplier now) {
        this.now = now;
        this.jsonLines = jsonLines;
        this.terminal = terminal;
        out = terminal.out();
        words = jsonLines ? terminal.err() : out;
        filter = new EventFilter(isVerbose || jsonLines);
        live = isLive && !jsonLines ? LiveDisplay.of(terminal, clock).orElse(null) : null;
    }

    @Override
    public synchronized void onEvent(TimelineEvent event) {
        if (!filter.mayBeShown(event)) {
            return;
        }
        hold(orderNs(event), () -> {
            if (filter.isShown(event)) {
                print(event);
            }
        });
    }

    private void hold(long orderNs, Runnable print) {
        held.add(new Held(now.getAsLong(), orderNs, print));
    }

    synchronized void setReaders(String process, Supplier<Set<String>> threads) {
        filter.setReaders(process, threads);
    }

    /**
     * Prints the events by time that have been held back long enough, and those before them. For programs, those that were over before the stalls that are still to be told.
     *
     * @param toldNs until when all stalls that were over have been told
     */
    synchronized void printDue(long toldNs) {
        long nowNs = now.getAsLong();
        printUntil(jsonLines ? toldBy(nowNs - JSON_HOLD_NS) : latestArrivedBy(nowNs - HOLD_NS));
        told.addLast(new Told(nowNs, toldNs));
    }

    private long toldBy(long timeNs) {
        long untilNs = Long.MIN_VALUE;
        for (Told first = told.peekFirst(); first != null && first.atNs() <= timeNs; first = told.peekFirst()) {
            untilNs = Math.max(untilNs, first.untilNs());
            told.removeFirst();
        }
        return untilNs;
    }

    private long latestArrivedBy(long timeNs) {
        return held.stream()
                .filter(each -> each.arrivedNs() <= timeNs)
                .mapToLong(Held::orderNs)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** Prints all events for people, as a process has ended; programs get them in the order of all processes. */
    synchronized void printEnded() {
        if (!jsonLines) {
            printAll();
        }
    }

    /** Prints all events. */
    synchronized void printAll() {
        printUntil(Long.MAX_VALUE);
    }

    /** Standard output may go away, as {@code head} does; there is no use in going on then. */
    private void printUntil(long dueNs) {
        List<Held> due = held.stream()
                .filter(each -> each.orderNs() <= dueNs)
                .sorted(Comparator.comparingLong(Held::orderNs))
                .toList();
        held.removeIf(each -> each.orderNs() <= dueNs);
        due.forEach(each -> each.print().run());
        stopped.forEach((halt, threads) -> printOthers(halt, threads.size() - 1));
        stopped.clear();
        if (!due.isEmpty() && live == null) {
            unread |= out.checkError();
        }
    }

    private void print(TimelineEvent event) {
        boolean isOfSignal =
                event.type() == TimelineEventType.THREAD_STOPPED || event.type() == TimelineEventType.THREAD_CONTINUED;
        if (jsonLines || !isOfSignal || isFirstOfSignal(event)) {
            if (live != null) {
                live.add(event);
            } else {
                out.println(jsonLines ? json(event) : line.of(event));
            }
        }
    }

    /** A signal stops all threads of a process, and each of them tells of it. */
    private boolean isFirstOfSignal(TimelineEvent event) {
        List<TimelineEvent> threads = stopped.entrySet().stream()
                .filter(halt -> halt.getKey().isSame(event))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> stopped.computeIfAbsent(Halt.of(event), key -> new ArrayList<>()));
        threads.add(event);
        return threads.size() == 1;
    }

    private void printOthers(Halt halt, int others) {
        if (others > 0) {
            line("  and " + Format.counted(others, "other thread") + " of " + halt.process() + ' '
                    + (halt.type() == TimelineEventType.THREAD_STOPPED ? "stopped" : "continued"));
        }
    }

    /** What lasted is reported when it was over: by its begin, it would be out of order. */
    private long orderNs(TimelineEvent event) {
        return jsonLines ? Math.max(event.timeNs(), event.endNs()) : event.timeNs();
    }

    /** An event with the wall clock's time of its begin and of its end. */
    private String json(TimelineEvent event) {
        ObjectNode node = Json.object();
        node.put("time", clock.instant(event.timeNs()).toString());
        node.put("endTime", clock.instant(orderNs(event)).toString());
        node.setAll(Json.tree(event, ObjectNode.class));
        return Json.line(node);
    }

    /**
     * Takes the cause of a stall that came as an event before; it is printed after that.
     *
     * @param confidence empty: not known
     */
    synchronized void printCause(Stall stall, String confidence) {
        hold(jsonLines ? stall.endNs() : stall.atNs(), () -> print(stall, confidence));
    }

    private void print(Stall stall, String confidence) {
        if (live != null) {
            live.add(stall);
        } else {
            out.println(jsonLines ? json(stall, confidence) : line.cause(stall));
        }
    }

    /** A cause in the form of an event: it is known later than the stall. */
    private String json(Stall stall, String confidence) {
        ObjectNode details = Json.object();
        details.put("durationNs", stall.durationNs());
        details.put("cause", stall.cause());
        if (!confidence.isEmpty()) {
            details.put("confidence", confidence);
        }
        details.set("account", Json.tree(stall.account(), ArrayNode.class));
        ObjectNode node = Json.object();
        node.put("time", clock.instant(stall.atNs()).toString());
        node.put("endTime", clock.instant(stall.endNs()).toString());
        node.put("timeNs", stall.atNs());
        node.put("type", "STALL_CAUSE");
        node.put("process", stall.process());
        node.put("thread", stall.thread());
        node.set("details", details);
        return Json.line(node);
    }

    /** Draws what is watched, if it is shown live and it is time for that. */
    synchronized void refresh(Supplier<List<WatchedProcess>> processes) {
        if (live != null) {
            live.refresh(System.nanoTime(), processes);
        }
    }

    /** Gives the terminal back and prints what was shown last; from now on lines are printed. */
    synchronized void endLive() {
        if (live != null) {
            List<String> kept = live.end();
            live = null;
            kept.forEach(this::line);
        }
    }

    /** Prints the instruments and what is missing. */
    synchronized void begin(String process, List<String> instruments, List<String> missing) {
        line("watching " + process);
        if (live == null) {
            instruments.forEach(instrument -> line("  " + instrument));
        }
        missing.forEach(what -> line("  missing: " + what));
    }

    /** Returns true once nobody reads the output any more. */
    boolean isUnread() {
        return unread;
    }

    /** Prints the sockets and subscriptions of a process and the cost of watching it. */
    synchronized void summarise(
            WatchTarget target,
            List<SocketSummary> sockets,
            List<SubscriptionSummary> subscriptions,
            SamplerStatistics cost) {
        if (!sockets.isEmpty() || !target.isClient()) {
            words.println(sockets.isEmpty() ? "no UDP socket was found" : "sockets:");
        }
        for (SocketSummary socket : sockets) {
            line("  " + summary(socket));
            terminal.printHanging(words, "    ", socket.headroom().sentence());
        }
        if (!subscriptions.isEmpty()) {
            words.println("subscriptions:");
        } else if (target.isClient()) {
            words.println("no subscription was found");
        }
        subscriptions.forEach(subscription -> line("  " + summary(subscription)));
        words.printf(
                Locale.ROOT,
                "%s samples in %s, %s missed; the sampler took %.1f %% of a core%n",
                Format.count(cost.ticks()),
                Format.seconds(cost.elapsedNs()),
                Format.count(cost.missedTicks()),
                100 * cost.cpuShare());
    }

    /**
     * Prints the safepoints of a JVM.
     *
     * @param rows by operation; {@code null}: not known
     */
    synchronized void printSafepoints(@Nullable List<SafepointTable.Row> rows) {
        if (rows != null) {
            SafepointPrinter.print(terminal, words, rows, "while it was watched");
        }
    }

    /** Prints a line that is no event. */
    synchronized void print(String line) {
        line(line);
    }

    /** Names in it are those that the watched process has given to itself. */
    private void line(String text) {
        if (live != null) {
            live.add(text.strip());
        } else {
            words.println(Printable.of(text));
        }
    }

    private static String summary(SubscriptionSummary subscription) {
        long windowBytes = subscription.windowBytes();
        String polled = subscription.isPolled() ? "" : ", never polled";
        String standstill = subscription.longestStandstillNs() == 0
                ? ""
                : ", not polled for " + Format.milliseconds(subscription.longestStandstillNs() / Units.NS_PER_MS)
                        + " at most";
        return subscription.stream().channel() + " stream "
                + subscription.stream().streamId() + " (session "
                + subscription.stream().sessionId() + ")  deepest " + Format.bytes(subscription.maxDepthBytes())
                + (windowBytes < 0 ? "" : " of " + Format.bytes(windowBytes))
                + (subscription.stream().isIpc() ? " (publisher minus subscriber)" : " (received and not polled)")
                + standstill + polled;
    }

    private static String summary(SocketSummary socket) {
        String which = EventFormatter.socket(
                socket.identity().endpoint(), socket.identity().inode(), String.join(",", socket.groups()));
        return which + "  deepest " + Format.bytes(socket.depths().maxDepthBytes()) + " of "
                + EventFormatter.bytes(socket.depths().limitBytes()) + ", dropped " + Format.count(socket.drops());
    }
}
