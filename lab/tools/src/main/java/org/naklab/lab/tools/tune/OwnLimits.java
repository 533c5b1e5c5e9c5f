package org.naklab.lab.tools.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Looks whether the limits, the processors and the memory of an arm are those of this process. */
final class OwnLimits {
    private final List<String> proof;
    private final List<String> missing;

    /** Creates one that adds its lines to those that there are. */
    OwnLimits(List<String> proof, List<String> missing) {
        this.proof = proof;
        this.missing = missing;
    }

    /** Reads {@code /proc/self/limits}: soft and hard limit must be the value. */
    void limit(Setting.Limit limit) throws IOException {
        limit(limit, Files.readAllLines(Path.of("/proc/self/limits")));
    }

    void limit(Setting.Limit limit, List<String> lines) {
        String values = lines.stream()
                .filter(line -> line.startsWith(limit.row()))
                .map(line -> line.substring(limit.row().length()).strip().replaceAll("\\s+", " "))
                .findFirst()
                .orElse("unknown");
        boolean isSet = values.startsWith(limit.value() + " " + limit.value() + " ");
        (isSet ? proof : missing).add(limit.row() + ": " + values + " (limits)");
    }

    void processors(Setting.Processors setting, ProcessorShare share) {
        boolean isSet = setting instanceof Setting.ProcessorQuota quota
                ? share.quota().orElse(Double.MAX_VALUE) == quota.processors()
                : setting instanceof Setting.ProcessorSet set
                        && share.processors().equals(set.list());
        (isSet ? proof : missing)
                .add("processors " + share.processors() + ", "
                        + (share.quota().isPresent()
                                ? "time of " + share.quota().getAsDouble() + " processors"
                                : "no limit of their time"));
    }

    /** Takes the limit of the process's own group; empty if it has none. */
    void memory(Setting.MemoryLimit setting, OptionalLong bytes) {
        boolean isSet = bytes.isPresent() && bytes.getAsLong() == setting.mebibytes() << 20;
        (isSet ? proof : missing)
                .add(bytes.isPresent() ? "memory limited to " + bytes.getAsLong() + " bytes" : "no limit of memory");
    }
}
