package org.naklab.lab.tools.tune;

import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import org.naklab.lab.core.KernelFields;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.tools.tune.workload.Figure;

/**
 * Tells what a process gets of the processors, whatever its JVM believes.
 *
 * @param processors on which it may run
 * @param quota processors' worth of time; empty: no limit
 */
record ProcessorShare(String processors, OptionalDouble quota) {
    private static final int PERCENT = 100;

    /** Reads that of this process. */
    static ProcessorShare own() throws IOException {
        String allowed = KernelFields.read(KernelFields.OWN_STATUS).text("Cpus_allowed_list");
        return new ProcessorShare(
                allowed,
                CgroupPaths.firstProcessorQuota(
                        CgroupPaths.ofController(ProcessHandle.current().pid(), CgroupPaths.CPU)));
    }

    /** Returns the processors' worth of time that it gets at most. */
    double given() {
        return Math.min(ThreadAffinity.parse(processors).size(), quota.orElse(Double.MAX_VALUE));
    }

    /** Returns what the JVM believes to have, and what it gets. */
    List<Figure> figures() {
        return List.of(
                new Figure(
                        "processors believed, %",
                        PERCENT * (double) Runtime.getRuntime().availableProcessors()),
                new Figure("processors given, %", PERCENT * given()));
    }
}
