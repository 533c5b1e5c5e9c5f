package org.naklab.lab.instruments.memory;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.lab.instruments.threads.ReceivingThreads;

/**
 * Records the stacks of the major faults of a process's threads with {@code perf}: user stacks on CLOCK_MONOTONIC. Nothing
 * is polled; perf counts in the kernel, and costs nothing while there is no fault.
 */
public final class MajorFaultStackInstrument implements Instrument {
    private static final long PERIOD_NS = 1_000 * MILLISECOND_NS;

    private final String description;
    private final MajorFaultRecorder perf;
    private List<MajorFaultStack> stacks = List.of();
    private boolean ended;

    private MajorFaultStackInstrument(String description, MajorFaultRecorder perf) {
        this.description = description;
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
    public static MajorFaultStackInstrument attach(String process, long pid, String thread, Path directory) {
        OptionalInt tid = new ProcessThreads(pid).find(thread);
        if (tid.isEmpty()) {
            throw new DetectException("no page-fault stacks: process " + pid + " has no thread " + thread);
        }
        return new MajorFaultStackInstrument(
                "stacks of major faults of thread " + thread + " of " + process + " by perf",
                MajorFaultRecorder.start(tid.getAsInt(), directory));
    }

    /**
     * Attaches to the threads that receive UDP if all of them are known; otherwise to the whole process.
     *
     * @throws DetectException perf is not installed, or not permitted
     */
    public static MajorFaultStackInstrument attachToReceivers(
            String process, long pid, ReceivingThreads.Found receivers, Path directory) {
        if (!receivers.isComplete()) {
            return new MajorFaultStackInstrument(
                    "stacks of major faults of all threads of " + process + " by perf",
                    MajorFaultRecorder.startOfProcess(pid, directory));
        }
        String names = receivers.threads().stream()
                .map(ProcessThreads.NamedThread::name)
                .collect(Collectors.joining(", "));
        String tids =
                receivers.threads().stream().map(thread -> "" + thread.tid()).collect(Collectors.joining(","));
        return new MajorFaultStackInstrument(
                "stacks of major faults of the receiving threads of " + process + " (" + names + ") by perf",
                MajorFaultRecorder.startOfThreads(tids, directory));
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    /**
     * Puts what perf holds into {@code window-perf.data} and goes on recording: cheap, nothing is symbolised.
     *
     * @throws DetectException the recording has ended
     */
    public synchronized void keepWindow(Path directory) {
        perf.keep(directory.resolve("window-perf.data"));
    }

    /** Writes the window's stacks to {@code window-fault-stacks.json} and ends the recording. */
    public synchronized void keepWindowAndEnd(Path directory, long fromNs, long toNs) {
        keepWindow(directory);
        List<MajorFaultStack> window = end().stream()
                .filter(stack -> stack.timeNs() >= fromNs && stack.timeNs() <= toNs)
                .toList();
        Path file = directory.resolve("window-fault-stacks.json");
        try {
            Json.write(file, window);
        } catch (UncheckedIOException e) {
            throw new DetectException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Ends the recording and resolves the symbols; best while the process lives, since its files may be seen by it alone. Only the
     * first call does anything.
     *
     * @return by time
     * @throws DetectException perf failed
     */
    public synchronized List<MajorFaultStack> end() {
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
