package org.naklab.testing.host;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Skips tests of programs that this machine lacks, before anything runs. */
public final class Installed {
    private Installed() {}

    /** Skips the test, or all tests of a class, unless a program is on the path. */
    public static void assume(String program) {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(":", -1))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program))),
                () -> "no " + program + " is installed");
    }
}
