package org.naklab.lab.instruments.threads;

import java.util.Set;
import java.util.function.Supplier;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/** Looks once a second which threads of a process wait for its UDP sockets, and remembers them. */
public final class ReceiverThreadFinder implements Instrument {
    private static final long LOOK_PERIOD_NS = 1_000 * MILLISECOND_NS;

    private final long pid;
    private final ReceivingThreads receiving;
    private final Supplier<Set<Long>> inodes;
    private final WatchedThreads receivers;
    private long nextLookNs = System.nanoTime();

    /**
     * Creates a search for the threads that read UDP sockets.
     *
     * @param inodes of the process's UDP sockets, as they are now
     * @param receivers told of each that is found
     */
    public ReceiverThreadFinder(long pid, Supplier<Set<Long>> inodes, WatchedThreads receivers) {
        this.pid = pid;
        receiving = new ReceivingThreads(pid);
        this.inodes = inodes;
        this.receivers = receivers;
    }

    @Override
    public String describe() {
        return "which threads of " + pid + " wait for a socket, once a second by /proc/" + pid + "/task/TID/syscall";
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public void refresh(long nowNs) {
        if (nowNs - nextLookNs >= 0) {
            nextLookNs = nowNs + LOOK_PERIOD_NS;
            receiving.look(inodes.get()).forEach(thread -> receivers.add(thread.name()));
        }
    }

    @Override
    public void close() {}
}
