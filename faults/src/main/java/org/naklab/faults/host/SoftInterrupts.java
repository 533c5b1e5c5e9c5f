package org.naklab.faults.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.naklab.faults.FaultException;

/** Tells what the kernel counts of the soft interrupts of each CPU. */
final class SoftInterrupts {
    private static final Path SOFTIRQS = Path.of("/proc/softirqs");
    private static final Path SOFTNET = Path.of("/proc/net/softnet_stat");
    private static final Path WEIGHT = Path.of("/proc/sys/net/core/dev_weight");
    private static final Path RECEIVE_BIAS = Path.of("/proc/sys/net/core/dev_weight_rx_bias");
    /** Unless it was set otherwise; network namespaces of containers do not show it. */
    private static final int DEFAULT_WEIGHT = 64;

    private static final int HEX = 16;
    /** Of the hexadecimal columns of softnet_stat. */
    private static final int CPU_COLUMN = 12;

    private SoftInterrupts() {}

    /** Returns the number of CPUs that have a column. */
    static int cpus() {
        return lines(SOFTIRQS).get(0).strip().split("\\s+", -1).length;
    }

    /** Returns how often a soft interrupt ran on a CPU. */
    static long count(String name, int cpu) {
        return count(lines(SOFTIRQS), name, cpu);
    }

    static long count(List<String> lines, String name, int cpu) {
        int column = List.of(lines.get(0).strip().split("\\s+", -1)).indexOf("CPU" + cpu);
        return lines.stream()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words[0].equals(name + ':') && column >= 0 && words.length > column + 1)
                .mapToLong(words -> Long.parseLong(words[column + 1]))
                .findFirst()
                .orElseThrow(() -> new FaultException(SOFTIRQS + " has no " + name + " of CPU " + cpu));
    }

    /** Returns how many datagrams the kernel takes from a CPU's queue in one soft interrupt. */
    static int weight() {
        return setting(WEIGHT, DEFAULT_WEIGHT) * setting(RECEIVE_BIAS, 1);
    }

    private static int setting(Path file, int otherwise) {
        return Files.exists(file) ? Integer.parseInt(lines(file).get(0).strip()) : otherwise;
    }

    /** Returns how many datagrams a CPU took from its queue. */
    static long datagrams(int cpu) {
        return datagrams(lines(SOFTNET), cpu);
    }

    /** Later kernels write the number of the CPU into the line; those that are offline have none. */
    static long datagrams(List<String> lines, int cpu) {
        for (int i = 0; i < lines.size(); i++) {
            String[] words = lines.get(i).strip().split("\\s+", -1);
            int of = words.length > CPU_COLUMN ? Integer.parseInt(words[CPU_COLUMN], HEX) : i;
            if (of == cpu) {
                return Long.parseLong(words[0], HEX);
            }
        }
        throw new FaultException(SOFTNET + " has no CPU " + cpu);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new FaultException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
