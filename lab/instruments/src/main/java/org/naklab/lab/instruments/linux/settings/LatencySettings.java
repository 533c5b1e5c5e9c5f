package org.naklab.lab.instruments.linux.settings;

import java.util.Map;

/**
 * The settings of the machine and its kernel on which latencies depend. A text is empty, a number 0 and a map without entries if the kernel does not report it.
 *
 * @param commandLine of the kernel
 * @param preemption the preemption model: {@code none}, {@code voluntary}, {@code lazy}, {@code full} or {@code rt}
 * @param tickHz of the scheduler's tick, Hz
 * @param governor of the frequency of the CPUs; several if they differ; empty if the machine has no such control
 * @param hugePages when the kernel uses transparent huge pages: {@code always}, {@code madvise} or {@code never}
 * @param irqAffinity how many device interrupts may run on which list of CPUs
 * @param isolatedCpus the CPUs that the scheduler leaves alone, a list such as {@code 2-3}
 * @param ticklessCpus the CPUs whose tick stops while one thread runs ({@code nohz_full}), a list
 * @param mitigations by vulnerability of this processor, what the kernel does about it
 * @param hypervisor its name; {@code none} on a machine without one
 */
public record LatencySettings(
        String commandLine,
        String preemption,
        int tickHz,
        String governor,
        String hugePages,
        Map<String, Integer> irqAffinity,
        String isolatedCpus,
        String ticklessCpus,
        Map<String, String> mitigations,
        String hypervisor) {
    /** Returns the settings of this machine. */
    public static LatencySettings read() {
        return LatencySettingsReader.ofThisMachine().read();
    }
}
