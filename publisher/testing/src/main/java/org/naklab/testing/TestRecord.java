package org.naklab.testing;

import java.util.List;
import java.util.Locale;

/**
 * Holds what a test gave, as a line of the results of the matrix.
 *
 * @param commit of the sources
 * @param id by which JUnit names the test
 * @param test class and method, for a reader
 * @param seconds that it took
 * @param attempts 1, and one more for each run that was made again
 * @param result {@code passed}, {@code failed} or {@code skipped}
 * @param reason of a skip; the first line of a failure; else empty
 */
record TestRecord(String commit, String id, String test, double seconds, int attempts, String result, String reason) {
    static final String PASSED = "passed";
    static final String FAILED = "failed";
    static final String SKIPPED = "skipped";
    private static final int FIELDS = 7;

    static TestRecord parse(String line) {
        List<String> fields = List.of(line.split("\t", -1));
        if (fields.size() != FIELDS) {
            throw new IllegalArgumentException("expected " + FIELDS + " fields, found: " + line);
        }
        return new TestRecord(
                fields.get(0),
                fields.get(1),
                fields.get(2),
                Double.parseDouble(fields.get(3)),
                Integer.parseInt(fields.get(4)),
                fields.get(5),
                fields.get(6));
    }

    String toLine() {
        return String.join(
                "\t",
                commit,
                plain(id),
                plain(test),
                String.format(Locale.ROOT, "%.1f", seconds),
                Integer.toString(attempts),
                result,
                plain(reason));
    }

    private static String plain(String text) {
        return text.replaceAll("\\s", " ").strip();
    }
}
