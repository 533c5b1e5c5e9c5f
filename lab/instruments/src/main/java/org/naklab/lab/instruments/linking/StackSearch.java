package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.naklab.lab.core.Printable;
import org.naklab.lab.instruments.linux.MemoryMapping;

/**
 * Finds the threads that have code of a library on their stacks: words of the stack that are addresses in the library behind a call. A word
 * that a returned function has left counts too. A thread that runs at the moment has no known stack.
 */
final class StackSearch {
    private static final int MAX_STACK_BYTES = 256 << 10;

    private final Path process;
    private final ProcessMemory memory;
    private final List<MemoryMapping> mappings;

    StackSearch(Path process, ProcessMemory memory) throws IOException {
        this.process = process;
        this.memory = memory;
        mappings = MemoryMapping.of(process);
    }

    /** Returns names and ids of the threads that have been in each of the libraries. */
    Map<LoadedLibrary, List<String>> threads(List<LoadedLibrary> libraries) throws IOException {
        Map<LoadedLibrary, List<String>> found = new HashMap<>();
        libraries.forEach(library -> found.put(library, new ArrayList<>()));
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                Set<LoadedLibrary> seen = librariesOn(task, libraries);
                if (!seen.isEmpty()) {
                    String name = Printable.of(
                                    Files.readString(task.resolve("comm")).strip()) + " (" + task.getFileName() + ")";
                    seen.forEach(library -> found.computeIfAbsent(library, any -> new ArrayList<>())
                            .add(name));
                }
            }
        }
        return found;
    }

    private Set<LoadedLibrary> librariesOn(Path task, List<LoadedLibrary> libraries) {
        Set<LoadedLibrary> seen = new HashSet<>();
        try {
            String[] words = Files.readString(task.resolve("syscall")).strip().split(" ", -1);
            if (words.length < 2) {
                return seen;
            }
            long stackPointer = Long.parseUnsignedLong(words[words.length - 2].substring(2), 16);
            long code = Long.parseUnsignedLong(words[words.length - 1].substring(2), 16);
            libraries.stream().filter(library -> library.hasCode(code)).forEach(seen::add);
            Optional<MemoryMapping> stack = mappings.stream()
                    .filter(mapping -> mapping.contains(stackPointer))
                    .findFirst();
            if (stack.isPresent()) {
                search(stackPointer, stack.get().end(), libraries, seen);
            }
        } catch (IOException endedOrNotPermitted) {
            // A thread that has ended pays nothing; one that may not be looked at is not told.
            return Set.of();
        }
        return seen;
    }

    private void search(long from, long to, List<LoadedLibrary> libraries, Set<LoadedLibrary> seen) throws IOException {
        ByteBuffer stack = memory.read(from, (int) Math.min(MAX_STACK_BYTES, to - from));
        while (stack.remaining() >= Long.BYTES && seen.size() < libraries.size()) {
            long word = stack.getLong();
            for (LoadedLibrary library : libraries) {
                if (!seen.contains(library)
                        && library.hasCode(word)
                        && CallSite.isAfterCall(library.image(), word - library.bias())) {
                    seen.add(library);
                }
            }
        }
    }
}
