package org.naklab.lab.tools.tune;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells what an arm changes. */
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

    /** Tells how much of the task is observed; only what observes differs. */
    record Observed(String level) implements Setting {
        @Override
        public String toString() {
            return OBSERVE + level;
        }
    }

    /** A limit of the task's process, soft and hard. */
    record Limit(String name, String value) implements Setting {
        /** The limits that can be set, by the names of {@code prlimit}; the values are the rows of {@code /proc/PID/limits}. */
        static final Map<String, String> ROWS = Map.of("nofile", "Max open files", "memlock", "Max locked memory");

        /** Returns the beginning of the line of {@code /proc/PID/limits}. */
        String row() {
            return Objects.requireNonNull(ROWS.get(name));
        }

        @Override
        public String toString() {
            return LIMIT + name + "=" + value;
        }
    }

    /** Tells what a control group of the task's process sets. */
    sealed interface Grouped extends Setting {}

    /** The processors of the task's process. */
    sealed interface Processors extends Grouped {}

    /** The memory that it may use, page cache included. */
    record MemoryLimit(long mebibytes) implements Grouped {
        @Override
        public String toString() {
            return MEMORY + "limit=" + mebibytes + "m";
        }
    }

    /** A quota of processor time. */
    record ProcessorQuota(double processors) implements Processors {
        @Override
        public String toString() {
            return PROCESSORS + "quota=" + processors;
        }
    }

    /** The only processors that it may use, as a list of the kernel such as {@code 0-2,5}. */
    record ProcessorSet(String list) implements Processors {
        @Override
        public String toString() {
            return PROCESSORS + "set=" + list;
        }
    }

    /** The prefix of a limit, named as {@code prlimit} names it. */
    String LIMIT = "limit:";

    /** The prefix of what the process gets of the processors. */
    String PROCESSORS = "cpus:";

    /** The prefix of the limit of its memory. */
    String MEMORY = "memory:";

    /** The prefix of a level of observation. */
    String OBSERVE = "observe:";

    /** The prefix of a kernel parameter, named as {@code sysctl} names it. */
    String SYSCTL = "sysctl:";

    /** The prefix of a path. */
    String FILE = "file:";

    /**
     * Parses a setting: a flag begins with a hyphen; {@code sysctl:NAME=VALUE} and {@code file:PATH=VALUE} are of the kernel; {@code limit:nofile=N}, {@code
     * cpus:quota=1.5}, {@code cpus:set=0-1} and {@code memory:limit=256m} are of the process; {@code observe:full} is of what observes it; everything else is a variable {@code NAME=VALUE}.
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
        if (text.startsWith(LIMIT)) {
            Matcher parts = matched(text.substring(LIMIT.length()), "(nofile|memlock)=(\\d+)", text);
            return new Limit(parts.group(1), parts.group(2));
        }
        if (text.startsWith(PROCESSORS)) {
            Matcher parts =
                    matched(text.substring(PROCESSORS.length()), "(?:quota=(\\d+(?:\\.\\d+)?)|set=([\\d,-]+))", text);
            return parts.group(1) == null
                    ? new ProcessorSet(parts.group(2))
                    : new ProcessorQuota(Double.parseDouble(parts.group(1)));
        }
        if (text.startsWith(MEMORY)) {
            Matcher parts = matched(text.substring(MEMORY.length()), "limit=(\\d{1,7})m", text);
            return new MemoryLimit(Long.parseLong(parts.group(1)));
        }
        if (text.startsWith(OBSERVE)) {
            return new Observed(
                    matched(text.substring(OBSERVE.length()), "([a-z]+)", text).group(1));
        }
        Matcher parts = matched(text, "([A-Za-z_]\\w*)=(.*)", text);
        return new Variable(parts.group(1), parts.group(2));
    }

    private static Matcher matched(String text, String pattern, String setting) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + setting
                    + "' is no setting: use -FLAG, VARIABLE=VALUE, sysctl:NAME=VALUE, file:/sys/PATH=VALUE, limit:nofile=N, limit:memlock=BYTES,"
                    + " cpus:quota=PROCESSORS, cpus:set=LIST, memory:limit=MIBm or observe:LEVEL");
        }
        return matcher;
    }
}
