package org.naklab.lab.instruments.kernel;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.threads.ProcessThreads;

/** Records absences without any right: polls {@code /proc} twice in the shortest absence. No page faults, no drops, no wakers. */
final class ProcRecorder implements KernelRecorder.Backend {
    private static final long LIST_PERIOD_NS = 100_000_000L;
    /** As often as the program of the other source. */
    private static final long ALIVE_PERIOD_NS = 500_000_000L;

    private final RecorderSettings settings;
    private final KernelRecordListener listener;
    private final Map<Integer, ThreadStateSampler> samplers = new HashMap<>();
    private final Set<Long> pids = new HashSet<>();
    private final Thread thread = new Thread(this::run, "kernel-recorder");
    private volatile boolean isRunning = true;
    private volatile boolean isAsked;

    private ProcRecorder(RecorderSettings settings, KernelRecordListener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    static ProcRecorder start(RecorderSettings settings, KernelRecordListener listener) {
        ProcRecorder recorder = new ProcRecorder(settings, listener);
        recorder.thread.setDaemon(true);
        recorder.thread.start();
        return recorder;
    }

    @Override
    public synchronized boolean add(long pid) {
        if (new ProcessThreads(pid).list().isEmpty()) {
            return false;
        }
        pids.add(pid);
        list();
        return true;
    }

    @Override
    public synchronized void remove(long pid) {
        pids.remove(pid);
        new ProcessThreads(pid).list().forEach(ended -> {
            ThreadStateSampler sampler = samplers.remove(ended.tid());
            if (sampler != null) {
                sampler.close();
            }
        });
    }

    @Override
    public void tell() {
        isAsked = true;
        LockSupport.unpark(thread);
    }

    /** Whoever waits for records is told that none will come, however it ends. */
    private void run() {
        String reason = "";
        try {
            record();
            finish();
        } catch (RuntimeException | Error e) {
            reason = "the recorder's thread died of " + e;
            throw e;
        } finally {
            listener.onRecord(new KernelRecord.RecorderEnd(System.nanoTime(), reason));
        }
    }

    private void record() {
        long listNs = System.nanoTime();
        long aliveNs = listNs;
        while (isRunning) {
            long nowNs = System.nanoTime();
            if (nowNs - listNs >= LIST_PERIOD_NS) {
                list();
                listNs = nowNs;
            }
            sample();
            boolean isAnswer = isAsked;
            if (isAnswer) {
                isAsked = false;
                tellOpen();
            }
            if (isAnswer || nowNs - aliveNs >= ALIVE_PERIOD_NS) {
                listener.onRecord(new KernelRecord.Alive(nowNs));
                aliveNs = nowNs;
            }
            LockSupport.parkNanos(settings.absenceNs() / 2);
        }
    }

    private synchronized void list() {
        for (long pid : pids) {
            for (ProcessThreads.NamedThread known : new ProcessThreads(pid).list()) {
                boolean isWanted =
                        settings.threads().isEmpty() || settings.threads().contains(known.name());
                ThreadStateSampler sampler = samplers.get(known.tid());
                if (sampler != null) {
                    sampler.rename(known.name());
                } else if (isWanted) {
                    open((int) pid, known.tid());
                }
            }
        }
    }

    private void open(int pid, int tid) {
        try {
            samplers.put(tid, ThreadStateSampler.open(pid, tid, settings.absenceNs()));
        } catch (DetectException endedMeanwhile) {
            samplers.remove(tid);
        }
    }

    private synchronized void sample() {
        Iterator<ThreadStateSampler> all = samplers.values().iterator();
        while (all.hasNext()) {
            ThreadStateSampler sampler = all.next();
            try {
                sampler.sample(System.nanoTime()).ifPresent(listener::onRecord);
                sampler.takeWaits().ifPresent(listener::onRecord);
            } catch (ThreadStateSampler.EndedException e) {
                sampler.close();
                all.remove();
            }
        }
    }

    private synchronized void tellOpen() {
        samplers.values().forEach(sampler -> sampler.open().ifPresent(listener::onRecord));
    }

    private synchronized void finish() {
        for (ThreadStateSampler sampler : List.copyOf(samplers.values())) {
            sampler.finish();
            sampler.takeWaits().ifPresent(listener::onRecord);
            sampler.open().ifPresent(listener::onRecord);
            sampler.close();
        }
        samplers.clear();
    }

    @Override
    public void close() {
        isRunning = false;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
