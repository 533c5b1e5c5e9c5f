package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.instruments.linux.CachedPages;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.linux.MemoryMapping;

/**
 * Is an executable or a shared object that a process has loaded.
 *
 * @param path as the process sees it
 * @param file as it can be opened from here
 * @param bias what is added to an address of the file, bytes
 */
record LoadedLibrary(String path, Path file, long bias, ElfImage image, List<MemoryMapping> mappings, Pages pages) {
    private static final int PAGE_BYTES = 4_096;

    /** Knows which pages of the file were in the page cache before anything was read of it; empty if the kernel does not tell. */
    record Pages(Optional<BitSet> resident) {}

    /**
     * Finds the executable and the libraries of a process, in the order of their addresses; the executable first.
     *
     * @param process its directory in {@code /proc}
     * @param notRead receives the paths of those that cannot be read
     * @throws IOException the process is gone, or may not be looked at
     */
    static List<LoadedLibrary> of(Path process, List<String> notRead) throws IOException {
        String program = executable(process);
        List<LoadedLibrary> libraries = new ArrayList<>();
        for (List<MemoryMapping> group : groups(MemoryMapping.of(process))) {
            if (group.stream().noneMatch(mapping -> mapping.permissions().contains("x"))) {
                continue;
            }
            Optional<LoadedLibrary> library = open(process, group);
            if (library.isEmpty()) {
                notRead.add(group.get(0).path());
            } else if (library.get().path().equals(program)) {
                libraries.add(0, library.get());
            } else {
                libraries.add(library.get());
            }
        }
        return libraries;
    }

    /** Finds the library of a process that has its code at an address; none if there is no such, or it cannot be read. */
    static List<LoadedLibrary> holding(Path process, long address) throws IOException {
        for (List<MemoryMapping> group : groups(MemoryMapping.of(process))) {
            if (group.stream().anyMatch(mapping -> mapping.contains(address))) {
                return open(process, group).map(List::of).orElseGet(List::of);
            }
        }
        return List.of();
    }

    private static String executable(Path process) throws IOException {
        return Files.readSymbolicLink(process.resolve("exe")).toString();
    }

    /** Collects the mappings of each loaded file: the one of its first byte, and those of the same file after it. */
    private static List<List<MemoryMapping>> groups(List<MemoryMapping> mappings) {
        List<List<MemoryMapping>> groups = new ArrayList<>();
        List<MemoryMapping> current = new ArrayList<>();
        for (MemoryMapping mapping : mappings) {
            if (!mapping.isFile()) {
                continue;
            }
            boolean isSame = !current.isEmpty()
                    && current.get(0).path().equals(mapping.path())
                    && current.get(0).inode() == mapping.inode();
            if (mapping.offset() == 0
                    && !(isSame && current.size() == 1 && current.get(0).end() == mapping.begin())) {
                current = new ArrayList<>(List.of(mapping));
                groups.add(current);
            } else if (isSame) {
                current.add(mapping);
            }
        }
        return groups;
    }

    private static Optional<LoadedLibrary> open(Path process, List<MemoryMapping> group) {
        MemoryMapping first = group.get(0);
        for (Path way : ForeignFile.waysTo(process, first)) {
            Optional<LoadedLibrary> library = open(way, first, group);
            if (library.isPresent()) {
                return library;
            }
        }
        return Optional.empty();
    }

    private static Optional<LoadedLibrary> open(Path way, MemoryMapping first, List<MemoryMapping> group) {
        try {
            // Before it is opened: reading its headers must not count.
            Pages pages = new Pages(CachedPages.of(way));
            ElfImage image = ElfImage.open(way);
            return Optional.of(new LoadedLibrary(first.path(), way, bias(first, image), image, group, pages));
        } catch (IOException notThisWay) {
            return Optional.empty();
        }
    }

    private static long bias(MemoryMapping first, ElfImage image) {
        return image.segments().stream()
                .filter(segment -> segment.offset() < PAGE_BYTES)
                .findFirst()
                .map(segment -> first.begin() - (segment.address() - segment.offset()))
                .orElse(first.begin());
    }

    /** It is a place in a process, and the same file can be loaded twice. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns whether an address of the process is in its code. */
    boolean hasCode(long address) {
        return mappings.stream().anyMatch(mapping -> mapping.permissions().contains("x") && mapping.contains(address));
    }

    /** Returns whether others may need it by a name. */
    boolean isCalled(String needed) {
        try {
            return (needed.contains("/") ? path : name()).equals(needed)
                    || image.soname().equals(needed);
        } catch (IOException damaged) {
            return false;
        }
    }
}
