package org.naklab.lab.studies.simulation;

import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.experiment.StepListener;
import org.naklab.messaging.TransportProfile;

/** Simulates the same troubles, from mild to severe, in groups of growing size: from which on is there a storm, and which settings prevent it? */
public final class StormStudy {
    private static final long DATAGRAMS_PER_SECOND = 5_000;
    /** The datagrams of the replica are that large, with Aeron's header. */
    private static final int DATAGRAM_BYTES = 128;

    private static final long DURATION_NS = TimeUnit.SECONDS.toNanos(5);

    private StormStudy() {}

    /** Tells what goes wrong in the group. */
    public enum Trouble {
        /** One receiver stalls once. */
        ONE_SLOW_RECEIVER,
        /** Datagrams are lost before they reach the switch, for all receivers. */
        CORRELATED_LOSS;

        /** Returns the word of documents. */
        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Tells what goes wrong, and how much of it.
     *
     * @param stallNs length of the slow receiver's stall, ns; 0: there is none
     * @param lossProbability of each datagram, for all receivers
     */
    public record Severity(Trouble trouble, long stallNs, double lossProbability) {
        /** All of them, those of one trouble from mild to severe. */
        static final List<Severity> ALL =
                List.of(stall(150), stall(600), stall(3_000), loss(0.001), loss(0.01), loss(0.05));

        private static Severity stall(long ms) {
            return new Severity(Trouble.ONE_SLOW_RECEIVER, TimeUnit.MILLISECONDS.toNanos(ms), 0);
        }

        private static Severity loss(double probability) {
            return new Severity(Trouble.CORRELATED_LOSS, 0, probability);
        }

        /** Returns it for people, such as {@code 150 ms} or {@code 0.1 %}. */
        public String label() {
            return stallNs > 0
                    ? Format.count(TimeUnit.NANOSECONDS.toMillis(stallNs)) + " ms"
                    : BigDecimal.valueOf(100 * lossProbability)
                                    .stripTrailingZeros()
                                    .toPlainString() + " %";
        }
    }

    /**
     * One group.
     *
     * @param figures of the simulation
     * @param prevents settings that, changed alone, prevent the storm or the loss; empty if there is neither, or if none does
     */
    public record Row(
            Severity severity, TransportProfile profile, int receivers, RepairFigures figures, List<String> prevents) {
        /** Returns the word of documents for the profile. */
        public String profileLabel() {
            return labelOf(profile);
        }

        /** Returns what the group did, in one line for people. */
        String sentence() {
            return "at most " + Format.count(peakPerSecond()) + " NAKs and repeated datagrams a second"
                    + (figures.hasStorm()
                            ? ": a storm"
                            : figures.outcome().unrecovered() > 0 ? "; not all was recovered" : "")
                    + (prevents.isEmpty() ? "" : ", prevented by " + String.join(", ", prevents));
        }

        /** Returns the most NAKs and repeated datagrams in 100 ms, per second. */
        public long peakPerSecond() {
            return figures.answers().peakNaksPerSecond() + figures.answers().peakRetransmittedPerSecond();
        }

        /** Returns the most NAKs and repeated datagrams over 100 ms, as a multiple of the datagrams of the feed. */
        public double peakShareOfFeed() {
            return (double) peakPerSecond() / DATAGRAMS_PER_SECOND;
        }
    }

    /** Returns how many rows a study of these groups has; each is a step. */
    public static int rows(List<Integer> groups) {
        return Severity.ALL.size() * TransportProfile.values().length * groups.size();
    }

    /**
     * Simulates all groups; equal arguments give equal results.
     *
     * @param groups numbers of receivers
     * @param readNs time of a receiver for one datagram, ns
     * @param progress told of each group before it begins, and what it did
     * @return ordered by severity, profile and size of the group
     */
    public static List<Row> run(List<Integer> groups, long readNs, long seed, StepListener progress) {
        List<Row> rows = new ArrayList<>();
        for (Severity severity : Severity.ALL) {
            for (TransportProfile profile : TransportProfile.values()) {
                for (int receivers : groups) {
                    progress.onStep(severity.trouble().label() + " " + severity.label() + ", " + labelOf(profile) + ", "
                            + Format.counted(receivers, "receiver"));
                    Row row = row(severity, profile, receivers, readNs, seed);
                    rows.add(row);
                    progress.onResult(row.sentence());
                }
            }
        }
        return rows;
    }

    private static String labelOf(TransportProfile profile) {
        return profile.name().toLowerCase(Locale.ROOT);
    }

    private static Row row(Severity severity, TransportProfile profile, int receivers, long readNs, long seed) {
        RepairStudy.Document study = RepairStudy.run(
                load(severity, receivers, readNs),
                GroupNetwork.DEFAULT.withReceiveNs(readNs),
                RepairSettings.of(profile),
                seed);
        return new Row(
                severity,
                profile,
                receivers,
                study.figures(),
                study.remedies().stream()
                        .filter(RepairStudy.Remedied::prevents)
                        .map(RepairStudy.Remedied::setting)
                        .toList());
    }

    private static GroupLoad load(Severity severity, int receivers, long readNs) {
        return new GroupLoad(
                new GroupLoad.Traffic(
                        receivers,
                        DATAGRAMS_PER_SECOND,
                        DATAGRAM_BYTES,
                        GroupLoad.memoryBytes(DATAGRAM_BYTES),
                        DURATION_NS),
                new GroupLoad.Loss(0, severity.lossProbability(), 1, 1),
                new GroupLoad.Slow(severity.stallNs() > 0 ? 1 : 0, severity.stallNs(), 0, readNs));
    }
}
