package org.naklab.lab.studies.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** One simulation and, if it ends in a storm or with losses that stay, others that differ from it in one setting: which of them prevents that? */
public final class RepairStudy {
    private static final int WIDER_BUFFER_BYTES = 8 << 20;
    private static final long LIMIT_BITS_PER_SECOND = 5_000_000;
    private static final int FACTOR = 10;
    /** Aeron's largest {@code aeron.max.resend}. */
    private static final int MAX_RETRANSMITS = 256;

    private RepairStudy() {}

    /**
     * The result of a study.
     *
     * @param remedies other settings with what they did, if there was a storm or something was not recovered
     */
    public record Document(RepairFigures figures, List<Remedied> remedies) {}

    /**
     * The same group with one setting changed.
     *
     * @param setting and its value, in the words of the transport
     * @param prevents whether there is no storm with it, and everything is recovered
     */
    public record Remedied(String setting, boolean prevents, RepairFigures figures) {}

    private record Change(String setting, RepairSettings settings) {}

    /** Simulates; equal arguments give equal results. */
    public static Document run(GroupLoad load, GroupNetwork network, RepairSettings settings, long seed) {
        RepairFigures figures = RepairSimulation.run(load, network, settings, seed);
        if (figures.isHarmless()) {
            return new Document(figures, List.of());
        }
        List<Remedied> remedies = changes(settings, load).parallelStream()
                .map(change -> {
                    RepairFigures remedied = RepairSimulation.run(load, network, change.settings, seed);
                    return new Remedied(change.setting, remedied.isHarmless(), remedied);
                })
                .toList();
        return new Document(figures, remedies);
    }

    /**
     * Simulates the same losses several times, each time with other back-offs and wake-ups.
     *
     * @param lossSeed of the losses, and of the first back-offs and wake-ups
     */
    public static List<RepairFigures> repeat(
            GroupLoad load, GroupNetwork network, RepairSettings settings, long lossSeed, int times) {
        return LongStream.range(lossSeed, lossSeed + times)
                .parallel()
                .mapToObj(timeSeed -> RepairSimulation.run(load, network, settings, lossSeed, timeSeed))
                .toList();
    }

    private static List<Change> changes(RepairSettings settings, GroupLoad load) {
        List<Change> changes = new ArrayList<>();
        if (settings.asking().backOff() instanceof NakBackOff.Optimal optimal
                && optimal.groupSize() < load.traffic().receivers()) {
            changes.add(new Change(
                    "NAK group size " + load.traffic().receivers(),
                    settings.withBackOff(new NakBackOff.Optimal(
                            optimal.maxNs(), load.traffic().receivers()))));
        }
        changes.add(new Change(
                "NAK back-off x " + FACTOR,
                settings.withBackOff(settings.asking().backOff().times(FACTOR))));
        changes.add(new Change(
                "NAK back-off / " + FACTOR,
                settings.withBackOff(settings.asking().backOff().times(1.0 / FACTOR))));
        changes.add(new Change(
                String.format(
                        Locale.ROOT,
                        "ignore interval %d ms",
                        milliseconds(FACTOR * settings.asking().ignoreNs())),
                settings.withIgnoring(
                        FACTOR * settings.asking().ignoreNs(), settings.asking().suppressNs())));
        changes.add(new Change(
                String.format(
                        Locale.ROOT,
                        "ignore interval %d ms",
                        milliseconds(settings.asking().ignoreNs() / FACTOR)),
                settings.withIgnoring(
                        settings.asking().ignoreNs() / FACTOR, settings.asking().suppressNs())));
        changes.add(new Change("max retransmits " + MAX_RETRANSMITS, settings.withMaxRetransmits(MAX_RETRANSMITS)));
        if (settings.answering().retransmitBitsPerSecond() == 0) {
            changes.add(new Change("retransmit limit 5 Mbit/s", settings.withRetransmitLimit(LIMIT_BITS_PER_SECOND)));
        } else {
            long limit = settings.answering().retransmitBitsPerSecond();
            changes.add(new Change("retransmit limit x " + FACTOR, settings.withRetransmitLimit(limit * FACTOR)));
            changes.add(new Change("retransmit limit / " + FACTOR, settings.withRetransmitLimit(limit / FACTOR)));
        }
        if (settings.buffers().receiveBufferBytes() < WIDER_BUFFER_BYTES) {
            changes.add(new Change("receive buffers 8 MiB", settings.withReceiveBuffer(WIDER_BUFFER_BYTES)));
        }
        return changes;
    }

    private static long milliseconds(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
