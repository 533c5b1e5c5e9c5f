package org.naklab.lab.cli;

import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.lab.scenarios.mystery.NaturalPressure;

/** How long the order flow of a mystery in containers lasts, warm-up included. */
public final class ContainedFlow {
    private ContainedFlow() {}

    public static long evictedNs() {
        return new Mystery().workload().durationNs();
    }

    public static long naturalNs() {
        return NaturalPressure.SHORTEST_NS;
    }
}
