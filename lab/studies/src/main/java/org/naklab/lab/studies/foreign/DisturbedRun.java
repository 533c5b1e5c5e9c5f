package org.naklab.lab.studies.foreign;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.RunProgress;

/**
 * Starts the script of a disturbance as soon as a run reports that its counted window has begun. For use by the thread of the run.
 */
final class DisturbedRun implements RunListener, AutoCloseable {
    /** What a script may take beyond its length: to measure, to start a program of the JDK, to undo. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(20);

    private final DisturbanceScript script;
    private final Disturbance disturbance;
    private final long beginNs;
    private @Nullable AskedProcess running;
    private @Nullable Long flowEndedNs;

    /**
     * Creates the disturbance of a run that has not begun.
     *
     * @param beginNs when the counted window begins, ns since the begin of the flow
     */
    DisturbedRun(DisturbanceScript script, Disturbance disturbance, long beginNs) {
        this.script = script;
        this.disturbance = disturbance;
        this.beginNs = beginNs;
    }

    @Override
    public void onReady(String process, long pid, int grantedReceiveBufferBytes) {
        script.set("PID_" + process.toUpperCase(Locale.ROOT).replace('-', '_'), String.valueOf(pid));
    }

    @Override
    public void onProgress(RunProgress progress) {
        if (running == null && progress.elapsedNs() >= beginNs) {
            running = script.disturb();
        }
    }

    /** Tells the script that the flow has ended. A disturbance that still lasts is undone by its script. */
    @Override
    public void onWindingDown(String what) {
        if (flowEndedNs == null) {
            flowEndedNs = System.nanoTime();
        }
        if (running != null) {
            running.endInput();
        }
    }

    /** Waits for the end of the script, after the end of the flow, and returns its proof. */
    Proof proof() throws InterruptedException {
        AskedProcess run = running;
        if (run == null) {
            return Proof.notMade("the flow ended before the disturbance could begin");
        }
        if (!run.finish(disturbance.lengthNs() + GRACE_NS)) {
            return Proof.notMade("the script did not end in time");
        }
        Proof proof = script.proofOf(run);
        return flowEndedNs == null ? proof : proof.beforeEndOf(flowEndedNs);
    }

    @Override
    public void close() {
        if (running != null) {
            running.close();
        }
    }
}
