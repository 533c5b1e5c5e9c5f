package org.naklab.lab.cli.terminal;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Counts the steps of a command that takes longer than a few seconds, and says how long the others may take. */
public final class StepProgress {
    private static final long MIN_LEFT_NS = TimeUnit.SECONDS.toNanos(5);

    private final int steps;
    private final LongSupplier clock;
    private final long beganNs;
    private int step;

    /** @param steps how many there are in all */
    public StepProgress(int steps) {
        this(steps, System::nanoTime);
    }

    StepProgress(int steps, LongSupplier clock) {
        this.steps = steps;
        this.clock = clock;
        beganNs = clock.getAsLong();
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

    private String head(int done) {
        int width = String.valueOf(steps).length();
        String number = String.format(Locale.ROOT, "%" + width + "d of %d", step, steps);
        long leftNs = done == 0 ? 0 : (clock.getAsLong() - beganNs) / done * (steps - done);
        return number + (leftNs < MIN_LEFT_NS ? "  " : ", about " + time(leftNs) + " left  ");
    }

    private static String time(long ns) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(ns);
        return seconds < 120 ? seconds + " s" : (seconds + 30) / 60 + " min";
    }
}
