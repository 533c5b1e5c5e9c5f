package org.naklab.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** Holds the tests that an interrupted build of the matrix need not run again. */
record PassedTests(Set<String> ids) {
    static final PassedTests NONE = new PassedTests(Set.of());

    /** Returns those that passed at this commit if the build is to go on where the last one ended, else none. */
    static PassedTests ofTheLastBuild() {
        Path file = TestResults.file();
        return Builds.isResumed() && Files.exists(file) ? of(file, Builds.commit()) : NONE;
    }

    static PassedTests of(Path file, String commit) {
        try {
            return new PassedTests(Files.readAllLines(file).stream()
                    .skip(1)
                    .map(TestRecord::parse)
                    .filter(test ->
                            test.commit().equals(commit) && test.result().equals(TestRecord.PASSED))
                    .map(TestRecord::id)
                    .collect(Collectors.toSet()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean contains(String id) {
        return ids.contains(id);
    }
}
