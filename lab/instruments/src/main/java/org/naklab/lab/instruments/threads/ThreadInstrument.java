package org.naklab.lab.instruments.threads;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Page faults, processor time and waits for a processor of one named thread of a process; the thread may start after the watch. The kernel
 * takes some microseconds to print the figures, so that they are read every 100 ms, and every millisecond while the thread is blocked or
 * stopped, or an instrument beside this one has something to say.
 */
public final class ThreadInstrument implements Instrument {
    private final String process;
    private final long pid;
    private final String thread;
    private final TimelineListener listener;
    private final ProcessThreads threads;
    private volatile @Nullable ThreadSampler probe;

    /**
     * Creates an instrument for one thread.
     *
     * @param thread name; the kernel knows its first 15 characters
     */
    public ThreadInstrument(String process, long pid, String thread, TimelineListener listener) {
        this.process = process;
        this.pid = pid;
        this.thread = thread;
        this.listener = listener;
        threads = new ProcessThreads(pid);
        find();
    }

    @Override
    public String describe() {
        return "thread " + thread + " of " + process + " by /proc/" + pid + "/task: faults, run-queue delay, state";
    }

    /** Returns whether the thread exists. */
    public boolean isFound() {
        return probe != null;
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        ThreadSampler current = probe;
        if (current != null && !current.sample(nowNs, sink)) {
            probe = null;
            current.close();
        }
    }

    @Override
    public long periodNs() {
        ThreadSampler current = probe;
        return current != null && current.isInTrouble() ? MILLISECOND_NS : CALM_PERIOD_NS;
    }

    @Override
    public void refresh(long nowNs) {
        if (probe == null) {
            find();
        }
    }

    @Override
    public void close() {
        ThreadSampler current = probe;
        if (current != null) {
            current.close();
            probe = null;
        }
    }

    private void find() {
        OptionalInt tid = threads.find(thread);
        if (tid.isPresent()) {
            ThreadStat figures = ThreadStat.open(pid, tid.getAsInt());
            SleepDetector sleeps = new SleepDetector(process, thread, listener);
            probe = new ThreadSampler(process, thread, tid.getAsInt(), figures, listener, sleeps);
        }
    }
}
