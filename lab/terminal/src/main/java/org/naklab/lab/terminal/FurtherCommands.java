package org.naklab.lab.terminal;

import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;

/** Adds commands to the command line, if their module is on the class path. Implementations are services. */
public interface FurtherCommands {
    /**
     * Names a command.
     *
     * @param parent the command to which it belongs, such as {@code bench}; empty: the program
     * @param type annotated as a command of picocli; its constructor may take the {@link Terminal}
     */
    record Added(String parent, Class<?> type) {}

    /** Returns the commands, a parent before its children. */
    List<Added> all();

    /** Adds what all services have. */
    static CommandLine addTo(CommandLine program) {
        for (FurtherCommands service : ServiceLoader.load(FurtherCommands.class)) {
            for (Added added : service.all()) {
                CommandLine parent = added.parent().isEmpty()
                        ? program
                        : program.getSubcommands().get(added.parent());
                if (parent == null) {
                    throw new IllegalStateException("there is no command " + added.parent() + " for " + added.type());
                }
                parent.addSubcommand(added.type());
            }
        }
        return program;
    }
}
