package org.naklab.lab.terminal.runs;

import picocli.CommandLine.Option;

/** The option {@code --json} of commands that execute scenarios: what they print while they run goes to standard error. */
public final class RunJsonOption {
    @Option(names = "--json", description = "One JSON document on standard output, everything else on standard error.")
    private boolean isGiven;

    /** Returns whether one document is wanted. */
    public boolean isGiven() {
        return isGiven;
    }
}
