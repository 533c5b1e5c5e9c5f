package org.naklab.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * For how long some thread of this machine was ready to run and had no processor, as the kernel's pressure stall information
 * has it. A thread may also wait for one that waits for a processor, a safepoint for instance; this figure tells of those.
 */
final class ProcessorPressure {
    private static final Path PRESSURE = Path.of("/proc/pressure/cpu");
    private static final String TOTAL = "total=";

    private final ThreadHistory stalledUs = new ThreadHistory();
    private boolean isTold = Files.isReadable(PRESSURE);

    void sample() {
        if (!isTold) {
            return;
        }
        try {
            String some = Files.readAllLines(PRESSURE).get(0);
            stalledUs.add(System.nanoTime(), Long.parseLong(some.substring(some.indexOf(TOTAL) + TOTAL.length())));
        } catch (IOException e) {
            // A kernel that has it switched off lets it be opened, but not read.
            isTold = false;
        }
    }

    /** From the last sample before that time until the newest; -1 when the machine does not tell. */
    long stalledUsSince(long beginNs) {
        return stalledUs.growthSince(beginNs);
    }
}
