package org.naklab.lab.tools.tune;

import java.util.ArrayList;
import java.util.List;

/** Sets what an arm sets of the kernel before each run that another measurement makes, and puts it back after it. */
public final class KernelMeasurement implements Measurement, AutoCloseable {
    private final Measurement run;
    private final KernelFiles kernel = new KernelFiles();

    /**
     * Creates one.
     *
     * @param run measures with what else the arm sets
     */
    public KernelMeasurement(Measurement run) {
        this.run = run;
    }

    @Override
    public Sample measure(Arm arm, long seed) throws InterruptedException {
        try {
            List<String> proof = kernel.set(arm.kernelFiles());
            Sample measured = run.measure(arm, seed);
            List<String> missing = new ArrayList<>(KernelFiles.missing(arm.kernelFiles()));
            missing.addAll(HugePages.missing(arm, measured.cost().hugePageBytes()));
            return measured.with(proof, missing);
        } finally {
            kernel.restore();
        }
    }

    /** Puts back what the kernel was set to. */
    @Override
    public void close() {
        kernel.close();
    }
}
