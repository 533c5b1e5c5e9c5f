package org.naklab.lab.scenario;

/** How long the order flow of a mystery in containers lasts, warm-up included. */
public final class ContainedFlow {
    private ContainedFlow() {}

    public static long evictedNs() {
        return new Mystery().workload().durationNs();
    }

    public static long naturalNs() {
        return MysteryContainers.MORNING.durationNs() + MysteryContainers.SETTLING_NS + evictedNs();
    }
}
