package org.naklab.lab.runs.record;

/** What was run: the same case gives the same run, as far as the machine lets it. */
public record RunCase(String scenario, String fidelity, String remedy, String profile, long seed) {
    public RunCase {
        scenario = Absent.orUnknown(scenario);
        fidelity = Absent.orUnknown(fidelity);
        remedy = Absent.orUnknown(remedy);
        profile = Absent.orUnknown(profile);
    }
}
