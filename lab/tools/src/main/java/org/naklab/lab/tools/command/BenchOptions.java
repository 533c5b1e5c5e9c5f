package org.naklab.lab.tools.command;

import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.JsonOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of all benchmarks. */
public final class BenchOptions {
    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            converter = Converters.Count.class,
            description = "Measured rounds; the results are medians (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    /** Returns the number of measured rounds. */
    public int rounds() {
        return rounds;
    }

    /** Returns the seed of the synthetic flow. */
    public long seed() {
        return seed.seed();
    }

    /** Returns the option for one JSON document. */
    public JsonOption json() {
        return json;
    }
}
