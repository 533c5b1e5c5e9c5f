package org.naklab.lab.scenario;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.naklab.faults.Firing;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.process.FaultReport;

/** Names what a stall was about, from what was seen within it. */
public final class StallCauses {
    /** The linker bound a symbol in the yield, and an audit library held it up. */
    public static final String LATE_BINDING_DELAY = "late-binding-delay";
    /** The linker bound a symbol in the yield, and waited for the disk. */
    public static final String LATE_BINDING_MAJOR_FAULT = "late-binding-major-fault";
    /** The yield parked: nothing was bound, and nothing claims to have been. */
    public static final String SIMULATED = "late-binding-simulated";

    public static final String YIELD = "yield";
    public static final String MAJOR_FAULT = "major-fault";
    public static final String GARBAGE_COLLECTION = "garbage-collection";
    /** The thread, or one that it waited for, was ready to run, and others had the processors. */
    public static final String NO_PROCESSOR = "no-processor";

    public static final String UNKNOWN = "unknown";

    /** What explains a stall takes at least this share of it. */
    private static final double LEAST_SHARE = 0.5;

    private StallCauses() {}

    /**
     * The cause of one stall.
     *
     * @param stall an event STALL
     * @param events of the same process
     * @param faults of the same process
     */
    public static String of(ChildEvent stall, List<ChildEvent> events, Map<String, FaultReport> faults) {
        return events.stream()
                .filter(event -> event.event().equals("YIELDED") && explains(event, stall))
                .findFirst()
                .map(yield -> ofYield(yield, events, faults.values()))
                .orElseGet(() -> ofOther(stall));
    }

    private static String ofYield(ChildEvent yield, List<ChildEvent> events, Collection<FaultReport> faults) {
        boolean bound = false;
        for (ChildEvent event : events) {
            if (event.event().equals("SYMBOL_BOUND") && isWithin(event.atNs(), yield)) {
                if (event.details().path("delayed").asBoolean() && explains(event, yield)) {
                    return LATE_BINDING_DELAY;
                }
                bound = true;
            }
        }
        if (bound && yield.details().path("majorFaults").asLong() > 0) {
            return LATE_BINDING_MAJOR_FAULT;
        }
        boolean parked = faults.stream()
                .flatMap(fault -> fault.proof().firings().stream())
                .anyMatch(firing -> isParking(firing, yield));
        return parked ? SIMULATED : YIELD;
    }

    private static String ofOther(ChildEvent stall) {
        if (stall.details().path("majorFaults").asLong() > 0) {
            return MAJOR_FAULT;
        }
        if (stall.details().path("collectionMs").asDouble() >= LEAST_SHARE * durationMs(stall)) {
            return GARBAGE_COLLECTION;
        }
        boolean starved = Stream.of("processorWaitMs", "processorPressureMs")
                .anyMatch(figure -> stall.details().path(figure).asDouble() >= LEAST_SHARE * durationMs(stall));
        return starved ? NO_PROCESSOR : UNKNOWN;
    }

    private static boolean isParking(Firing firing, ChildEvent yield) {
        // The checkpoint is passed right before the yield that is timed, or within it.
        return isWithin(firing.beginNs(), yield) && firing.durationNs() / 1e6 >= LEAST_SHARE * durationMs(yield);
    }

    private static boolean explains(ChildEvent part, ChildEvent whole) {
        return isWithin(part.atNs(), whole) && durationMs(part) >= LEAST_SHARE * durationMs(whole);
    }

    private static boolean isWithin(long timeNs, ChildEvent whole) {
        return timeNs - whole.atNs() >= 0 && timeNs - whole.atNs() <= durationMs(whole) * 1e6;
    }

    private static double durationMs(ChildEvent event) {
        return event.details().path("durationMs").asDouble();
    }
}
