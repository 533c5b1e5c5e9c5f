package org.naklab.lab.instruments.linux;

/** Waits on a thread of its own for the end of a process, which the kernel reports at its pidfd. */
public final class ProcessExit implements AutoCloseable {
    /** The time after which the thread sees that nobody waits any more. */
    private static final int STEP_MS = 100;

    private static final short POLLIN = 1;
    private static final int POLLFD_LENGTH = 8;
    private static final int EVENTS_OFFSET = 4;
    private static final int REVENTS_OFFSET = 6;

    private final NativeMemory request = new NativeMemory(POLLFD_LENGTH);
    private final Thread thread;
    private final Runnable action;
    private volatile boolean isClosed;

    private ProcessExit(int pidfd, Runnable action) {
        this.action = action;
        request.view().putInt(0, pidfd);
        request.view().putShort(EVENTS_OFFSET, POLLIN);
        thread = new Thread(this::await, "process-exit");
        thread.setDaemon(true);
    }

    /**
     * Begins to wait.
     *
     * @param pidfd stays open until the wait is closed
     * @param action runs once, on the thread that waits, when the process has ended
     */
    public static ProcessExit onExit(int pidfd, Runnable action) {
        ProcessExit exit = new ProcessExit(pidfd, action);
        exit.thread.start();
        return exit;
    }

    private void await() {
        while (!isClosed) {
            if (Libc.poll(request.address(), 1, STEP_MS) > 0) {
                if ((request.view().getShort(REVENTS_OFFSET) & POLLIN) != 0) {
                    action.run();
                }
                return;
            }
        }
    }

    /** Ends the wait; afterwards the action is not running and will not run. */
    @Override
    public void close() {
        isClosed = true;
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
