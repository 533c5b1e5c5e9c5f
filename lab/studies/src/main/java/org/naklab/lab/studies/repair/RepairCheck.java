package org.naklab.lab.studies.repair;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import org.naklab.lab.core.experiment.StepListener;
import org.naklab.lab.studies.simulation.RepairFigures;

/** Checks the simulation against groups of real receivers: both meet the same losses and the same stalls. */
public final class RepairCheck {
    /** A figure of the simulation may differ from the measured one by this share of it. */
    public static final double TOLERANCE = 0.2;

    private static final int SIMULATIONS = 20;

    private RepairCheck() {}

    /**
     * One figure of one group.
     *
     * @param trouble {@code loss} or {@code stall}
     * @param figure what is compared
     */
    public record Deviation(
            int receivers, RepairArm arm, String trouble, String figure, double measured, double simulated) {
        /** Returns the simulated figure divided by the measured one; 1 if both are 0. */
        public double ratio() {
            return measured == 0 ? (simulated == 0 ? 1 : Double.POSITIVE_INFINITY) : simulated / measured;
        }

        /** Returns whether both differ by no more than {@link #TOLERANCE}. */
        public boolean isWithin() {
            return Math.abs(ratio() - 1) <= TOLERANCE;
        }
    }

    /** Returns how many steps {@link #run} has. */
    public static int steps(List<Integer> sizes) {
        return sizes.size() * RepairArm.values().length;
    }

    /**
     * Measures and simulates groups of each size.
     *
     * @param loss the load with random losses of a group of that size
     * @param stall the load with stalls of a group of that size
     * @param progress told of each group before it begins, and how many of its figures agree
     */
    public static List<Deviation> run(
            List<Integer> sizes,
            IntFunction<RepairLoad> loss,
            IntFunction<RepairLoad> stall,
            long seed,
            StepListener progress) {
        List<Deviation> deviations = new ArrayList<>();
        for (int receivers : sizes) {
            for (RepairArm arm : RepairArm.values()) {
                progress.onStep(arm.label() + ", " + receivers + " receivers");
                List<Deviation> ofGroup = new ArrayList<>(of(arm, "loss", loss.apply(receivers), seed));
                ofGroup.addAll(of(arm, "stall", stall.apply(receivers), seed));
                deviations.addAll(ofGroup);
                progress.onResult(ofGroup.stream().filter(Deviation::isWithin).count() + " of " + ofGroup.size()
                        + " figures agree");
            }
        }
        return deviations;
    }

    /**
     * Measures a group once and simulates it {@value #SIMULATIONS} times with the same losses. A real group draws its back-offs once; the mean of many
     * draws is what the simulation expects.
     */
    static List<Deviation> of(RepairArm arm, String trouble, RepairLoad load, long seed) {
        MeasuredRepair measured = new RepairGroup(arm, load, seed).run();
        List<RepairFigures> simulated = RepairBench.simulated(arm, load, measured, seed, SIMULATIONS);
        List<Deviation> deviations = new ArrayList<>();
        Adder adder = new Adder(deviations, load.receivers(), arm, trouble, simulated);
        adder.add("lost", (double) measured.latencies().recovery().count(), each ->
                (double) each.outcome().recovery().count());
        adder.add("NAKs", (double) measured.counts().naksSent(), each ->
                (double) each.naks().naksSent());
        adder.add("retransmits", (double) measured.counts().retransmits(), each ->
                (double) each.answers().retransmits());
        adder.add("datagrams again", (double) measured.counts().retransmittedDatagrams(), each ->
                (double) each.answers().retransmittedDatagrams());
        adder.add("recovery p50, us", measured.latencies().recovery().p50Us(), each -> each.outcome()
                .recovery()
                .p50Us());
        adder.add("recovery p99, us", measured.latencies().recovery().p99Us(), each -> each.outcome()
                .recovery()
                .p99Us());
        return deviations;
    }

    /** Adds the figures of one group: the mean of the simulations. */
    private record Adder(
            List<Deviation> deviations, int receivers, RepairArm arm, String trouble, List<RepairFigures> simulated) {
        void add(String figure, double measured, ToDoubleFunction<RepairFigures> ofSimulation) {
            deviations.add(new Deviation(
                    receivers,
                    arm,
                    trouble,
                    figure,
                    measured,
                    simulated.stream().mapToDouble(ofSimulation).average().orElse(0)));
        }
    }
}
