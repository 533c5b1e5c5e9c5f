package org.naklab.lab.records;

import java.util.Map;

/**
 * The settings of the machine and its kernel on which latencies depend. A text is empty, a number 0 and a map without entries if the kernel does not report it.
 *
 * @param commandLine of the kernel
 * @param preemption the preemption model: none, voluntary, lazy, full or rt
 * @param tickHz of the scheduler's tick, Hz
 * @param governor of the frequency of the CPUs
 * @param hugePages when the kernel uses transparent huge pages: always, madvise or never
 * @param irqAffinity how many device interrupts may run on which list of CPUs
 * @param isolatedCpus a list of CPUs such as 2-3
 * @param ticklessCpus a list of CPUs
 * @param mitigations by vulnerability of this processor, what the kernel does about it
 * @param hypervisor its name; none on a machine without one
 */
public record LatencySettingsRecord(
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
    public LatencySettingsRecord {
        commandLine = Absent.orEmpty(commandLine);
        preemption = Absent.orEmpty(preemption);
        governor = Absent.orEmpty(governor);
        hugePages = Absent.orEmpty(hugePages);
        irqAffinity = Absent.orNone(irqAffinity);
        isolatedCpus = Absent.orEmpty(isolatedCpus);
        ticklessCpus = Absent.orEmpty(ticklessCpus);
        mitigations = Absent.orNone(mitigations);
        hypervisor = Absent.orEmpty(hypervisor);
    }
}
