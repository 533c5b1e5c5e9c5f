package org.naklab.lab.tools.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Finds out what a machine cannot do, and why. An empty text is no obstacle. */
public final class Obstacles {
    private static final Path LIBRARIES = Path.of(
            "/usr/lib", System.getProperty("os.arch").equals("amd64") ? "x86_64-linux-gnu" : "aarch64-linux-gnu");

    private Obstacles() {}

    /** Returns where Debian puts a shared library. */
    static Path library(String name) {
        return LIBRARIES.resolve(name);
    }

    static String library(Path file, String debianPackage) {
        return Files.exists(file) ? "" : file + " is missing: install the package " + debianPackage;
    }

    static String program(String name, String debianPackage) {
        boolean isThere = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
        return isThere ? "" : name + " is missing: install the package " + debianPackage;
    }

    static String transparentHugePages() {
        Path file = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        try {
            return Files.readString(file).contains("[never]") ? file + " is never" : "";
        } catch (IOException e) {
            return "this kernel has no transparent huge pages";
        }
    }

    static String write(Path file) {
        if (!Files.exists(file)) {
            return "this kernel has no " + file;
        }
        return Files.isWritable(file) ? "" : file + " cannot be written: run as root";
    }

    static String wordsAcrossLines() {
        String architecture = System.getProperty("os.arch");
        return architecture.equals("amd64") ? "" : architecture + " has no atomic addition across cache lines";
    }

    /** Returns the read-ahead of the disk of the temporary directory; empty: it has none. */
    public static Optional<Path> readAheadFile() {
        try {
            long device = ((Number) Files.getAttribute(Path.of(System.getProperty("java.io.tmpdir")), "unix:dev"))
                    .longValue();
            long major = (device >> 8) & 0xfff;
            long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
            Path block = Path.of("/sys/dev/block", major + ":" + minor).toRealPath();
            Path queue =
                    Files.exists(block.resolve("partition")) ? block.resolveSibling("queue") : block.resolve("queue");
            Path file = queue.resolve("read_ahead_kb");
            return Files.exists(file) ? Optional.of(file) : Optional.empty();
        } catch (IOException noDisk) {
            return Optional.empty();
        }
    }
}
