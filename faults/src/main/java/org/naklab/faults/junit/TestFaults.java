package org.naklab.faults.junit;

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

    /** The plan, with the seed that this run uses. */
    public FaultPlan plan() {
        return plan;
    }

    /** Replaces the declared plan. Before {@link #start()}. */
    public void plan(FaultPlan newPlan) {
        if (loaded) {
            throw new FaultException("the plan has been started");
        }
        plan = ReplaySeed.apply(newPlan);
    }

    /** Where the test offers seams. */
    public FaultSite site() {
        return runner.controller().site();
    }

    /** A seam for Aeron's channel endpoints, offered under the name that plans take by default. */
    public DatagramSeam datagrams() {
        return site().offer(DatagramSeam.NAME, new DatagramSeam());
    }

    /** A checkpoint, offered under a name. */
    public Checkpoint checkpoint(String name) {
        return site().offer(name, new Checkpoint());
    }

    /**
     * The plan's time begins. Faults that are due at once are armed when this returns.
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

    /** One more fault, now. */
    public void add(FaultSpec spec) {
        controller().add(spec);
        controller().poll();
    }

    /** Something that faults of the plan wait for has happened. */
    public void trigger(String name) {
        controller().trigger(name);
        controller().poll();
    }

    /** {@link Fault#disarm()}. */
    public FaultProof disarm(String id) {
        return controller().disarm(id);
    }

    /** What a fault has done so far. */
    public FaultProof proof(String id) {
        return controller().proof(id);
    }

    private FaultController controller() {
        return runner.controller();
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
