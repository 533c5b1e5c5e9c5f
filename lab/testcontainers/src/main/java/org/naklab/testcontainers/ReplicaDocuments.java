package org.naklab.testcontainers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.threads.DutyCycleInstrument;

/**
 * The configurations of the processes of the replica, as far as a test sets them. The image has the replica; this class path has not, and so
 * it has the documents instead of the replica's types. What is left out is the replica's default. A test compares both.
 */
final class ReplicaDocuments {
    private static final int BASE_PORT = 20_200;
    private static final int INSTRUMENTS = 8;
    private static final int RING_SLOTS = 1 << 16;
    private static final long SNAPSHOT_BITS_PER_SECOND = 10_000_000;
    private static final long RATE_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Ramp-up of the rate, ns: at first, the JVMs of the receivers still compile. */
    private static final long GENTLE_START_NS = TimeUnit.SECONDS.toNanos(1);

    private ReplicaDocuments() {}

    /** The multicast channels of a process, on the interface that its host name resolves to. */
    record Channels(String networkInterface, int ttl, int basePort) {}

    /** The transport of a process. */
    record Transport(
            String name,
            Channels channels,
            String profile,
            String aeronDirectory,
            long seed,
            long stallThresholdNs,
            String idle) {
        static Transport of(String process, long seed) {
            return new Transport(
                    process,
                    new Channels(process, 1, BASE_PORT),
                    "LBTRM",
                    "/dev/shm/naklab/aeron",
                    seed,
                    DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS,
                    "BACKOFF");
        }
    }

    /** An exchange with a synthetic flow. */
    record Exchange(
            Transport transport,
            int instruments,
            String arrival,
            long eventsPerSecond,
            long gentleStartNs,
            long durationNs) {
        static Exchange of(String process, long seed, long eventsPerSecond, Duration duration) {
            return new Exchange(
                    Transport.of(process, seed),
                    INSTRUMENTS,
                    "CONSTANT",
                    eventsPerSecond,
                    GENTLE_START_NS,
                    duration.toNanos());
        }
    }

    /** A subscriber: a service if it has a journal, otherwise a gateway. */
    record Subscriber(
            Transport transport,
            String role,
            @Nullable String journalDirectory,
            String lossReportFile,
            int ringSlots,
            String rateLimiting,
            long snapshotBitsPerSecond,
            long rateIntervalNs) {
        static Subscriber of(String process, long seed, @Nullable String journalVolume) {
            return new Subscriber(
                    Transport.of(process, seed),
                    journalVolume == null ? "GATEWAY" : "SERVICE",
                    journalVolume == null ? null : journalVolume + "/journal",
                    (journalVolume == null ? "/tmp" : journalVolume) + "/loss-report.dat",
                    RING_SLOTS,
                    "TRANSPORT",
                    SNAPSHOT_BITS_PER_SECOND,
                    RATE_INTERVAL_NS);
        }
    }
}
