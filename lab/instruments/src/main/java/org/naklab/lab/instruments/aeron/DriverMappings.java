package org.naklab.lab.instruments.aeron;

import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linux.MemoryMapping;

/**
 * The files of one Aeron driver that a process has mapped, by {@code /proc/PID/maps}.
 *
 * @param pid of the process
 * @param logBuffers the registration ids of the log buffers that it has mapped, and how often
 */
record DriverMappings(long pid, Map<Long, Integer> logBuffers) {
    private static final String CNC_SUFFIX = '/' + CncFileDescriptor.CNC_FILE;
    private static final Pattern LOG_BUFFER = Pattern.compile("(?:images|publications)/(\\d+)\\.logbuffer");

    DriverMappings {
        logBuffers = Map.copyOf(logBuffers);
    }

    /**
     * Reads the mappings of a process.
     *
     * @param cncInode inode of the driver's command-and-control file
     * @return empty if the process has not mapped that file to write to it, as drivers and clients do, or may not be looked at
     */
    static Optional<DriverMappings> of(long pid, long cncInode) {
        List<MemoryMapping> all = read(pid);
        return all.stream()
                .filter(mapped -> mapped.inode() == cncInode
                        && mapped.path().endsWith(CNC_SUFFIX)
                        && mapped.permissions().contains("w"))
                .findFirst()
                .map(cnc -> new DriverMappings(
                        pid, logBuffers(all, cnc.path().substring(0, cnc.path().length() - CNC_SUFFIX.length() + 1))));
    }

    private static Map<Long, Integer> logBuffers(List<MemoryMapping> all, String directory) {
        Map<Long, Integer> buffers = new HashMap<>();
        all.stream()
                .filter(mapped -> mapped.offset() == 0 && mapped.path().startsWith(directory))
                .map(mapped -> LOG_BUFFER.matcher(mapped.path().substring(directory.length())))
                .filter(Matcher::matches)
                .forEach(matcher -> buffers.merge(Long.valueOf(matcher.group(1)), 1, Integer::sum));
        return buffers;
    }

    /** A driver has mapped each log buffer once for itself, a client in its process once more. */
    Set<Long> logBuffersOfClients(boolean isDriver) {
        Set<Long> ids = new HashSet<>();
        logBuffers.forEach((id, times) -> {
            if (times > (isDriver ? 1 : 0)) {
                ids.add(id);
            }
        });
        return ids;
    }

    /** Returns whether the mappings of a process cannot be read. */
    static boolean isHidden(long pid) {
        return !Files.isReadable(ProcPaths.of(pid, "maps")) || read(pid).isEmpty();
    }

    private static List<MemoryMapping> read(long pid) {
        try {
            return MemoryMapping.of(ProcPaths.of(pid)).stream()
                    .filter(MemoryMapping::isFile)
                    .toList();
        } catch (IOException goneOrNotPermitted) {
            return List.of();
        }
    }
}
