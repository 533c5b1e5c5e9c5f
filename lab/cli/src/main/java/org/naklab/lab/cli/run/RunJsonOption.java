package org.naklab.lab.cli.run;

import picocli.CommandLine.Option;

/** The option {@code --json} of commands that execute scenarios: what they print while they run goes to standard error. */
final class RunJsonOption {
    @Option(names = "--json", description = "One JSON document on standard output, everything else on standard error.")
    private boolean isGiven;

    boolean isGiven() {
        return isGiven;
    }
}
