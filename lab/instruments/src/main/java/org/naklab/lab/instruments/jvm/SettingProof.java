package org.naklab.lab.instruments.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks whether flags and variables that a JVM was started with are in effect in it. */
public final class SettingProof {
    private static final Pattern SWITCH = Pattern.compile("-XX:([+-])(\\w+)");
    private static final Pattern VALUE = Pattern.compile("-XX:(\\w+)=(.+)");
    private static final Pattern SIZE = Pattern.compile("(\\d+)([kKmMgG])");
    private static final String PRELOAD = "LD_PRELOAD";

    private final List<String> proof = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final Function<String, @Nullable String> flags;
    private final List<String> arguments;

    /**
     * Creates a proof without findings.
     *
     * @param flags returns the value of a flag by its name; {@code null}: the JVM has none of that name
     * @param arguments with which the JVM was started
     */
    public SettingProof(Function<String, @Nullable String> flags, List<String> arguments) {
        this.flags = flags;
        this.arguments = List.copyOf(arguments);
    }

    /** Looks for a flag. The JVM may have changed, or ignored, what it was given. */
    public void flag(String flag) {
        Matcher switched = SWITCH.matcher(flag);
        Matcher value = VALUE.matcher(flag);
        if (switched.matches()) {
            flag(flag, switched.group(2), String.valueOf(switched.group(1).equals("+")));
        } else if (value.matches()) {
            flag(flag, value.group(1), value.group(2));
        } else if (arguments.contains(flag)) {
            proof.add(flag + " is an argument of the JVM");
        } else {
            missing.add(flag + " is no argument of the JVM");
        }
    }

    private void flag(String flag, String name, String wanted) {
        String actual = flags.apply(name);
        if (actual == null) {
            missing.add(flag + ": this JVM has no flag " + name);
        } else if (actual.equals(wanted) || isSameSize(actual, wanted)) {
            proof.add(name + " is " + actual);
        } else {
            missing.add(flag + ": the JVM has " + name + "=" + actual);
        }
    }

    /** The JVM gives sizes in bytes; on the command line they have a unit. */
    private static boolean isSameSize(String actual, String wanted) {
        Matcher size = SIZE.matcher(wanted);
        if (!size.matches()) {
            return false;
        }
        int shift =
                switch (size.group(2).charAt(0)) {
                    case 'k', 'K' -> 10;
                    case 'm', 'M' -> 20;
                    default -> 30;
                };
        return actual.equals(String.valueOf(Long.parseLong(size.group(1)) << shift));
    }

    /**
     * Looks for a variable; a library that is preloaded must be mapped.
     *
     * @param environment of the process
     * @param maps the text of its file {@code maps}
     * @throws IOException a library cannot be read
     */
    public void variable(String name, String value, Map<String, String> environment, String maps) throws IOException {
        if (!value.equals(environment.get(name))) {
            missing.add(name + " is not in the environment");
        } else if (name.equals(PRELOAD)) {
            preloaded(value, maps);
        } else {
            proof.add(name + "=" + value + " is in the environment");
        }
    }

    private void preloaded(String libraries, String maps) throws IOException {
        for (String library : libraries.split("[: ]", -1)) {
            Path file = Path.of(library);
            boolean isMapped = Files.exists(file)
                    ? maps.contains(file.toRealPath().toString())
                    : maps.contains("/" + file.getFileName());
            (isMapped ? proof : missing).add(library + (isMapped ? " is mapped" : " is not mapped"));
        }
    }

    /** Returns what was found, one line each. */
    public List<String> proof() {
        return List.copyOf(proof);
    }

    /** Returns what was not found, one line each. */
    public List<String> missing() {
        return List.copyOf(missing);
    }
}
