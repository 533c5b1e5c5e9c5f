package org.naklab.lab.runs.history;

/** What was run: the same case gives the same run, as far as the machine lets it. */
public record RunCase(String scenario, String fidelity, String remedy, String profile, long seed) {}
