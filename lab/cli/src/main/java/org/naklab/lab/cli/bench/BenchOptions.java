package org.naklab.lab.cli.bench;

import org.naklab.lab.cli.terminal.Converters;
import picocli.CommandLine.Option;

/** What all benches are asked. */
final class BenchOptions {
    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            converter = Converters.Count.class,
            description = "Measured rounds; the results are medians (default: ${DEFAULT-VALUE}).")
    int rounds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the synthetic flow (default: ${DEFAULT-VALUE}).")
    long seed;

    @Option(names = "--json", description = "One JSON document on standard output.")
    boolean json;
}
