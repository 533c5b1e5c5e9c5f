package org.naklab.lab.replica.service;

import java.util.OptionalLong;
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
    /** Reads the memory of this process's control group; {@code null} if there is no limit, or no control group is visible. */
    static @Nullable ContainerMemory read() {
        CgroupPaths group = CgroupPaths.ofProcess(ProcessHandle.current().pid()).orElse(null);
        OptionalLong limit = group == null ? OptionalLong.empty() : group.memoryLimitBytes();
        return group == null || limit.isEmpty()
                ? null
                : new ContainerMemory(limit.getAsLong(), group.memoryUsedBytes(), group.pageCacheBytes());
    }

    /** Returns the bytes left for the page cache, including those that it already uses. */
    long roomBytes() {
        return limitBytes - usedBytes + pageCacheBytes;
    }
}
