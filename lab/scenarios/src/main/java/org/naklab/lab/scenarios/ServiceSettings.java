package org.naklab.lab.scenarios;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.jvm.JvmFlags;
import org.naklab.lab.instruments.jvm.SettingProof;
import org.naklab.lab.process.ProcessSpec;

/**
 * Tells what the user sets in the process of the service beside what the scenario sets.
 *
 * @param jvmFlags after those of all processes
 * @param environment variables of the process
 */
public record ServiceSettings(List<String> jvmFlags, Map<String, String> environment) {
    public static final ServiceSettings NONE = new ServiceSettings(List.of(), Map.of());

    /** The option of {@code naklab run} with a flag. */
    public static final String FLAG_OPTION = "--service-flag";

    /** The option of {@code naklab run} with a variable. */
    public static final String VARIABLE_OPTION = "--service-env";

    /** The beginning of the problem of a run in whose service a setting was not found. */
    public static final String NOT_IN_EFFECT = "not in effect in the service: ";

    /** Copies the list and the map. */
    public ServiceSettings {
        jvmFlags = List.copyOf(jvmFlags);
        environment = Map.copyOf(environment);
    }

    /** Returns whether nothing is set. */
    public boolean isEmpty() {
        return jvmFlags.isEmpty() && environment.isEmpty();
    }

    /** Returns a deployment whose service has these settings. */
    public Deployment into(Deployment deployment) {
        return isEmpty() ? deployment : deployment.with(Deployment.SERVICE, this::into);
    }

    private <C> ProcessSpec<C> into(ProcessSpec<C> spec) {
        ProcessSpec<C> changed = spec.withJvmArguments(jvmFlags.toArray(String[]::new));
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            changed = changed.withEnvironment(variable.getKey(), variable.getValue());
        }
        return changed;
    }

    /** Returns the words of the command line that set the same. */
    public List<String> options() {
        List<String> words = new ArrayList<>();
        jvmFlags.forEach(flag -> words.add(FLAG_OPTION + "=" + flag));
        environment.forEach((name, value) -> words.add(VARIABLE_OPTION + "=" + name + "=" + value));
        return words;
    }

    /**
     * Looks whether the settings are in effect in a process.
     *
     * @return those that are not, one line each
     * @throws LabException the process cannot be asked
     */
    public List<String> missing(long pid) {
        if (isEmpty()) {
            return List.of();
        }
        Path proc = ProcPaths.of(pid);
        try {
            SettingProof proof = new SettingProof(JvmFlags.of(pid)::get, words(proc.resolve("cmdline")));
            jvmFlags.forEach(proof::flag);
            Map<String, String> actual = new LinkedHashMap<>();
            words(proc.resolve("environ")).forEach(word -> {
                int end = word.indexOf('=');
                if (end > 0) {
                    actual.put(word.substring(0, end), word.substring(end + 1));
                }
            });
            String maps = Files.readString(proc.resolve("maps"));
            for (Map.Entry<String, String> variable : environment.entrySet()) {
                proof.variable(variable.getKey(), variable.getValue(), actual, maps);
            }
            return proof.missing().stream().map(NOT_IN_EFFECT::concat).toList();
        } catch (IOException e) {
            throw new LabException(
                    "cannot look whether the settings of the service are in effect: " + e.getMessage(), e);
        }
    }

    /** The kernel ends each word with a zero byte. */
    private static List<String> words(Path file) throws IOException {
        return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\0", -1));
    }
}
