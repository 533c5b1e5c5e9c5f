package org.naklab.lab.terminal;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.experiment.StepListener;

/** Counts the steps of a command that takes longer than a few seconds, says how long the others may take, and ends the command in one line if it is interrupted. */
public final class StepProgress implements StepListener, AutoCloseable {
    private static final long MIN_LEFT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int RESULT_INDENT = 6;

    private int steps;
    private final LongSupplier clock;
    private final @Nullable Terminal terminal;
    private final Runnable partial;
    private final long beganNs;
    private long expectedStepNs;
    private int step;
    private int results;
    private boolean isOver;

    /** @param steps how many there are in all */
    public StepProgress(int steps) {
        this(steps, System::nanoTime, null, () -> {});
    }

    StepProgress(int steps, LongSupplier clock, @Nullable Terminal terminal, Runnable partial) {
        this.steps = steps;
        this.clock = clock;
        this.terminal = terminal;
        this.partial = partial;
        beganNs = clock.getAsLong();
    }

    /**
     * Returns the progress of a command that Ctrl-C ends in one line until it is closed. What the steps have found is printed as they end, and so stands above that line.
     *
     * @param steps how many there are in all
     * @param partial prints what was measured and is not printed yet, when the command is interrupted
     */
    public static StepProgress untilInterrupted(Terminal terminal, int steps, Runnable partial) {
        StepProgress progress = new StepProgress(steps, System::nanoTime, terminal, partial);
        Runtime.getRuntime().addShutdownHook(new Thread(progress::interrupt, "interrupted"));
        return progress;
    }

    /**
     * Tells how long a step takes, so that the time that is left is known before the first one has ended.
     *
     * @param ns of one step
     */
    public StepProgress expecting(long ns) {
        expectedStepNs = ns;
        return this;
    }

    @Override
    public void onStep(String what) {
        Terminal shown = terminal;
        if (shown != null) {
            shown.printHanging(shown.err(), next(), what);
        }
    }

    /**
     * Takes note of a step that begins, where several end at a time.
     *
     * @param done how many steps have ended
     */
    public void onStep(int done, String what) {
        step = done;
        onStep(what);
    }

    @Override
    public void onResult(String found) {
        results++;
        Terminal shown = terminal;
        if (shown != null) {
            shown.printHanging(shown.err(), " ".repeat(RESULT_INDENT), found);
        }
    }

    /** Shows a step that is too short for a line of its own: on a terminal it takes the place of the one before, elsewhere it is not shown. */
    public synchronized void rewrite(String what) {
        Terminal shown = terminal;
        String head = next();
        if (shown != null && shown.errIsTerminal() && !isOver) {
            shown.err().print("\r\033[K" + shown.truncated(shown.err(), head + what));
            shown.err().flush();
        }
    }

    /** Removes what {@link #rewrite} shows, and lets a signal end the command as usual from now on. */
    @Override
    public synchronized void close() {
        clear();
        isOver = true;
    }

    private void clear() {
        Terminal shown = terminal;
        if (shown != null && shown.errIsTerminal()) {
            shown.err().print("\r\033[K");
            shown.err().flush();
        }
    }

    /** Prints how far the command came, once. */
    synchronized void interrupt() {
        Terminal shown = terminal;
        if (isOver || shown == null) {
            return;
        }
        clear();
        isOver = true;
        partial.run();
        PrintStream err = shown.err();
        err.println("interrupted after " + time(clock.getAsLong() - beganNs) + ", in step " + step + " of " + steps
                + (results > 0 ? ": what the others found stands above" : ""));
    }

    /** Takes note that a step is repeated, so that there is one more than was known. */
    public void oneMore() {
        steps++;
    }

    /** Takes note that so many steps cannot be made. */
    public void leaveOut(int fewer) {
        steps -= fewer;
    }

    /** Returns the head of the line of the step that begins: its number, and the time that is left if that is five seconds and longer. */
    public String next() {
        step++;
        return head(step - 1);
    }

    /** Returns the head of the line of the step that has ended, likewise. */
    public String ended() {
        step++;
        return head(step);
    }

    /**
     * Returns the line of a command whose last steps a signal has left out.
     *
     * @param what a step is, in the plural
     */
    public String interrupted(String what) {
        return "interrupted after " + time(clock.getAsLong() - beganNs) + ", " + step + " of " + steps + " " + what
                + "; what follows is of these";
    }

    private String head(int done) {
        int width = String.valueOf(steps).length();
        String number = String.format(Locale.ROOT, "%" + width + "d of %d", step, steps);
        long eachNs = done == 0 ? expectedStepNs : (clock.getAsLong() - beganNs) / done;
        long leftNs = eachNs * (steps - done);
        return number + (leftNs < MIN_LEFT_NS ? "  " : ", about " + time(leftNs) + " left  ");
    }

    private static String time(long ns) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(ns);
        return seconds < 120 ? seconds + " s" : (seconds + 30) / 60 + " min";
    }
}
