package org.naklab.lab.process;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes one process to start. A scenario may add a library to audit, a pre-touch, or a seam of the replica named in its
 * configuration.
 *
 * @param <C> of its configuration, such as that of a service
 * @param mainClass takes the path of its JSON configuration as its only argument
 * @param jvmArguments beside the list of JVM flags that all processes share
 * @param environment beside the lab's own
 * @param config serialised as JSON
 * @param container where it runs; {@code null}: on this machine itself
 */
public record ProcessSpec<C>(
        String name,
        Role role,
        Class<?> mainClass,
        List<String> jvmArguments,
        Map<String, String> environment,
        C config,
        @Nullable ContainerSpec container) {
    public ProcessSpec {
        jvmArguments = List.copyOf(jvmArguments);
        environment = Map.copyOf(environment);
    }

    /** Creates a process that runs on this machine itself. */
    public ProcessSpec(
            String name,
            Role role,
            Class<?> mainClass,
            List<String> jvmArguments,
            Map<String, String> environment,
            C config) {
        this(name, role, mainClass, jvmArguments, environment, config, null);
    }

    /** Returns this process in a container, with a configuration that fits there. */
    public ProcessSpec<C> inContainer(ContainerSpec itsContainer, C itsConfig) {
        return new ProcessSpec<>(name, role, mainClass, jvmArguments, environment, itsConfig, itsContainer);
    }

    public ProcessSpec<C> withJvmArguments(String... more) {
        List<String> all = new ArrayList<>(jvmArguments);
        all.addAll(List.of(more));
        return new ProcessSpec<>(name, role, mainClass, all, environment, config, container);
    }

    public ProcessSpec<C> withEnvironment(String variable, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(variable, value);
        return new ProcessSpec<>(name, role, mainClass, jvmArguments, all, config, container);
    }

    public ProcessSpec<C> withConfig(C other) {
        return new ProcessSpec<>(name, role, mainClass, jvmArguments, environment, other, container);
    }
}
