package org.naklab.lab.diagnosis;

import java.util.Locale;

/** What a diagnosis can name. */
public enum Cause {
    LATE_BINDING_MAJOR_FAULT(
            "bind early (LD_BIND_NOW=1) and keep the pages (mlock, pre-touch); or limit the rate in the application",
            "perf record -e major-faults -g on the receipt thread: the stack shows _dl_runtime_resolve"),
    LATE_BINDING_DELAY(
            "bind early: LD_BIND_NOW=1 for the service; or limit the rate in the application",
            "the same seed with --remedy bind-now: the delay moves to the start"),
    LATE_BINDING_SIMULATED(
            "none is needed: the yield was parked on purpose", "the fidelity audited, which binds a symbol for real"),
    SLOW_CALLBACK(
            "take the work off the context thread: hand the message to the ring and return",
            "a timer around each callback, with the longest one's stack"),
    CPU_PREEMPTION(
            "give the receipt thread a core of its own (isolcpus, taskset) and look for who else runs there",
            "perf sched record on that core: who ran while the thread was ready"),
    TRAFFIC_BURST(
            "a receive buffer that holds the burst, or a faster receiver",
            "a capture at a second subscriber: the burst must be in it as well"),
    GC_OR_SAFEPOINT(
            "allocate nothing on the hot path; -Xlog:safepoint tells who asked for the pause",
            "-Xlog:gc,safepoint with times"),
    NETWORK_LOSS(
            "look at switch and cable counters: the datagrams never reached this host's socket",
            "a capture on the receiving interface: the missing datagrams are not in it"),
    SLOW_CONSUMER(
            "speed up the slowest consumer of the ring, or take it off the gating path",
            "ring depth by consumer over time"),
    PROCESS_PAUSED("find who sends SIGSTOP: a debugger, a freezer, a tired operator", "the audit log of signals"),
    MACHINE_STALLED(
            "look at the host: steal time, firmware, real-time processes above everything",
            "the same on another host: cyclictest or hwlatdetect beside it"),
    MAJOR_FAULT(
            "keep the receipt thread's pages in memory: mlockall, pre-touch",
            "perf record -e major-faults -g: which page it was"),
    UNEXPLAINED("none can be named", "the flight recorder's window, with perf"),
    CLEAN("none is needed", "");

    private final String remedy;
    private final String settledBy;

    Cause(String remedy, String settledBy) {
        this.remedy = remedy;
        this.settledBy = settledBy;
    }

    /** As in the JSON documents; what cannot be explained is {@code cannot-tell}. */
    public String label() {
        return this == UNEXPLAINED
                ? "cannot-tell"
                : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }

    /** What would turn likely into certain; empty when nothing is left to settle. */
    public String settledBy() {
        return settledBy;
    }

    /** Made by the machine as a whole: too short to matter, it is noise, not a finding. */
    boolean isMachineNoise() {
        return this == CPU_PREEMPTION || this == MACHINE_STALLED || this == UNEXPLAINED;
    }

    @Override
    public String toString() {
        return label();
    }
}
