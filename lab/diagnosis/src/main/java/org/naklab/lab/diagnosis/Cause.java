package org.naklab.lab.diagnosis;

import java.util.Locale;

/** The causes that a diagnosis distinguishes. */
public enum Cause {
    LATE_BINDING_MAJOR_FAULT(
            "bind early (LD_BIND_NOW=1) and keep the pages (mlock, pre-touch); or limit the rate in the application",
            "perf record -e major-faults -g on the receipt thread: the stack shows _dl_runtime_resolve"),
    LATE_BINDING_DELAY(
            "bind early: LD_BIND_NOW=1 for the service; or limit the rate in the application",
            "the same seed with --remedy bind-now: the delay moves to the start"),
    LATE_BINDING_SIMULATED(
            "none needed: the yield was parked on purpose", "fidelity audited, which binds a real symbol"),
    SLOW_CALLBACK(
            "move the work off the context thread: pass the message to the ring and return",
            "a timer around each callback, with the stack of the longest one"),
    CPU_PREEMPTION(
            "give the receipt thread a dedicated core (isolcpus, taskset) and find what else runs there",
            "perf sched record on that core: what ran while the thread was runnable"),
    TRAFFIC_BURST(
            "increase the receive buffer to hold the burst, or speed up the receiver",
            "a capture at a second subscriber: it must also contain the burst"),
    GC_OR_SAFEPOINT(
            "allocate nothing on the hot path; -Xlog:safepoint shows which operation requested the pause",
            "-Xlog:gc,safepoint with times"),
    NETWORK_LOSS(
            "check switch and cable counters: the datagrams never reached this host's socket",
            "a capture on the receiving interface: it must not contain the missing datagrams"),
    SLOW_CONSUMER(
            "speed up the slowest consumer of the ring, or remove it from the gating sequences",
            "ring depth per consumer over time"),
    PROCESS_PAUSED("find who sends SIGSTOP (debugger, cgroup freezer, operator)", "the audit log of signals"),
    MACHINE_STALLED(
            "check the host: steal time, firmware, processes with the highest real-time priority",
            "the same run on another host, with cyclictest or hwlatdetect running"),
    MAJOR_FAULT(
            "keep the receipt thread's pages in memory: mlockall, pre-touch",
            "perf record -e major-faults -g: which page was missing"),
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

    /** Returns true for causes that affect the whole host; when short, they are noise rather than a finding. */
    boolean isMachineNoise() {
        return this == CPU_PREEMPTION || this == MACHINE_STALLED || this == UNEXPLAINED;
    }

    @Override
    public String toString() {
        return label();
    }
}
