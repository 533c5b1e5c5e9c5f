package org.naklab.lab.bench.tune;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an arm changes. */
public sealed interface Setting {
    /** Flags of the JVM in which the task runs. */
    record JvmFlag(String text) implements Setting {
        @Override
        public String toString() {
            return text;
        }
    }

    /** A variable in the environment of the task's process. */
    record Variable(String name, String value) implements Setting {
        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    /** A file of the kernel, below {@code /proc/sys} or {@code /sys}, with the value to write. */
    record KernelFile(Path file, String value) implements Setting {
        @Override
        public String toString() {
            return file + "=" + value;
        }
    }

    /** The prefix of a kernel parameter, named as {@code sysctl} names it. */
    String SYSCTL = "sysctl:";

    /** The prefix of a path. */
    String FILE = "file:";

    /**
     * Parses a setting: a flag begins with a hyphen; {@code sysctl:NAME=VALUE} and {@code file:PATH=VALUE} are of the kernel; everything else is a variable
     * {@code NAME=VALUE}.
     *
     * @throws IllegalArgumentException it is none of them; the message says what would be
     */
    static Setting parse(String text) {
        if (text.startsWith("-")) {
            return new JvmFlag(text);
        }
        if (text.startsWith(SYSCTL)) {
            Matcher parts = matched(text.substring(SYSCTL.length()), "([\\w.-]+)=(.+)", text);
            return new KernelFile(Path.of("/proc/sys", parts.group(1).replace('.', '/')), parts.group(2));
        }
        if (text.startsWith(FILE)) {
            Matcher parts = matched(text.substring(FILE.length()), "(/[^=]+)=(.+)", text);
            Path file = Path.of(parts.group(1)).normalize();
            if (!file.startsWith("/sys") && !file.startsWith("/proc/sys")) {
                throw new IllegalArgumentException(
                        file + " is neither in /sys nor in /proc/sys: no other file is changed");
            }
            return new KernelFile(file, parts.group(2));
        }
        Matcher parts = matched(text, "([A-Za-z_]\\w*)=(.*)", text);
        return new Variable(parts.group(1), parts.group(2));
    }

    private static Matcher matched(String text, String pattern, String setting) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + setting
                    + "' is no setting: use -FLAG, VARIABLE=VALUE, sysctl:NAME=VALUE or file:/sys/PATH=VALUE");
        }
        return matcher;
    }
}
