package org.naklab.lab.instruments.threads;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Samples all threads of a process in turn, so that the cost does not grow with their number: five every 20 ms, so that each
 * of n threads is read every 4n ms.
 */
public final class ProcessThreadsInstrument implements Instrument {
    private static final int THREADS_PER_SAMPLE = 5;
    private static final long PERIOD_NS = 20 * MILLISECOND_NS;
    private static final ThreadSampler[] NO_PROBES = {};

    private final String process;
    private final long pid;
    private final TimelineListener listener;
    private final ProcessThreads threads;
    private final ThreadLabels labels;
    private final Map<ProcessThreads.NamedThread, ThreadSampler> known = new HashMap<>();
    private final ManyToOneConcurrentLinkedQueue<ThreadSampler> retired = new ManyToOneConcurrentLinkedQueue<>();
    private volatile ThreadSampler[] probes = NO_PROBES;
    private int next;

    /** @param labels under which the threads are reported */
    public ProcessThreadsInstrument(String process, long pid, ThreadLabels labels, TimelineListener listener) {
        this.labels = labels;
        this.process = process;
        this.pid = pid;
        this.listener = listener;
        threads = new ProcessThreads(pid);
        follow(threads.list());
    }

    @Override
    public String title() {
        return "what looks for threads";
    }

    @Override
    public String describe() {
        return "threads of " + process + " by /proc/" + pid + "/task, five every 20 ms: faults, run-queue delay, state";
    }

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    @Override
    public boolean isIdle() {
        return true;
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        closeRetired();
        ThreadSampler[] current = probes;
        for (int i = Math.min(THREADS_PER_SAMPLE, current.length); i > 0; i--) {
            next = (next + 1) % current.length;
            current[next].sample(nowNs, sink);
        }
    }

    @Override
    public void refresh(long nowNs) {
        follow(threads.list());
    }

    @Override
    public void close() {
        for (ThreadSampler probe : probes) {
            probe.close();
        }
        probes = NO_PROBES;
        closeRetired();
    }

    private void follow(List<ProcessThreads.NamedThread> now) {
        Set<ProcessThreads.NamedThread> gone = new HashSet<>(known.keySet());
        for (ProcessThreads.NamedThread thread : now) {
            if (!gone.remove(thread)) {
                adopt(thread);
            }
        }
        Map<ProcessThreads.NamedThread, ThreadSampler> before = Map.copyOf(known);
        known.keySet().removeAll(gone);
        probes = known.values().toArray(NO_PROBES);
        gone.forEach(thread -> retired.add(before.get(thread)));
    }

    private void adopt(ProcessThreads.NamedThread thread) {
        try {
            ThreadStat figures = ThreadStat.open(pid, thread.tid());
            String label = labels.of(thread.tid(), thread.name());
            known.put(thread, new ThreadSampler(process, label, thread.tid(), figures, listener, null));
        } catch (DetectException endedMeanwhile) {
            known.remove(thread);
        }
    }

    /** The sampling thread closes, so that it never reads a number that has come to mean another file. */
    private void closeRetired() {
        for (ThreadSampler probe = retired.poll(); probe != null; probe = retired.poll()) {
            probe.close();
        }
    }
}
