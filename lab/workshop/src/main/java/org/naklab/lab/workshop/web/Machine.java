package org.naklab.lab.workshop.web;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.naklab.lab.core.Format;

/** The state of the machine that serves a class. */
final class Machine {
    private Machine() {}

    /** @param directory on the file system whose free space matters */
    static String words(Path directory) {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        Runtime runtime = Runtime.getRuntime();
        return String.format(
                Locale.ROOT,
                "load %.1f of %d processors, heap %s of %s, %s",
                system.getSystemLoadAverage(),
                system.getAvailableProcessors(),
                Format.bytes(runtime.totalMemory() - runtime.freeMemory()),
                Format.bytes(runtime.maxMemory()),
                free(directory));
    }

    private static String free(Path directory) {
        try {
            return Format.bytes(Files.getFileStore(directory).getUsableSpace()) + " of disk free";
        } catch (IOException e) {
            return "free disk unknown: " + e.getMessage();
        }
    }
}
