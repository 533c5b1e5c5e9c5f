package org.naklab.lab.bench.tune;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One of the variants that are compared.
 *
 * @param name in tables and documents
 * @param settings what differs from the control, which has none
 */
public record Arm(String name, List<Setting> settings) {
    /** The arm that changes nothing, against which every other one is compared. */
    public static final Arm CONTROL = new Arm("default", List.of());

    /** Copies the settings. */
    public Arm {
        settings = List.copyOf(settings);
    }

    /**
     * Parses {@code NAME=SETTING SETTING …}; settings are separated by spaces.
     *
     * @throws IllegalArgumentException it cannot be parsed; the message says why
     */
    public static Arm parse(String text) {
        int end = text.indexOf('=');
        if (end <= 0 || !text.substring(0, end).matches("[a-z0-9][a-z0-9-]*")) {
            throw new IllegalArgumentException("'" + text
                    + "' is no arm: use NAME=SETTING, with a name of lower-case letters, digits and hyphens");
        }
        String name = text.substring(0, end);
        if (name.equals(CONTROL.name())) {
            throw new IllegalArgumentException("the arm 'default' is always there, and changes nothing");
        }
        List<Setting> settings = Arrays.stream(text.substring(end + 1).split(" +", -1))
                .filter(word -> !word.isEmpty())
                .map(Setting::parse)
                .toList();
        return new Arm(name, settings);
    }

    /** Returns the flags of the JVM. */
    public List<String> jvmFlags() {
        return of(Setting.JvmFlag.class).map(Setting.JvmFlag::text).toList();
    }

    /** Returns the variables of the environment. */
    public Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        of(Setting.Variable.class).forEach(variable -> environment.put(variable.name(), variable.value()));
        return environment;
    }

    List<Setting.KernelFile> kernelFiles() {
        return of(Setting.KernelFile.class).toList();
    }

    private <T extends Setting> Stream<T> of(Class<T> type) {
        return settings.stream().filter(type::isInstance).map(type::cast);
    }
}
