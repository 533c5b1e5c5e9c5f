package org.naklab.lab.tools.jitter.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.naklab.lab.core.UsageException;

/**
 * A JDK of this machine.
 *
 * @param feature its feature release, such as 17
 * @param java its program
 */
record Jdk(int feature, Path java) {
    /** Where distributions put JDKs. */
    private static final Path HOMES = Path.of("/usr/lib/jvm");

    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");
    private static final int OLDEST = 17;

    /** Returns the JDK that runs this program. */
    static Jdk own() {
        return new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home"), "bin", "java"));
    }

    /** Returns the JDKs of this machine from 17 on, one for each feature release, in order. */
    static List<Jdk> found() {
        return found(HOMES);
    }

    static List<Jdk> found(Path homes) {
        List<Jdk> jdks = new ArrayList<>(List.of(own()));
        try (Stream<Path> directories = Files.isDirectory(homes) ? Files.list(homes) : Stream.empty()) {
            directories.sorted().forEach(home -> of(home).filter(jdk ->
                            jdk.feature >= OLDEST && jdks.stream().noneMatch(other -> other.feature == jdk.feature))
                    .ifPresent(jdks::add));
        } catch (IOException e) {
            throw new UsageException("cannot look for JDKs in " + homes + ": " + e.getMessage());
        }
        jdks.sort(Comparator.comparingInt(Jdk::feature));
        return jdks;
    }

    private static Optional<Jdk> of(Path home) {
        Path release = home.resolve("release");
        Path java = home.resolve("bin").resolve("java");
        if (!Files.isReadable(release) || !Files.isExecutable(java)) {
            return Optional.empty();
        }
        try {
            Matcher version = VERSION.matcher(Files.readString(release));
            return version.find() ? Optional.of(new Jdk(Integer.parseInt(version.group(1)), java)) : Optional.empty();
        } catch (IOException e) {
            // A JDK that cannot be read is none that could be started.
            return Optional.empty();
        }
    }

    /**
     * Returns the named ones.
     *
     * @param names feature releases, such as {@code 17,25}, or {@code all}
     * @throws UsageException if there is none of that release
     */
    static List<Jdk> named(String names) {
        List<Jdk> found = found();
        if (names.equals("all")) {
            return found;
        }
        List<Jdk> jdks = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            jdks.add(found.stream()
                    .filter(jdk -> String.valueOf(jdk.feature).equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new UsageException("no JDK " + name.strip() + " here, only "
                            + String.join(
                                    ", ",
                                    found.stream()
                                            .map(jdk -> String.valueOf(jdk.feature))
                                            .toList()))));
        }
        return jdks;
    }
}
