package org.naklab.lab.terminal.runs;

import picocli.CommandLine.Option;

/** The option {@code --first-seed} of commands whose runs have consecutive seeds. */
public final class FirstSeedOption {
    @Option(
            names = "--first-seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "First seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** Returns the seed of the first run. */
    public long seed() {
        return seed;
    }
}
