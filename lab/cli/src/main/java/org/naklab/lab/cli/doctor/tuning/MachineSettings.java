package org.naklab.lab.cli.doctor.tuning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.KernelSetting;
import org.naklab.lab.instruments.linux.ThreadAffinity;

/** Reads what the kernel is set to, below a directory that is the root of the file system except in tests. */
final class MachineSettings {
    private static final String UNKNOWN = "unknown";
    private static final int FIELDS_OF_A_LIMIT = 2;
    private static final long KIB = 1024;

    private final Path root;

    MachineSettings(Path root) {
        this.root = root;
    }

    /** Returns what a file contains, or that it is unknown. */
    String text(String file) {
        return read(file).orElse(UNKNOWN);
    }

    /** Returns the word in brackets of a list of choices, such as {@code always [madvise] never}. */
    String choice(String file) {
        String text = text(file);
        int begin = text.indexOf('[');
        int end = text.indexOf(']', begin + 1);
        return begin >= 0 && end > begin ? text.substring(begin + 1, end) : text;
    }

    /** Returns the number after a key at the beginning of a line; empty: there is no such line. */
    OptionalLong number(String file, String key) {
        return text(file)
                .lines()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).replaceAll("\\D", ""))
                .filter(digits -> !digits.isEmpty())
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    boolean contains(String file, String word) {
        return text(file).contains(word);
    }

    /** Returns the CPUs that are switched on. */
    int onlineProcessors() {
        return read("/sys/devices/system/cpu/online")
                .map(list -> ThreadAffinity.parse(list).size())
                .orElseGet(() -> Runtime.getRuntime().availableProcessors());
    }

    /** Returns the processors' worth of time that this control group may use; empty: it has no limit. */
    OptionalDouble quota() {
        try {
            return CgroupPaths.firstProcessorQuota(
                    List.of(group(2, "sys/fs/cgroup", ""), group(1, "sys/fs/cgroup/cpu", "cpu")));
        } catch (DetectException e) {
            // A limit that cannot be read is not known, as without control groups.
            return OptionalDouble.empty();
        }
    }

    private CgroupPaths group(int version, String mount, String controller) {
        String below = read("/proc/self/cgroup")
                .flatMap(text -> CgroupPaths.membership(text.lines().toList(), controller))
                .orElse("/");
        return new CgroupPaths(root.resolve(mount + below), version);
    }

    /** Returns a number of KiB of a file, for people. */
    String kib(String file, String key) {
        OptionalLong number = number(file, key);
        return number.isEmpty() ? UNKNOWN : Format.bytes(number.getAsLong() * KIB);
    }

    /** Returns how many descriptors this process has; empty: they cannot be counted. */
    Optional<String> openFiles() {
        try (Stream<Path> files = Files.list(root.resolve("proc/self/fd"))) {
            return Optional.of(Long.toString(files.count()));
        } catch (IOException e) {
            // The finding says that it is unknown.
            return Optional.empty();
        }
    }

    /** Returns the soft and the hard limit of open files. */
    List<String> openFileLimits() {
        return text("/proc/self/limits")
                .lines()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.substring("Max open files".length()).strip())
                .map(line -> Arrays.asList(line.split("\\s+", -1)).subList(0, FIELDS_OF_A_LIMIT))
                .findFirst()
                .orElse(List.of(UNKNOWN, UNKNOWN));
    }

    private Optional<String> read(String file) {
        try {
            return Optional.of(KernelSetting.text(root.resolve(file.substring(1))));
        } catch (IOException e) {
            // The finding says that it is unknown: another kernel does not have the file.
            return Optional.empty();
        }
    }
}
