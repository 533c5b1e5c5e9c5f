package org.naklab.lab.report.live;

import java.util.List;
import java.util.Locale;

/** The strips of a page, in their order. */
enum StripKind {
    DEPTH("Socket depth", "KiB", "what waits in the receive buffer of each socket; dashed: the most that fits"),
    HEADROOM(
            "Headroom of the socket", "ms", "how long the receive buffer would take to fill up if nobody read from it"),
    DROPS("Datagrams dropped", "datagrams", "the kernel had no room for them"),
    SILENCE(
            "Silence of the receipt threads",
            "ms",
            "time since the thread last asked for datagrams, while it does not ask"),
    NAKS("NAKs and repairs", "messages", "a receiver asks for what it missed (NAK), and the exchange sends it again"),
    PERCENTILES(
            "Latency, four times a second",
            "ms",
            "how late events came into the order books: half of them (50 %), 99 of 100 and 999 of 1,000 came sooner than the line"),
    FAULTS(
            "Page faults that wait for the disk",
            "faults",
            "a receipt thread touched memory that must first be read from disk"),
    MEMORY("Memory", "MiB", "free memory, and what the kernel keeps of files"),
    BLOCKED("Blocked sends", "sends", "sends that the rate limiter refused, told at the end of each of its intervals"),
    LATENCY("Latency", "ms", "the longest from when an event was due until it was in the order books"),
    RATE("Events", "events/s", "how many pass each stage, told four times a second"),
    TRAFFIC(
            "Traffic",
            "KiB",
            "what the exchange sends and what the receivers take from their sockets, in each column of pixels"),
    QUEUES(
            "Queues in the service",
            "events",
            "what waits in the ring, the queue from the receipt thread to the order books, and for the journal, the record of all events");

    static final double BYTES_PER_KIB = 1 << 10;
    static final double BYTES_PER_MIB = 1 << 20;

    private final String title;
    private final String unit;
    private final String what;

    StripKind(String title, String unit, String what) {
        this.title = title;
        this.unit = unit;
        this.what = what;
    }

    /** Returns the strip with its lines. */
    Strip of(List<StripLine> lines) {
        return new Strip(name().toLowerCase(Locale.ROOT), title, unit, what, lines);
    }
}
