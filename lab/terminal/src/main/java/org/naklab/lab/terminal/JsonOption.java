package org.naklab.lab.terminal;

import org.naklab.lab.core.Json;
import picocli.CommandLine.Option;

/** The option {@code --json} of commands whose whole output is one document. */
public final class JsonOption {
    @Option(names = "--json", description = "One JSON document on standard output.")
    private boolean isGiven;

    /** Returns whether the output is to be a JSON document. */
    public boolean isGiven() {
        return isGiven;
    }

    /** Prints a document. */
    public void print(Terminal terminal, Object document) {
        terminal.out().println(Json.pretty(document));
    }
}
