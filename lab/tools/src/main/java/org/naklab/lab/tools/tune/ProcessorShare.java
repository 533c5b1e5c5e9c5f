package org.naklab.lab.tools.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.tools.tune.workload.Figure;

/**
 * What a process gets of the processors, whatever its JVM believes.
 *
 * @param processors on which it may run
 * @param quota processors' worth of time; empty: no limit
 */
record ProcessorShare(String processors, OptionalDouble quota) {
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final int PERCENT = 100;

    /** Reads that of this process. */
    static ProcessorShare own() throws IOException {
        String allowed = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(ALLOWED))
                .map(line -> line.substring(ALLOWED.length()).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status has no " + ALLOWED));
        return new ProcessorShare(allowed, ownQuota());
    }

    private static OptionalDouble ownQuota() throws IOException {
        for (CgroupPaths group :
                CgroupPaths.ofController(ProcessHandle.current().pid(), ProcessorGroup.QUOTA)) {
            OptionalDouble quota = group.version() == 2
                    ? quota(group.file("cpu.max"))
                    : quota(group.file("cpu.cfs_quota_us"), group.file("cpu.cfs_period_us"));
            if (quota.isPresent()) {
                return quota;
            }
        }
        return OptionalDouble.empty();
    }

    private static OptionalDouble quota(Path... files) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            text.append(Files.exists(file) ? Files.readString(file).strip() : "")
                    .append(' ');
        }
        String[] parts = text.toString().strip().split(" ", -1);
        return parts.length == 2 && parts[0].matches("\\d+")
                ? OptionalDouble.of(Double.parseDouble(parts[0]) / Double.parseDouble(parts[1]))
                : OptionalDouble.empty();
    }

    /** Returns the processors' worth of time that it gets at most. */
    double given() {
        return Math.min(ThreadAffinity.parse(processors).size(), quota.orElse(Double.MAX_VALUE));
    }

    /** Returns what the JVM believes to have, and what it gets. */
    List<Figure> figures() {
        return List.of(
                new Figure(
                        "processors believed, %",
                        PERCENT * (double) Runtime.getRuntime().availableProcessors()),
                new Figure("processors given, %", PERCENT * given()));
    }
}
