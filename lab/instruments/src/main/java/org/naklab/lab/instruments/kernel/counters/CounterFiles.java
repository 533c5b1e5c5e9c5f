package org.naklab.lab.instruments.kernel.counters;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.DetectException;

/** Reads files of counters. */
final class CounterFiles {
    private CounterFiles() {}

    /**
     * Reads all lines.
     *
     * @throws DetectException the file cannot be read
     */
    static List<String> lines(Path file) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII).lines().toList();
        } catch (IOException e) {
            throw new DetectException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Reads lines of a key and a number, separated by blanks. */
    static Map<String, Long> keyed(Path file) {
        Map<String, Long> values = new HashMap<>();
        for (String line : lines(file)) {
            String[] words = line.split("\\s+", -1);
            if (words.length >= 2 && isNumber(words[1])) {
                values.put(words[0], Long.parseLong(words[1]));
            }
        }
        return values;
    }

    /**
     * Reads pairs of lines, as {@code /proc/net/snmp} has them, as {@code Group.Name}.
     *
     * <pre>
     * Udp: InDatagrams NoPorts InErrors
     * Udp: 39125775 3 1532432
     * </pre>
     */
    static Map<String, Long> paired(Path file) {
        Map<String, Long> values = new HashMap<>();
        List<String> lines = lines(file);
        for (int i = 0; i + 1 < lines.size(); i += 2) {
            String[] names = lines.get(i).split(" ", -1);
            String[] numbers = lines.get(i + 1).split(" ", -1);
            for (int word = 1; word < Math.min(names.length, numbers.length); word++) {
                if (isNumber(numbers[word])) {
                    values.put(names[0].replace(":", ".") + names[word], Long.parseLong(numbers[word]));
                }
            }
        }
        return values;
    }

    private static boolean isNumber(String text) {
        return text.matches("-?\\d{1,18}");
    }
}
