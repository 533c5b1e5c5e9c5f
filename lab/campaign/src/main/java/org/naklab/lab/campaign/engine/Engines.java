package org.naklab.lab.campaign.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;

/** Finds engines: on the class path, and in directories of their own whose libraries would slow down all other commands. */
public final class Engines {
    /** Engines that are in a directory of their own. */
    private static final List<String> SEPARATE = List.of("kubernetes");

    private Engines() {}

    /**
     * Returns an engine.
     *
     * @param root of the installation
     * @throws UsageException there is none of that name
     * @throws UnavailableException it is not built
     */
    public static Engine named(String name, Path root) {
        ClassLoader here = Engines.class.getClassLoader();
        return find(name, SEPARATE.contains(name) ? loader(name, root, here) : here);
    }

    private static Engine find(String name, ClassLoader loader) {
        List<Engine> engines = ServiceLoader.load(Engine.class, loader).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return engines.stream()
                .filter(engine -> engine.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("no engine is called '" + name + "'; there are: "
                        + Stream.concat(engines.stream().map(Engine::name), SEPARATE.stream())
                                .sorted()
                                .collect(Collectors.joining(", "))));
    }

    /** Stays open as long as the program: the engine loads classes whenever it needs them. */
    private static ClassLoader loader(String name, Path root, ClassLoader parent) {
        List<Path> directories = List.of(
                root.resolve("lib").resolve(name),
                root.resolve("lab").resolve(name).resolve("target").resolve("engine"));
        Path directory = directories.stream()
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow(() -> new UnavailableException("the engine " + name
                        + " is not built; build it with: mvn -pl" + " lab/" + name + " -am -DskipTests package"));
        try (Stream<Path> files = Files.list(directory)) {
            URL[] jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .map(Engines::url)
                    .toArray(URL[]::new);
            return new URLClassLoader(jars, parent);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
