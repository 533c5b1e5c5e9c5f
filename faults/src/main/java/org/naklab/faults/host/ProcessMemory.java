package org.naklab.faults.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.naklab.faults.FaultException;

/** Tells what /proc tells about this process's memory. */
public final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long KIB = 1_024;

    private ProcessMemory() {}

    /** Resident pages that no file stands behind. */
    public static long residentAnonymousBytes() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith("RssAnon:"))
                    .map(line -> line.replaceAll("\\D+", ""))
                    .mapToLong(kib -> Long.parseLong(kib) * KIB)
                    .findFirst()
                    .orElseThrow(() -> new FaultException(STATUS + " does not tell RssAnon"));
        } catch (IOException e) {
            throw new FaultException("cannot read " + STATUS + ": memory pressure is proved on Linux only", e);
        }
    }
}
