package org.naklab.lab.cli.terminal;

import java.util.List;
import picocli.CommandLine.Option;

/** The options {@code --host} and {@code --name} of the commands that serve pages. */
public final class ListenOptions {
    @Option(
            names = "--host",
            paramLabel = "H",
            defaultValue = "127.0.0.1",
            description = "Address to listen on; 0.0.0.0 admits other machines (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--name",
            paramLabel = "N",
            description = "Additional host name that requests may use, such as a proxy's; may be repeated. Loopback "
                    + "names and --host are always accepted, and any address if --host is not loopback.")
    private List<String> names = List.of();

    /** Returns the address or the name of an address of this machine. */
    public String host() {
        return host;
    }

    /** Returns the additional names. */
    public List<String> names() {
        return names;
    }
}
