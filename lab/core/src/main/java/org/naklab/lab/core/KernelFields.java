package org.naklab.lab.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the files of the kernel whose lines are a name, a colon and a value, such as {@code status} and {@code smaps_rollup} of a process.
 *
 * @param values by name, without blanks around them
 */
public record KernelFields(Map<String, String> values) {
    /** Is the file of this process. */
    public static final Path OWN_STATUS = Path.of("/proc/self/status");

    private static final long KIB = 1_024;

    public KernelFields {
        values = Map.copyOf(values);
    }

    /** Reads a file. @throws IOException it cannot be read, or its process has ended */
    public static KernelFields read(Path file) throws IOException {
        Map<String, String> values = new HashMap<>();
        for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        return new KernelFields(values);
    }

    /** Returns a value; empty if there is none. */
    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** Returns a figure that the kernel gives in kB, in bytes; 0 if there is none. */
    public long bytes(String name) {
        String digits = text(name).replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits) * KIB;
    }
}
