package org.naklab.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A stall that the run counted.
 *
 * @param atNs when it began, CLOCK_MONOTONIC
 */
record MainStall(String thread, long atNs, long durationNs, long majorFaults, String cause) {
    private static final double NS_PER_MS = 1e6;

    /** Of a run, the longest first. */
    static List<MainStall> of(JsonNode run) {
        List<MainStall> stalls = new ArrayList<>();
        for (JsonNode stall : run.path("stalls")) {
            stalls.add(new MainStall(
                    stall.path("thread").asText(),
                    stall.path("atNs").asLong(),
                    Math.round(stall.path("durationMs").asDouble() * NS_PER_MS),
                    stall.path("majorFaults").asLong(-1),
                    stall.path("cause").asText("unknown")));
        }
        stalls.sort(Comparator.comparingLong(MainStall::durationNs).reversed());
        return stalls;
    }

    /** The service's longest, or else the longest of anyone's. */
    static Optional<MainStall> longest(JsonNode run) {
        List<MainStall> all = of(run);
        return all.stream()
                .filter(stall -> stall.thread().startsWith("mds"))
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    double durationMs() {
        return durationNs / NS_PER_MS;
    }

    long endNs() {
        return atNs + durationNs;
    }
}
