package org.naklab.lab.bench.simulation;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.naklab.messaging.TransportProfile;

/** Simulates the same trouble in groups of growing size: from how many receivers on is it a storm, and which settings prevent it? */
public final class StormStudy {
    private static final long DATAGRAMS_PER_SECOND = 5_000;
    private static final int DATAGRAM_BYTES = 256;
    private static final long DURATION_NS = TimeUnit.SECONDS.toNanos(2);
    private static final double CORRELATED_LOSS = 0.001;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long STALL_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

    private StormStudy() {}

    /** What goes wrong in the group. */
    public enum Trouble {
        /** One receiver stalls for 150 ms in each second. */
        ONE_SLOW_RECEIVER,
        /** One datagram in a thousand is lost before it reaches the switch, for all receivers. */
        CORRELATED_LOSS;

        /** Returns the word of documents. */
        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * One group.
     *
     * @param figures of the simulation
     * @param prevents settings that, changed alone, prevent the storm or the loss; empty if there is neither, or if none does
     */
    public record Row(
            Trouble trouble, TransportProfile profile, int receivers, RepairFigures figures, List<String> prevents) {
        /** Returns the most NAKs and repeated datagrams over 100 ms, as a multiple of the datagrams of the feed. */
        public double peakShareOfFeed() {
            return (double) (figures.peakNaksPerSecond() + figures.peakRetransmittedPerSecond()) / DATAGRAMS_PER_SECOND;
        }
    }

    /**
     * Simulates all groups; equal arguments give equal results.
     *
     * @param groups numbers of receivers
     * @param readNs time of a receiver for one datagram, ns
     * @param progress told of each group before it begins
     */
    public static List<Row> run(List<Integer> groups, long readNs, long seed, Consumer<String> progress) {
        List<Row> rows = new ArrayList<>();
        for (Trouble trouble : Trouble.values()) {
            for (TransportProfile profile : TransportProfile.values()) {
                for (int receivers : groups) {
                    progress.accept(trouble.label() + ", " + profile + ", " + receivers);
                    rows.add(row(trouble, profile, receivers, readNs, seed));
                }
            }
        }
        return rows;
    }

    private static Row row(Trouble trouble, TransportProfile profile, int receivers, long readNs, long seed) {
        RepairStudy.Document study = RepairStudy.run(
                load(trouble, receivers, readNs),
                GroupNetwork.DEFAULT.withReceiveNs(readNs),
                RepairSettings.of(profile),
                seed);
        return new Row(
                trouble,
                profile,
                receivers,
                study.figures(),
                study.remedies().stream()
                        .filter(RepairStudy.Remedied::prevents)
                        .map(RepairStudy.Remedied::setting)
                        .toList());
    }

    private static GroupLoad load(Trouble trouble, int receivers, long readNs) {
        boolean isSlow = trouble == Trouble.ONE_SLOW_RECEIVER;
        return new GroupLoad(
                receivers,
                DATAGRAMS_PER_SECOND,
                DATAGRAM_BYTES,
                GroupLoad.memoryBytes(DATAGRAM_BYTES),
                DURATION_NS,
                0,
                isSlow ? 0 : CORRELATED_LOSS,
                1,
                1,
                isSlow ? 1 : 0,
                isSlow ? STALL_NS : 0,
                isSlow ? STALL_EVERY_NS : 0,
                readNs);
    }
}
