package org.naklab.lab.process;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One process to start. A scenario may add to what it is started with: a library to audit, an early binding, a seam of the
 * replica named in its configuration.
 *
 * @param mainClass takes the path of its JSON configuration as its only argument
 * @param jvmArguments beside the list of JVM flags that all processes share
 * @param environment beside the lab's own
 * @param config serialised as JSON
 */
public record ProcessSpec(
        String name,
        Role role,
        Class<?> mainClass,
        List<String> jvmArguments,
        Map<String, String> environment,
        Object config) {
    public ProcessSpec {
        jvmArguments = List.copyOf(jvmArguments);
        environment = Map.copyOf(environment);
    }

    public ProcessSpec withJvmArguments(String... more) {
        List<String> all = new ArrayList<>(jvmArguments);
        all.addAll(List.of(more));
        return new ProcessSpec(name, role, mainClass, all, environment, config);
    }

    public ProcessSpec withEnvironment(String variable, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(variable, value);
        return new ProcessSpec(name, role, mainClass, jvmArguments, all, config);
    }

    public ProcessSpec withConfig(Object other) {
        return new ProcessSpec(name, role, mainClass, jvmArguments, environment, other);
    }
}
