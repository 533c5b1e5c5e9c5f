package org.naklab.lab.cli.bench;

import picocli.CommandLine.Option;

/** The option {@code --seed} of the benchmarks. */
final class SeedOption {
    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the synthetic flow (default: ${DEFAULT-VALUE}).")
    long seed;
}
