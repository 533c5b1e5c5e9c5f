package org.naklab.lab.detect;

import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The instruments on any running process that receives UDP, Aeron or not, Java or not: sockets, threads, memory, timer lateness, and Aeron's
 * counters if the process has a driver's file mapped. Events are told as they happen, on one thread.
 */
public final class Watch implements AutoCloseable {
    private final long pid;
    private final Observatory observatory;
    private final SocketDepthInstrument sockets;

    private Watch(long pid, Observatory observatory, SocketDepthInstrument sockets) {
        this.pid = pid;
        this.observatory = observatory;
        this.sockets = sockets;
    }

    /**
     * Attaches and starts.
     *
     * @param process name for events
     * @param consumers take all samples, for instance a {@link FlightRecorder}; closed with the watch
     * @param errorHandler of what should not happen
     * @throws DetectException no such process, or its sockets are out of reach
     */
    public static Watch attach(
            String process,
            long pid,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            ErrorHandler errorHandler) {
        if (ProcessHandle.of(pid).isEmpty()) {
            throw new DetectException("no process " + pid);
        }
        NanoClock clock = SystemNanoClock.INSTANCE;
        Observatory observatory = new Observatory(clock, listener, consumers, errorHandler);
        TimelineListener events = observatory.events();
        try {
            SocketDepthInstrument sockets = SocketDepthInstrument.attach(process, pid, events, clock);
            observatory.add(sockets);
            observatory.add(new ProcessThreadsInstrument(process, pid, events));
            observatory.add(new MemoryInstrument(process, pid, events));
            observatory.add(TimerInstrument.start(TimerInstrument.DEFAULT_THRESHOLD_NS, events, clock));
            observatory.add(new AeronDiscovery(process, pid, events, clock, observatory::add));
            observatory.start();
            return new Watch(pid, observatory, sockets);
        } catch (DetectException e) {
            observatory.close();
            throw e;
        }
    }

    /** What each instrument reads, and cannot. */
    public List<String> describe() {
        return observatory.describe();
    }

    public boolean isProcessAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** What was seen of each socket so far. */
    public List<SocketSummary> sockets() {
        return sockets.summaries();
    }

    /** What the observation itself costs. */
    public SamplerStatistics statistics() {
        return observatory.statistics();
    }

    @Override
    public void close() {
        observatory.close();
    }
}
