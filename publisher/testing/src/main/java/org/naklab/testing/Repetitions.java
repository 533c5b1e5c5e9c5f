package org.naklab.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts how often tests repeat what a disturbed machine has spoiled, and how often a failed test is run again. The counts are printed, and are appended to {@code
 * target/repetitions.csv} of the module, so that a rising share is seen.
 */
public final class Repetitions {
    private static final Path FILE = Path.of("target", "repetitions.csv");

    private Repetitions() {}

    /**
     * Records how many runs a test needed.
     *
     * @param test names the test
     * @param runs 1: the first run was good
     * @param isGood whether the last run was good
     */
    public static synchronized void record(String test, int runs, boolean isGood) {
        if (runs > 1 || !isGood) {
            System.out.printf("%s: run %d times, the last one %s%n", test, runs, isGood ? "good" : "in doubt");
        }
        try {
            Files.createDirectories(FILE.toAbsolutePath().getParent());
            Files.writeString(
                    FILE,
                    test + ',' + runs + ',' + (isGood ? "good" : "in doubt") + '\n',
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
