package org.naklab.faults;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls a controller on a daemon thread, and disarms everything on close and when the JVM ends by itself or by Ctrl-C. When it
 * is killed, the {@link org.naklab.faults.guard.Guard} undoes what outlives a process.
 */
public final class FaultRunner implements AutoCloseable {
    private static final long MAX_WAIT_NS = TimeUnit.SECONDS.toNanos(1);

    private final FaultController controller;
    private final Thread thread;
    private final Thread shutdownHook;
    private volatile boolean running = true;

    private FaultRunner(FaultController controller) {
        this.controller = controller;
        thread = new Thread(this::run, "faults");
        shutdownHook = new Thread(this::stop, "faults-shutdown");
    }

    public static FaultRunner launch(FaultController controller) {
        FaultRunner runner = new FaultRunner(controller);
        Runtime.getRuntime().addShutdownHook(runner.shutdownHook);
        runner.thread.setDaemon(true);
        controller.poller(runner.thread);
        runner.thread.start();
        return runner;
    }

    public FaultController controller() {
        return controller;
    }

    private void run() {
        while (running) {
            long waitNs = controller.poll();
            if (waitNs > 0) {
                LockSupport.parkNanos(this, Math.min(waitNs, MAX_WAIT_NS));
            }
        }
    }

    private void stop() {
        running = false;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        controller.close();
    }

    /** Disarms everything and ends the thread. */
    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // The JVM is going down: the hook finds everything disarmed.
            return;
        }
    }
}
