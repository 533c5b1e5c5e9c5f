package org.naklab.lab.studies.repair;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.experiment.StepListener;
import org.naklab.lab.studies.simulation.GroupNetwork;
import org.naklab.lab.studies.simulation.RepairFigures;
import org.naklab.lab.studies.simulation.RepairSettings;
import org.naklab.lab.studies.simulation.RepairStudy;
import org.naklab.lab.studies.simulation.SleepCycles;

/** Measures how fast each profile repairs the same losses and the same stalls, and simulates the same. */
public final class RepairBench {
    /** Published for random loss of 0.01 %: p99.9 of all messages, µs; aeron-tuning.com, "NAK Timer Tuning". */
    public static final int PUBLISHED_DEFAULT_US = 8_286;

    /** The same with the published settings, µs. */
    public static final int PUBLISHED_TUNED_US = 105;

    private RepairBench() {}

    /**
     * One profile with one load.
     *
     * @param trouble {@code loss} or {@code stall}
     */
    public record Row(RepairArm arm, String trouble, MeasuredRepair measured, RepairFigures simulated) {}

    /** The rows, and what is published for random loss, µs. */
    public record Document(List<Row> rows, int publishedDefaultP999Us, int publishedTunedP999Us) {}

    /**
     * Measures.
     *
     * @param loss random losses, without a stall
     * @param stall stalls without another loss
     * @param progress told what is being done, and what each row found
     */
    public static Document run(RepairLoad loss, RepairLoad stall, long seed, StepListener progress) {
        List<Row> rows = new ArrayList<>();
        for (RepairArm arm : RepairArm.values()) {
            if (loss.lossProbability() > 0) {
                progress.onStep("random loss with " + arm.label());
                add(rows, row(arm, "loss", loss, seed), progress);
            }
            if (stall.stallNs() > 0) {
                progress.onStep("stalls with " + arm.label());
                add(rows, row(arm, "stall", stall, seed), progress);
            }
        }
        return new Document(rows, PUBLISHED_DEFAULT_US, PUBLISHED_TUNED_US);
    }

    private static void add(List<Row> rows, Row row, StepListener progress) {
        rows.add(row);
        MeasuredRepair measured = row.measured();
        progress.onResult(Format.counted(measured.latencies().recovery().count(), "datagram") + " lost, "
                + Format.counted(measured.counts().naksSent(), "NAK") + "; recovery "
                + Format.milliseconds(measured.latencies().recovery().p50Us() / Units.US_PER_MS) + " (median), "
                + Format.milliseconds(measured.latencies().recovery().p99Us() / Units.US_PER_MS) + " (p99)");
    }

    /** Returns how many steps {@link #run} has. */
    public static int steps(RepairLoad loss, RepairLoad stall) {
        return RepairArm.values().length * ((loss.lossProbability() > 0 ? 1 : 0) + (stall.stallNs() > 0 ? 1 : 0));
    }

    /** Measures and simulates one profile with one load. */
    public static Row row(RepairArm arm, String trouble, RepairLoad load, long seed) {
        MeasuredRepair measured = new RepairGroup(arm, load, seed).run();
        return new Row(
                arm, trouble, measured, simulated(arm, load, measured, seed, 1).get(0));
    }

    /**
     * Simulates one profile with the losses of a seed so many times.
     *
     * @param measured a real group, whose threads sleep as long as those of the simulation
     */
    static List<RepairFigures> simulated(
            RepairArm arm, RepairLoad load, MeasuredRepair measured, long seed, int times) {
        SleepCycles sleeps = SleepCycles.of(measured.sleepsNs());
        GroupNetwork network = GroupNetwork.loopback(load.receivers(), sleeps);
        RepairSettings settings = load.receiveBufferBytes() == 0
                ? arm.simulated()
                : arm.simulated().withReceiveBuffer(load.receiveBufferBytes());
        return RepairStudy.repeat(load.simulated(network.receiveNs()), network, settings, seed, times);
    }
}
