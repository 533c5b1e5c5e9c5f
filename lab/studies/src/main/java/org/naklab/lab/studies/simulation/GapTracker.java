package org.naklab.lab.studies.simulation;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Measures how long datagrams of a real receiver were missing, by the rules of the simulation. */
public final class GapTracker {
    private static final long MAX_US = TimeUnit.SECONDS.toMicros(60);

    private final Histogram recoveryUs = new Histogram(MAX_US, 3);
    private final SimulatedReceiver receiver =
            new SimulatedReceiver(0, Integer.MAX_VALUE, (found, sinceNs, datagrams) -> record(sinceNs, datagrams));
    private long nowNs;

    /** Takes a datagram that came in, the first or a further time. */
    public void onDatagram(int number, long timeNs) {
        nowNs = timeNs;
        receiver.accept(number, number + 1, timeNs);
    }

    /** Takes a heartbeat, which tells the number after that of the newest datagram. */
    public void onHeartbeat(int end, long timeNs) {
        nowNs = timeNs;
        receiver.hear(end, timeNs);
    }

    /** Returns how many datagrams before that number have not come in. */
    public int missing(int end) {
        return receiver.missing(end);
    }

    /** Returns the times of repaired datagrams, from the moment at which a later one came in, µs. */
    public Histogram recoveryUs() {
        return recoveryUs;
    }

    private void record(long sinceNs, int datagrams) {
        recoveryUs.recordValueWithCount(Math.min(TimeUnit.NANOSECONDS.toMicros(nowNs - sinceNs), MAX_US), datagrams);
    }
}
