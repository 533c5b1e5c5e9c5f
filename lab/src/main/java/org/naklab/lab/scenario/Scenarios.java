package org.naklab.lab.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds every scenario by listing this package, in its jar or its directory: adding a scenario is adding a file. */
public final class Scenarios {
    private Scenarios() {}

    /** All, by name. */
    public static List<Scenario> all() {
        return classNames().stream()
                .flatMap(name -> instanceOf(name).stream())
                .sorted(Comparator.comparing(Scenario::name))
                .toList();
    }

    public static Optional<Scenario> find(String name) {
        return all().stream().filter(scenario -> scenario.name().equals(name)).findFirst();
    }

    private static List<String> classNames() {
        String folder = Scenario.class.getPackageName().replace('.', '/');
        try {
            Path home = Path.of(Scenario.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isDirectory(home)) {
                return classNames(home.resolve(folder));
            }
            try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + home.toUri()), java.util.Map.of())) {
                return classNames(jar.getPath(folder));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the scenarios", e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the program's own location is no URI", e);
        }
    }

    private static List<String> classNames(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.startsWith("package-info"))
                    .map(name -> Scenario.class.getPackageName() + "." + name.substring(0, name.length() - 6))
                    .toList();
        }
    }

    private static Optional<Scenario> instanceOf(String className) {
        try {
            Class<?> type = Class.forName(className);
            if (!Scenario.class.isAssignableFrom(type) || Modifier.isAbstract(type.getModifiers())) {
                return Optional.empty();
            }
            Constructor<?> constructor = type.getDeclaredConstructor();
            return Optional.of((Scenario) constructor.newInstance());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(className + " must have a constructor that takes nothing", e);
        }
    }
}
