package org.naklab.testing.browser;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The browser of this machine. */
public final class Chromium {
    private Chromium() {}

    /** Finds its program; without one, the test is skipped. */
    public static String find() {
        Optional<Path> found = Stream.of(System.getenv("PATH").split(":", -1))
                .map(directory -> Path.of(directory, "chromium"))
                .filter(Files::isExecutable)
                .findFirst();
        Assumptions.assumeTrue(found.isPresent(), "Chromium is not installed (Debian: apt-get install chromium)");
        return found.orElseThrow().toString();
    }
}
