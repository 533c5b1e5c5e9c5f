package org.naklab.lab.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs of the pipeline in slices of a second, without instruments and with all of them in turns: its own and those of this process.
 * A slice with them is compared with the two beside it: what differs from run to run, and what changes slowly, is the same in all three.
 */
final class SlicedRun {
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(1_000);
    private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** The stream of the service's safepoints reads itself in when it begins: what that takes is no run's, which begins once. */
    private static final long WATCH_SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final PipelineChild child;
    private final BenchDirectory directory;
    private final int events;
    private final List<Double> watchedPerSecond = new ArrayList<>();
    private final List<Double> alonePerSecond = new ArrayList<>();
    private final List<Double> losses = new ArrayList<>();
    private ObserverCost cost = new ObserverCost();

    /** @param events of the child's feed */
    SlicedRun(PipelineChild child, BenchDirectory directory, int events) {
        this.child = child;
        this.directory = directory;
        this.events = events;
    }

    /** What has been measured so far does not count. */
    void forget() {
        watchedPerSecond.clear();
        alonePerSecond.clear();
        losses.clear();
        cost = new ObserverCost();
    }

    /**
     * One run, until the feed ends or there are enough slices with instruments.
     *
     * @param wanted slices with instruments, with those of earlier runs
     */
    void run(int wanted) throws IOException {
        child.tell(PipelineProcess.RUN);
        String aeronDirectory = child.answer();
        child.tell(PipelineProcess.GO);
        OptionalDouble before = slice();
        while (before.isPresent() && losses.size() < wanted) {
            OptionalDouble watched = watchedSlice(aeronDirectory);
            OptionalDouble after = slice();
            if (watched.isPresent() && after.isPresent()) {
                note(before.getAsDouble(), watched.getAsDouble(), after.getAsDouble());
            }
            before = after;
        }
        child.tell(PipelineProcess.END);
        child.answer();
    }

    /** Of each slice with instruments, against the two beside it. */
    List<Double> losses() {
        return losses;
    }

    List<Double> watchedPerSecond() {
        return watchedPerSecond;
    }

    /** Of the slices after those with instruments. */
    List<Double> alonePerSecond() {
        return alonePerSecond;
    }

    ObserverCost cost() {
        return cost;
    }

    static double loss(double before, double watched, double after) {
        return 1 - 2 * watched / (before + after);
    }

    private void note(double before, double watched, double after) {
        losses.add(loss(before, watched, after));
        watchedPerSecond.add(watched);
        alonePerSecond.add(after);
    }

    private OptionalDouble watchedSlice(String aeronDirectory) throws IOException {
        PipelineWatch watch = new PipelineWatch(child.pid(), aeronDirectory, directory.made());
        OptionalDouble rate;
        try (watch) {
            child.tell(PipelineProcess.ON);
            pause(WATCH_SETTLE_NS);
            ProcessorTime time = new ProcessorTime();
            long tenths = watch.samplerShares().count();
            rate = rate();
            cost.add(time);
            cost.addSampler(watch.samplerShares().since(tenths));
            child.tell(PipelineProcess.OFF);
        }
        cost.add(watch.costs(), watch.elapsedNs());
        return rate;
    }

    private OptionalDouble slice() throws IOException {
        pause(SETTLE_NS);
        return rate();
    }

    /** Events a second; none if the feed has ended meanwhile. */
    private OptionalDouble rate() throws IOException {
        String[] from = look();
        pause(SLICE_NS);
        String[] to = look();
        long last = Long.parseLong(to[1]);
        if (last >= events) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                1e9 * (last - Long.parseLong(from[1])) / (Long.parseLong(to[0]) - Long.parseLong(from[0])));
    }

    private String[] look() throws IOException {
        child.tell(PipelineProcess.LOOK);
        return child.answer().split(" ", -1);
    }

    private static void pause(long ns) {
        long endNs = System.nanoTime() + ns;
        for (long leftNs = ns; leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }
}
