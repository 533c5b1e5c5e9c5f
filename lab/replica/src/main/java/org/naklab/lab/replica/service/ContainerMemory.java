package org.naklab.lab.replica.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * The memory of the control group that this process runs in, that of its container for instance, by the group's own account.
 *
 * @param limitBytes what it may use
 * @param usedBytes what it uses, page cache included
 * @param pageCacheBytes what the kernel can take back: pages of files, those in memory-only file systems not included
 */
record ContainerMemory(long limitBytes, long usedBytes, long pageCacheBytes) {
    /** Limits from this value on mean no limit: version 1 reports the largest number of pages. */
    private static final long NO_LIMIT = 1L << 60;

    /** Reads the memory of this process's control group; {@code null} if there is no limit, or no control group is visible. */
    static @Nullable ContainerMemory read() {
        CgroupPaths paths = CgroupPaths.ofProcess(ProcessHandle.current().pid()).orElse(null);
        try {
            if (paths == null) {
                return null;
            }
            return paths.version() == 2
                    ? read(paths.directory(), "memory.max", "memory.current", "")
                    : read(paths.directory(), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the memory of the control group", e);
        }
    }

    private static @Nullable ContainerMemory read(Path directory, String limit, String usage, String prefix)
            throws IOException {
        String limitText = Files.readString(directory.resolve(limit)).strip();
        if (limitText.equals("max") || Long.parseLong(limitText) >= NO_LIMIT) {
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
