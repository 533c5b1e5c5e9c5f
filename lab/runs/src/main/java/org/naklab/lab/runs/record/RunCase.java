package org.naklab.lab.runs.record;

/** The parameters of a run: the same case gives the same run, apart from the timing of the host. */
public record RunCase(String scenario, String fidelity, String remedy, String profile, long seed) {
    public RunCase {
        scenario = Absent.orUnknown(scenario);
        fidelity = Absent.orUnknown(fidelity);
        remedy = Absent.orUnknown(remedy);
        profile = Absent.orUnknown(profile);
    }
}
