package org.naklab.lab.diagnosis.readings;

import java.util.List;

/** Tells VM operations that collect garbage from others, by the names that HotSpot of JDK 17 to 25 gives them. */
public final class VmOperation {
    /** How the names of collectors' operations begin. */
    private static final List<String> COLLECTORS = List.of("G1", "Gen", "Serial", "Parallel", "Z", "X", "Shenandoah");

    /** What they contain if they are a part of a collection, and do not only verify the heap. */
    private static final List<String> COLLECTING =
            List.of("Collect", "GC", "Conc", "Pause", "Mark", "Relocate", "Evac", "Refs", "Roots", "Degenerated");

    private VmOperation() {}

    /**
     * Returns true if the operation is a part of a collection.
     *
     * @param name as JFR has it, such as {@code G1CollectForAllocation}
     */
    public static boolean isCollection(String name) {
        return name.startsWith("CollectFor")
                || (COLLECTORS.stream().anyMatch(name::startsWith)
                        && COLLECTING.stream().anyMatch(name::contains));
    }
}
