package org.naklab.lab.detect;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * Where the major faults of one thread happened, by {@code perf}: user stacks on CLOCK_MONOTONIC. Nothing is polled; perf counts in the
 * kernel, and costs nothing while there is no fault.
 */
public final class FaultStackInstrument implements Instrument {
    private static final long PERIOD_NS = 1_000 * MILLISECOND_NS;

    private final String process;
    private final String thread;
    private final PerfFaults perf;
    private List<FaultStack> stacks = List.of();
    private boolean ended;

    private FaultStackInstrument(String process, String thread, PerfFaults perf) {
        this.process = process;
        this.thread = thread;
        this.perf = perf;
    }

    /**
     * Starts recording; returns when perf is at work.
     *
     * @param process name for descriptions
     * @param thread name; it must run already
     * @param directory for perf's files; exists
     * @throws DetectException there is no such thread, or perf is not installed, or not permitted
     */
    public static FaultStackInstrument attach(String process, long pid, String thread, Path directory) {
        OptionalInt tid = new ProcessThreads(pid).find(thread);
        if (tid.isEmpty()) {
            throw new DetectException("no page-fault stacks: process " + pid + " has no thread " + thread);
        }
        return new FaultStackInstrument(process, thread, PerfFaults.start(tid.getAsInt(), directory));
    }

    @Override
    public String describe() {
        return "stacks of major faults of thread " + thread + " of " + process + " by perf";
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    /**
     * Ends the recording and resolves the symbols; best while the process lives, since its files may be seen by it alone. Only the
     * first call does anything.
     *
     * @return by time
     * @throws DetectException perf failed
     */
    public synchronized List<FaultStack> end() {
        if (!ended) {
            ended = true;
            stacks = perf.stop();
        }
        return stacks;
    }

    @Override
    public void close() {
        perf.close();
    }
}
