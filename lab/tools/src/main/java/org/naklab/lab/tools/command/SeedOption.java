package org.naklab.lab.tools.command;

import picocli.CommandLine.Option;

/** The option {@code --seed} of the benchmarks. */
public final class SeedOption {
    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the synthetic flow (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** Returns the seed. */
    public long seed() {
        return seed;
    }
}
