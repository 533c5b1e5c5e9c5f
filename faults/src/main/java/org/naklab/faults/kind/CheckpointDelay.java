package org.naklab.faults.kind;

import java.util.SplittableRandom;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;
import org.naklab.faults.seam.Checkpoint;

/** Delays a thread at a checkpoint: what stall, slow callback and slow journal have in common. */
final class CheckpointDelay implements Fault {
    private final Checkpoint checkpoint;
    private final String place;
    private final long delayNs;
    private final double probability;
    private final SplittableRandom random;
    private final ProofLog log = new ProofLog();
    private final Runnable obstacle = this::onPass;
    private long delaysLeft;
    private long passes;

    CheckpointDelay(Checkpoint checkpoint, String place, long delayNs, double probability, long maxDelays, long seed) {
        this.checkpoint = checkpoint;
        this.place = place;
        this.delayNs = delayNs;
        this.probability = probability;
        random = new SplittableRandom(seed);
        delaysLeft = maxDelays;
    }

    @Override
    public void arm() {
        checkpoint.install(obstacle);
    }

    /** On the thread that passes. Synchronized only because more than one thread may pass, as with callbacks. */
    private void onPass() {
        long beginNs = System.nanoTime();
        if (takesDelay()) {
            PreciseDelay.until(beginNs + delayNs);
            log.fired(beginNs, System.nanoTime(), Thread.currentThread().getName());
        }
    }

    private synchronized boolean takesDelay() {
        passes++;
        if (delaysLeft == 0 || random.nextDouble() >= probability) {
            return false;
        }
        delaysLeft--;
        return true;
    }

    @Override
    public void disarm() {
        checkpoint.remove(obstacle);
    }

    @Override
    public synchronized FaultProof proof() {
        log.set("passes", passes);
        log.set("delayNs", delayNs);
        return log.proof(
                "held a thread up at " + place, passes == 0 ? "no thread came by " + place : "no delay was due");
    }
}
