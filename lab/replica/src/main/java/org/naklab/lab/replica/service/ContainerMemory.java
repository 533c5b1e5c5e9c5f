package org.naklab.lab.replica.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The memory of the container that this process runs in, by its control group's own account.
 *
 * @param limitBytes what it may use
 * @param usedBytes what it uses, page cache included
 * @param pageCacheBytes what the kernel can take back: pages of files, those in memory-only file systems not included
 */
record ContainerMemory(long limitBytes, long usedBytes, long pageCacheBytes) {
    private static final Path UNIFIED = Path.of("/sys/fs/cgroup");
    private static final Path LEGACY = Path.of("/sys/fs/cgroup/memory");

    /** Reads the memory of this container; {@code null} if there is no limit, or no control group is visible. */
    static @Nullable ContainerMemory read() {
        try {
            if (Files.isReadable(UNIFIED.resolve("memory.max"))) {
                return read(UNIFIED, "memory.max", "memory.current", "");
            }
            return Files.isReadable(LEGACY.resolve("memory.limit_in_bytes"))
                    ? read(LEGACY, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_")
                    : null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the container's memory", e);
        }
    }

    private static @Nullable ContainerMemory read(Path directory, String limit, String usage, String prefix)
            throws IOException {
        String limitText = Files.readString(directory.resolve(limit)).strip();
        if (limitText.equals("max")) {
            return null;
        }
        Map<String, Long> figures = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve("memory.stat"))) {
            int space = line.indexOf(' ');
            figures.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
        }
        return new ContainerMemory(
                Long.parseLong(limitText),
                Long.parseLong(Files.readString(directory.resolve(usage)).strip()),
                figures.getOrDefault(prefix + "active_file", 0L) + figures.getOrDefault(prefix + "inactive_file", 0L));
    }

    /** Returns the bytes left for the page cache, including those that it already uses. */
    long roomBytes() {
        return limitBytes - usedBytes + pageCacheBytes;
    }
}
