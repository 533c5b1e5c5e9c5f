package org.naklab.lab.instruments.kernel.counters;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Reports the growth of the counters of datagrams that a process's network namespace lost, whatever their port, and at its end for which time the
 * counters were read.
 */
public final class UdpErrorInstrument implements Instrument {
    private static final long PERIOD_NS = 1_000 * MILLISECOND_NS;

    private final String process;
    private final TimelineListener listener;
    private final NanoClock clock;
    private final Supplier<Map<String, Long>> counters;
    private final long beganNs;
    private Map<String, Long> last;
    private long lastNs;
    private @Nullable String failure;
    /** 0: the counters can be read. */
    private volatile long failedNs;

    /** @param counters reads all counters, by name */
    UdpErrorInstrument(
            String process, TimelineListener listener, NanoClock clock, Supplier<Map<String, Long>> counters) {
        this.process = process;
        this.listener = listener;
        this.clock = clock;
        this.counters = counters;
        last = counters.get();
        beganNs = clock.nanoTime();
        lastNs = beganNs;
    }

    /**
     * Reads the counters of a process for the first time.
     *
     * @param process its name on the timeline
     * @throws DetectException the process is gone
     */
    public static UdpErrorInstrument attach(String process, long pid, TimelineListener listener, NanoClock clock) {
        return new UdpErrorInstrument(process, listener, clock, () -> read(pid));
    }

    /** Under the names of {@code /proc/net/snmp} and {@code netstat}; the backlog has none there. */
    private static Map<String, Long> read(long pid) {
        UdpCounters udp = UdpCounters.ofProcess(pid);
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("RcvbufErrors", udp.udp().rcvbufErrors());
        values.put("InCsumErrors", udp.udp().csumErrors());
        values.put("MemErrors", udp.udp().memErrors());
        values.put("NoPorts", udp.udp().noPorts());
        values.put("ReasmFails", udp.ip().reassemblyFailures());
        values.put("InDiscards", udp.ip().ipDiscards());
        values.put("InAddrErrors", udp.ip().addressErrors());
        values.put("IPReversePathFilter", udp.ip().reversePathFiltered());
        values.put("InNoRoutes", udp.ip().noRoutes());
        values.put("SoftnetDropped", SoftnetCounters.ofProcess(pid).dropped());
        return values;
    }

    @Override
    public String title() {
        return "what reads the UDP error counters";
    }

    @Override
    public long reachedNs(long nowNs) {
        return failedNs == 0 ? nowNs : failedNs;
    }

    @Override
    public String describe() {
        return "UDP error counters of the network namespace of " + process + " (/proc/PID/net, every 100 ms)";
    }

    /** Does nothing: reading the files takes too long for the sampler. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    /** Reads the counters. Once they cannot be read, as when the process has ended, the time that they cover is over. */
    @Override
    public synchronized void refresh(long nowNs) {
        if (failure != null) {
            return;
        }
        try {
            Map<String, Long> now = counters.get();
            long readNs = clock.nanoTime();
            now.forEach((counter, value) -> {
                long growth = value - last.getOrDefault(counter, 0L);
                if (growth > 0) {
                    listener.onEvent(
                            new DatagramEvent.ErrorsCounted(new Interval(lastNs, readNs), process, counter, growth));
                }
            });
            last = now;
            lastNs = readNs;
        } catch (DetectException e) {
            failure = String.valueOf(e.getMessage());
            failedNs = nowNs;
        }
    }

    /** Returns the event that says for which time the counters were read until now. */
    public synchronized TimelineEvent counted() {
        return new DatagramEvent.CountersRead(new Interval(beganNs, lastNs), process, failure);
    }

    /** Reads the counters for the last time, and reports for which time they were read. */
    @Override
    public void close() {
        refresh(clock.nanoTime());
        listener.onEvent(counted());
    }
}
