package org.naklab.lab.tools.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * Parses {@code NAME=SETTING SETTING …}; settings are separated by spaces. Spaces between single or double quotes belong to the setting.
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
        return new Arm(
                name,
                words(text.substring(end + 1)).stream().map(Setting::parse).toList());
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (quote == 0 && c == ' ') {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("'" + text + "' has a quote " + quote + " without its end");
        }
        words.add(word.toString());
        words.removeIf(String::isEmpty);
        return words;
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

    List<Setting.Limit> limits() {
        return of(Setting.Limit.class).toList();
    }

    /** Returns how much of the task is observed; empty: as usual. */
    public Optional<String> observed() {
        return of(Setting.Observed.class).map(Setting.Observed::level).findFirst();
    }

    /** Returns what a control group is needed for. */
    List<Setting.Grouped> grouped() {
        return of(Setting.Grouped.class).toList();
    }

    /** Returns the settings that the child of a scenario cannot be given: they are of a process that a benchmark starts. */
    public List<Setting> ofBenchmarksOnly() {
        return Stream.concat(limits().stream(), grouped().stream())
                .map(Setting.class::cast)
                .toList();
    }

    private <T extends Setting> Stream<T> of(Class<T> type) {
        return settings.stream().filter(type::isInstance).map(type::cast);
    }
}
