package org.naklab.lab.diagnosis;

import java.util.Locale;
import org.naklab.lab.core.account.AccountKind;

/** The causes that a diagnosis distinguishes. */
public enum Cause {
    LATE_BINDING_MAJOR_FAULT(
            "bind early (LD_BIND_NOW=1) and keep the pages (mlock, pre-touch); or limit the rate in the application",
            "perf record -e major-faults -g on the receipt thread: the stack shows _dl_runtime_resolve"),
    LATE_BINDING_DELAY(
            "bind early: LD_BIND_NOW=1 for the service; or limit the rate in the application",
            "the same seed with --remedy bind-now: the delay moves to the start"),
    LATE_BINDING_SIMULATED(
            "find out why the code of the yield parks the thread; no bind was seen",
            "whether a symbol was bound in the yield: the audit interface of the dynamic linker, or the native stack of the wait"),
    SLOW_CALLBACK(
            "move the work off the context thread: pass the message to the ring and return",
            "a timer around each callback, with the stack of the longest one"),
    CPU_PREEMPTION(
            "give the receipt thread a dedicated core (isolcpus, taskset) and find what else runs there",
            "perf sched record on that core: what ran while the thread was runnable"),
    KERNEL_INTERFERENCE(
            "move interrupts and soft interrupts to other CPUs (smp_affinity, rps_cpus), or the receipt thread away from them",
            "irq, softirq and sched_switch of that CPU over the stall (naklab run --observe full, perf trace)"),
    CPU_THROTTLED(
            "raise the CPU quota of the cgroup (cpu.max, cpu.cfs_quota_us) or remove it",
            "cpu.stat of the cgroup: nr_throttled and the throttled time over the stall"),
    TRAFFIC_BURST(
            "increase the receive buffer to hold the burst, or speed up the receiver",
            "a capture at a second subscriber: it must also contain the burst"),
    GC_OR_SAFEPOINT(
            "allocate nothing on the hot path; -Xlog:safepoint shows which operation requested the pause",
            "-Xlog:gc,safepoint with times"),
    VM_OPERATION(
            "find who requested the VM operation (jcmd, a profiler, a monitoring agent) and keep it out of trading hours",
            "-Xlog:safepoint with times, and jdk.ExecuteVMOperation in a JFR recording"),
    TIME_TO_SAFEPOINT(
            "find the thread that was late to the safepoint, and what it waited for or computed",
            "-XX:+SafepointTimeout -XX:SafepointTimeoutDelay=20: it names the threads that are late"),
    NETWORK_LOSS(
            "check switch and cable counters: the datagrams never reached this host's socket",
            "a capture on the receiving interface: it must not contain the missing datagrams"),
    NETWORK_DELAY(
            "find the queue or the second path on which datagrams wait (switch buffers, shaping, failover), and raise the NAK back-off above its delay",
            "captures at the sender and at the receiver: the same datagram with both times"),
    NETWORK_REORDERING(
            "find where datagrams take different paths (link aggregation, several queues of a network card), and pin the feed to one",
            "a capture on the receiving interface: the order on the wire"),
    NETWORK_DUPLICATION(
            "find the second path of the datagrams (redundant links, mirrored ports, a loop), and remove it or filter one copy",
            "a capture on the receiving interface: each datagram twice"),
    SLOW_CONSUMER(
            "speed up the slowest consumer of the ring, or remove it from the gating sequences",
            "ring depth per consumer over time"),
    SENDER_PAUSED(
            "find what stopped the sender: its host's scheduler, a debugger, an operator",
            "the state of the sender's thread over the silence (naklab watch on the sender's host)"),
    PROCESS_ENDED(
            "find who ended the process (the kernel's log for the OOM killer, the audit log of signals), and let a supervisor start it again",
            "the exit status of the process, as its parent was told"),
    PROCESS_PAUSED("find who sends SIGSTOP (job control, an operator, a script)", "the audit log of signals"),
    PROCESS_FROZEN(
            "find who freezes the cgroup (docker pause, a snapshot or checkpoint tool, systemctl freeze)",
            "cgroup.events or freezer.state of the cgroup over the stall"),
    PROCESS_TRACED("detach the debugger or tracer (gdb, strace)", "TracerPid in /proc/PID/status during the stall"),
    MACHINE_STALLED(
            "check the host: steal time, firmware, processes with the highest real-time priority",
            "the same run on another host, with cyclictest or hwlatdetect running"),
    MAJOR_FAULT(
            "keep the receipt thread's pages in memory: mlockall, pre-touch",
            "perf record -e major-faults -g: which page was missing"),
    MEMORY_PRESSURE(
            "give the service more memory: memory.low or a higher limit of its cgroup, no swap, mlockall",
            "memory.stat and memory.pressure of the cgroup over the stall"),
    LOCK_WAIT(
            "shorten the work under the lock, or keep the receipt thread from taking it",
            "who held the lock: sched_waking of the receipt thread, with the stack of the waker"),
    FILE_LOCK_WAIT(
            "keep the receipt thread from taking the file lock", "/proc/locks during the stall: the holder's PID"),
    DISK_WAIT(
            "move the write or the read to another thread; check the file system and the device",
            "the kernel stack of the thread during the stall, and the latencies of the device"),
    BLOCKING_CALL(
            "keep calls that block off the receipt thread", "the user stack of the thread during the stall: the call"),
    NOT_NOTIFIED(
            "have epoll report the socket again: receive until it is empty (EAGAIN) if it is edge-triggered, and arm it after each event if it is one-shot or was disarmed",
            "the program's calls of epoll_ctl, epoll_wait and recv over the stall (strace), and fdinfo of the epoll set meanwhile"),
    BUSY_THREAD("move the work off the receipt thread", "a CPU profile of the receipt thread over the stall"),
    UNEXPLAINED("none: cause unknown", "the flight recorder's window, with perf"),
    CLEAN("none needed", "");

    private final String remedy;
    private final String settledBy;

    Cause(String remedy, String settledBy) {
        this.remedy = remedy;
        this.settledBy = settledBy;
    }

    /** Returns the label of the JSON documents; that of {@link #UNEXPLAINED} is {@code cannot-tell}. */
    public String label() {
        return this == UNEXPLAINED
                ? "cannot-tell"
                : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the recommended remedy. */
    public String remedy() {
        return remedy;
    }

    /** Returns the measurement that would turn likely into certain; empty if none is needed. */
    public String settledBy() {
        return settledBy;
    }

    /**
     * Returns the cause for a stall that was mostly of one kind, without regard to the operation that the thread was in.
     *
     * @param kind of the greater part of the stall
     */
    static Cause of(AccountKind kind) {
        return switch (kind) {
            case ON_CPU -> BUSY_THREAD;
            case PREEMPTED -> CPU_PREEMPTION;
            case INTERRUPTED -> KERNEL_INTERFERENCE;
            case THROTTLED -> CPU_THROTTLED;
            case STOLEN -> MACHINE_STALLED;
            case LOCK -> LOCK_WAIT;
            case FILE_LOCK -> FILE_LOCK_WAIT;
            case DISK -> DISK_WAIT;
            case NOT_NOTIFIED -> Cause.NOT_NOTIFIED;
            case PIPE, TERMINAL, SOCKET, SLEEP, OTHER_WAIT -> BLOCKING_CALL;
            case PAGE_FAULT -> MAJOR_FAULT;
            case SWAP, RECLAIM -> MEMORY_PRESSURE;
            case FROZEN -> PROCESS_FROZEN;
            case STOPPED -> PROCESS_PAUSED;
            case TRACED -> PROCESS_TRACED;
            case GC -> GC_OR_SAFEPOINT;
            case VM_OPERATION -> Cause.VM_OPERATION;
            case TIME_TO_SAFEPOINT -> Cause.TIME_TO_SAFEPOINT;
            case UNEXPLAINED -> Cause.UNEXPLAINED;
        };
    }

    /** Returns true for causes that affect the whole host; when short, they are noise rather than a finding. */
    boolean isMachineNoise() {
        return this == CPU_PREEMPTION || this == KERNEL_INTERFERENCE || this == MACHINE_STALLED || this == UNEXPLAINED;
    }

    /**
     * Returns true for what happens to a thread in any busy process: when short and without damage, it is noise. A JVM's threads wait for
     * each other's locks, as that of the queue of methods to compile, and a thread that interprets a method for the first time is slow.
     */
    boolean isNoiseWhenShort() {
        return isMachineNoise() || this == LOCK_WAIT || this == BUSY_THREAD || this == BLOCKING_CALL;
    }

    @Override
    public String toString() {
        return label();
    }
}
