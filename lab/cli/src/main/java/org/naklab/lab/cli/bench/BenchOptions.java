package org.naklab.lab.cli.bench;

import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.JsonOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of all benchmarks. */
final class BenchOptions {
    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            converter = Converters.Count.class,
            description = "Measured rounds; the results are medians (default: ${DEFAULT-VALUE}).")
    int rounds;

    @Mixin
    SeedOption seed;

    @Mixin
    JsonOption json;
}
