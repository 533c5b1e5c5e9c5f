package org.naklab.lab.watch.command.live;

import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.MonotonicToWallClock;
import org.naklab.lab.terminal.Terminal;

/**
 * Shows a watch in a terminal while it goes on: a table that is drawn again four times a second, in the size that the terminal then has. One thread; the terminal is
 * also given back when the program is ended by a signal.
 */
public final class LiveDisplay {
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final MonotonicToWallClock clock;
    private final TerminalView view;
    private final Screen screen;
    private boolean isDrawn;
    private long nextNs;

    private LiveDisplay(Terminal terminal, OutputStream out, MonotonicToWallClock clock) {
        this.clock = clock;
        screen = new Screen(out);
        view = new TerminalView(terminal, new SocketTable(clock));
    }

    /** Returns a display on standard output; empty if that is no terminal on which one can draw. */
    public static Optional<LiveDisplay> of(Terminal terminal, MonotonicToWallClock clock) {
        Optional<LiveDisplay> display = terminal.screen().map(out -> new LiveDisplay(terminal, out, clock));
        display.ifPresent(
                each -> Runtime.getRuntime().addShutdownHook(new Thread(each.screen::close, "give-the-terminal-back")));
        return display;
    }

    /** Adds an event. */
    public void add(TimelineEvent event) {
        view.add(clock.show(event.timeNs()), EventSentences.of(event));
    }

    /** Adds the cause of a stall. */
    public void add(Stall stall) {
        view.add(clock.show(stall.atNs()), EventSentences.of(stall));
    }

    /** Adds a line that is no event. */
    public void add(String line) {
        view.add("", line);
    }

    /** Draws, if it is time for that. */
    public void refresh(long nowNs, Supplier<List<WatchedProcess>> processes) {
        if (!isDrawn || nowNs - nextNs >= 0) {
            isDrawn = true;
            nextNs = nowNs + PERIOD_NS;
            TerminalSize size = TerminalSize.now();
            screen.draw(view.frame(nowNs, processes.get(), size), size);
        }
    }

    /** Gives the terminal back, and returns the lines that were below the table. */
    public List<String> end() {
        screen.close();
        return view.kept();
    }
}
