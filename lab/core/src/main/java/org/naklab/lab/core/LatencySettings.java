package org.naklab.lab.core;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the machine and its kernel on which latencies depend. A text is empty, a number 0 and a map without entries if the kernel does not report it, or an older version did not write it.
 *
 * @param commandLine of the kernel
 * @param mitigations by vulnerability of this processor, what the kernel does about it
 * @param hypervisor its name; {@code none} on a machine without one
 */
public record LatencySettings(
        String commandLine,
        @JsonUnwrapped Kernel kernel,
        @JsonUnwrapped Cpus cpus,
        Map<String, String> mitigations,
        String hypervisor) {
    /**
     * Tells what holds for all CPUs.
     *
     * @param preemption the preemption model: {@code none}, {@code voluntary}, {@code lazy}, {@code full} or {@code rt}
     * @param tickHz of the scheduler's tick, Hz
     * @param governor of the frequency of the CPUs; several if they differ; empty if the machine has no such control
     * @param hugePages when the kernel uses transparent huge pages: {@code always}, {@code madvise} or {@code never}
     */
    public record Kernel(String preemption, int tickHz, String governor, String hugePages) {
        /** Replaces what is absent. */
        public Kernel {
            preemption = orEmpty(preemption);
            governor = orEmpty(governor);
            hugePages = orEmpty(hugePages);
        }
    }

    /**
     * Tells which CPUs do what.
     *
     * @param irqAffinity how many device interrupts may run on which list of CPUs
     * @param isolatedCpus the CPUs that the scheduler leaves alone, a list such as {@code 2-3}
     * @param ticklessCpus the CPUs whose tick stops while one thread runs ({@code nohz_full}), a list
     */
    public record Cpus(Map<String, Integer> irqAffinity, String isolatedCpus, String ticklessCpus) {
        /** Replaces what is absent. */
        public Cpus {
            irqAffinity = irqAffinity == null ? Map.of() : irqAffinity;
            isolatedCpus = orEmpty(isolatedCpus);
            ticklessCpus = orEmpty(ticklessCpus);
        }
    }

    /** Replaces what is absent. */
    public LatencySettings {
        commandLine = orEmpty(commandLine);
        mitigations = mitigations == null ? Map.of() : mitigations;
        hypervisor = orEmpty(hypervisor);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
