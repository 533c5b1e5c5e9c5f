package org.naklab.faults.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultRunner;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.seam.Checkpoint;

/**
 * The faults of one test: offer seams, then {@link #start()}. A test takes it as a parameter; the extension disarms it.
 *
 * <p>The process of a plan's faults is the test itself, named {@value #PROCESS}; leave {@code on} out, or use that.
 */
public final class TestFaults implements AutoCloseable {
    /** The name of the test's process. */
    public static final String PROCESS = "test";

    private final FaultRunner runner;
    private FaultPlan plan;
    private boolean loaded;

    TestFaults(FaultPlan plan) {
        this.plan = plan;
        runner = FaultRunner.launch(new FaultController(new FaultSite(PROCESS)));
    }

    /** Returns the plan, with the seed that this run uses. */
    public FaultPlan plan() {
        return plan;
    }

    /**
     * Replaces the declared plan.
     *
     * @throws FaultException if {@link #start()} was called
     */
    public void plan(FaultPlan newPlan) {
        if (loaded) {
            throw new FaultException("the plan has been started");
        }
        plan = ReplaySeed.apply(newPlan);
    }

    /** Returns the site, for seams of other types: {@code site().offer(name, seam)}. */
    public FaultSite site() {
        return runner.controller().site();
    }

    /**
     * Returns the seam for Aeron's channel endpoints, which has the name that plans use by default. Give both of its suppliers to the
     * context of the media driver.
     *
     * @return the same seam at each call
     */
    public DatagramSeam datagrams() {
        return seam(DatagramSeam.class, DatagramSeam.NAME, DatagramSeam::new);
    }

    /**
     * Returns the checkpoint of a name, for a thread to pass.
     *
     * @param name as in the plan
     * @return the same checkpoint at each call with this name
     */
    public Checkpoint checkpoint(String name) {
        return seam(Checkpoint.class, name, Checkpoint::new);
    }

    private synchronized <T> T seam(Class<T> type, String name, Supplier<T> newSeam) {
        return site().offers(type, name) ? site().seam(type, name) : site().offer(name, newSeam.get());
    }

    /**
     * Starts the plan. Faults that are due at once are armed when this returns.
     *
     * @throws FaultException if the test does not offer what the plan needs
     */
    public void start() {
        if (!loaded) {
            loaded = true;
            controller().load(plan);
        }
        controller().start();
        controller().poll();
    }

    /** Adds a fault to the running plan. */
    public void add(FaultSpec spec) {
        controller().add(spec);
        controller().poll();
    }

    /** Fires a trigger that faults of the plan wait for. */
    public void trigger(String name) {
        controller().trigger(name);
        controller().poll();
    }

    /**
     * Disarms a fault, see {@link Fault#disarm()}.
     *
     * @param id of the fault in the plan; its kind, if the plan gives none
     * @return its proof
     */
    public FaultProof disarm(String id) {
        return controller().disarm(id);
    }

    /**
     * Returns what a fault has done so far.
     *
     * @param id of the fault in the plan; its kind, if the plan gives none
     */
    public FaultProof proof(String id) {
        return controller().proof(id);
    }

    private FaultController controller() {
        return runner.controller();
    }

    /** Returns for each fault, of the plan or added, that did not fire one line with the reason. */
    List<String> unfired() {
        Map<String, FaultProof> proofs = controller().proofs();
        List<String> unfired = new ArrayList<>();
        for (FaultSpec spec : plan.faults()) {
            FaultProof proof = proofs.get(spec.id());
            if (!loaded) {
                unfired.add(spec.id() + ": start() of TestFaults was not called");
            } else if (proof == null) {
                unfired.add(
                        spec.id() + ": it is for the process " + spec.on() + ", and the test's is named " + PROCESS);
            } else if (!proof.fired()) {
                unfired.add(spec.id() + ": " + proof.explanation());
            }
            proofs.remove(spec.id());
        }
        proofs.forEach((id, proof) -> {
            if (!proof.fired()) {
                unfired.add(id + ": " + proof.explanation());
            }
        });
        return unfired;
    }

    /** Seed, proofs and the way to run the test again with them. */
    String report(String testName) {
        StringBuilder report = new StringBuilder("Faults of " + testName + ", seed " + plan.seed() + '\n');
        controller().proofs().forEach((id, proof) -> report.append("  ")
                .append(id)
                .append(proof.fired() ? ": fired: " : ": did not fire: ")
                .append(proof.explanation())
                .append(' ')
                .append(proof.figures())
                .append('\n'));
        return report.append("  plan: ")
                .append(plan.toJson())
                .append("\n  replay: run the test with -D")
                .append(ReplaySeed.PROPERTY)
                .append('=')
                .append(plan.seed())
                .toString();
    }

    /** Disarms everything. */
    @Override
    public void close() {
        runner.close();
    }
}
