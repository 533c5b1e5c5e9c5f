package org.naklab.lab.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The JDKs of this machine: the one that runs the tests, and those that Debian's packages put in one place. */
public final class Jdks {
    private static final Path DEBIAN = Path.of("/usr/lib/jvm");

    private Jdks() {}

    /** A JDK's java, by its feature release. */
    public static Optional<Path> find(int feature) {
        if (Runtime.version().feature() == feature) {
            return Optional.of(Path.of(System.getProperty("java.home"), "bin", "java"));
        }
        if (!Files.isDirectory(DEBIAN)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(DEBIAN)) {
            return homes.filter(home -> release(home).contains("JAVA_VERSION=\"" + feature + "."))
                    .map(home -> home.resolve("bin/java"))
                    .filter(Files::isExecutable)
                    .sorted()
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String release(Path home) {
        Path file = home.resolve("release");
        try {
            return Files.isReadable(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
