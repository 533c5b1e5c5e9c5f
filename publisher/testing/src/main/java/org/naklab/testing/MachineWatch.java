package org.naklab.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Watches the machine from the beginning to the end of a run: what the kernel counts, and how late the timers of an idle thread are. */
final class MachineWatch {
    private static final Path PROC = Path.of("/proc");
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final MachineFigures before;
    private final Thread timer = new Thread(this::keepTime, "idle timer");
    private volatile boolean isEnded;
    private volatile long latestNs;

    private MachineWatch(MachineFigures before) {
        this.before = before;
        timer.setDaemon(true);
    }

    static MachineWatch begin() throws IOException {
        MachineWatch watch = new MachineWatch(MachineFigures.read(PROC));
        watch.timer.start();
        return watch;
    }

    /** Ends the watch. */
    Disturbance end() throws IOException {
        isEnded = true;
        LockSupport.unpark(timer);
        return MachineFigures.read(PROC).since(before, latestNs);
    }

    private void keepTime() {
        while (!isEnded) {
            long dueNs = System.nanoTime() + PERIOD_NS;
            LockSupport.parkNanos(PERIOD_NS);
            latestNs = Math.max(latestNs, System.nanoTime() - dueNs);
        }
    }
}
