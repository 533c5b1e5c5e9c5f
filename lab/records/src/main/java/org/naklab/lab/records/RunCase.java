package org.naklab.lab.records;

/** The parameters of a run: the same case gives the same run, apart from the timing of the host. */
public record RunCase(String scenario, String fidelity, String remedy, String profile, long seed) {
    /** The scenario of the record of a watch, which is none. */
    public static final String WATCH = "watch";

    private static final String NONE = "none";

    /** Returns the case of a watch, which has no parameters. */
    public static RunCase ofWatch() {
        return new RunCase(WATCH, NONE, NONE, NONE, 0);
    }

    public RunCase {
        scenario = Absent.orUnknown(scenario);
        fidelity = Absent.orUnknown(fidelity);
        remedy = Absent.orUnknown(remedy);
        profile = Absent.orUnknown(profile);
    }
}
