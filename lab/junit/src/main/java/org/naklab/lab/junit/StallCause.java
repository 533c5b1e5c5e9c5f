package org.naklab.lab.junit;

import org.naklab.lab.diagnosis.Cause;

/** Lists what a machine that others use too may do to the receivers of a test, for {@link WatchReceive#except()}. */
public enum StallCause {
    /** Other threads had the CPU. */
    CPU_PREEMPTION,
    /** The quota of the control group was used up. */
    CPU_THROTTLED,
    /** The hypervisor had taken the CPU, or the machine stood still. */
    MACHINE_STALLED,
    /** The kernel handled interrupts on the CPU. */
    KERNEL_INTERFERENCE,
    /** The thread waited for memory. */
    MEMORY_PRESSURE,
    /** A page came from a disk. */
    MAJOR_FAULT,
    /** The thread waited for a disk or a file system. */
    DISK_WAIT;

    Cause cause() {
        return Cause.valueOf(name());
    }
}
