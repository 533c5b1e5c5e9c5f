package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Finds the id by which a process knows itself, by {@code NSpid} in {@code /proc/PID/status}. */
public final class NamespacePid {
    private static final String FIELD = "NSpid:";

    private NamespacePid() {}

    /**
     * Returns the id in the innermost namespace of the process.
     *
     * @param pid its id as seen from here
     * @return empty if the process has ended
     */
    public static OptionalLong of(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return OptionalLong.of(lines.filter(line -> line.startsWith(FIELD))
                    .map(line -> line.substring(line.lastIndexOf('\t') + 1).strip())
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(pid));
        } catch (IOException gone) {
            return OptionalLong.empty();
        }
    }
}
