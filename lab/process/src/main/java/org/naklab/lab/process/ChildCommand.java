package org.naklab.lab.process;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.safepoint.JvmLogOption;

/** The command that starts a process of the replica, on this machine or in a container. */
public final class ChildCommand {
    /**
     * A terminal sends Ctrl-C to every process it shows; only the lab must act on it, or the feed ends before its trailer is
     * sent. A shell can pass on an ignored signal, a JVM cannot ask for one.
     */
    private static final List<String> DEAF_TO_TERMINAL = List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh");

    /** In place of the path of a configuration: it is the first line of standard input. */
    public static final String STANDARD_INPUT = "-";

    private ChildCommand() {}

    /** @param config path of the configuration, or {@value #STANDARD_INPUT} */
    static List<String> of(ProcessSpec<?> spec, String config, Installation installation) {
        List<String> command = new ArrayList<>(DEAF_TO_TERMINAL);
        ContainerSpec container = spec.container();
        command.addAll(
                container == null
                        ? installation.command(spec.jvmArguments(), spec.mainClass(), List.of(config))
                        : inContainer(container, spec));
        return command;
    }

    /** The container takes its configuration from standard input: it sees none of this machine's files. */
    private static List<String> inContainer(ContainerSpec container, ProcessSpec<?> spec) {
        List<String> command = new ArrayList<>(List.of("docker", container.standsBy() ? "exec" : "run", "-i"));
        spec.environment().forEach((variable, value) -> command.addAll(List.of("-e", variable + "=" + value)));
        if (container.standsBy()) {
            command.add(container.name());
        } else {
            command.addAll(List.of("--name", container.name()));
            command.addAll(container.options());
            command.add(container.image());
        }
        command.addAll(container.entry());
        List<String> jvmArguments = new ArrayList<>(spec.jvmArguments());
        jvmArguments.add(JvmLogOption.to(ContainerSpec.JVM_LOG));
        command.addAll(inImage(jvmArguments, spec.mainClass().getName(), List.of(STANDARD_INPUT)));
        return command;
    }

    /**
     * Returns the command that a container of the lab's image runs.
     *
     * @param mainClass the name of a class in the image, which need not be on this class path
     */
    public static List<String> inImage(List<String> jvmArguments, String mainClass, List<String> arguments) {
        return Installation.ofImage().commandUnchecked(jvmArguments, mainClass, arguments);
    }
}
