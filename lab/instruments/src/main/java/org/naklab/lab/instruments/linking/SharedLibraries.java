package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.naklab.lab.instruments.linux.MemoryMapping;

/** Finds the libraries of a process that other processes have loaded too. Processes that may not be looked at, and the lab itself, do not count. */
final class SharedLibraries {
    private SharedLibraries() {}

    /**
     * Returns those of the libraries that others have loaded.
     *
     * @param process directory of the process in {@code /proc}
     */
    static Set<LoadedLibrary> of(Path process, List<LoadedLibrary> libraries) throws IOException {
        String own = Long.toString(ProcessHandle.current().pid());
        Set<LoadedLibrary> shared = new HashSet<>();
        try (DirectoryStream<Path> others = Files.newDirectoryStream(process.resolveSibling(""), "[0-9]*")) {
            for (Path other : others) {
                String pid = other.getFileName().toString();
                if (!pid.equals(own) && !other.getFileName().equals(process.getFileName())) {
                    add(shared, libraries, other);
                }
            }
        }
        return shared;
    }

    private static void add(Set<LoadedLibrary> shared, List<LoadedLibrary> libraries, Path other) {
        for (MemoryMapping mapping : mappings(other)) {
            if (mapping.permissions().contains("x")) {
                libraries.stream().filter(library -> isOf(library, mapping)).forEach(shared::add);
            }
        }
    }

    private static List<MemoryMapping> mappings(Path process) {
        try {
            return MemoryMapping.of(process);
        } catch (IOException endedOrNotPermitted) {
            return List.of();
        }
    }

    private static boolean isOf(LoadedLibrary library, MemoryMapping mapping) {
        return library.path().equals(mapping.path())
                && library.mappings().get(0).inode() == mapping.inode();
    }
}
