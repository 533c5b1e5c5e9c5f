package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.naklab.lab.core.process.ProcPaths;

/**
 * Knows the functions that the libraries of a process define for others, or those of a static program, and finds those that a waiting thread is in. One
 * thread only. It is a snapshot: what the process loads later is not known.
 */
public final class LibraryFunctions implements AutoCloseable {
    private static final int STACK_BYTES = 4_096;

    private final List<Library> libraries = new ArrayList<>();
    private final List<String> imported;
    private final ProcessMemory memory;

    /** The function names at an address; aliases are many. */
    private record Library(LoadedLibrary loaded, NavigableMap<Long, List<ExportedFunction>> byAddress) {}

    /**
     * Is a function of a process.
     *
     * @param library path as the process sees it
     * @param file as it can be opened from here
     */
    public record Place(ExportedFunction function, String library, Path file) {
        /** A library that a process has loaded twice is one: its functions have their probes in the file. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Place place && place.function.equals(function) && place.library.equals(library);
        }

        @Override
        public int hashCode() {
            return Objects.hash(function, library);
        }

        /** Returns the file name of the library. */
        public String libraryName() {
            return library.substring(library.lastIndexOf('/') + 1);
        }
    }

    /**
     * Reads the libraries of a process.
     *
     * @throws IOException the process is gone, or may not be looked at
     */
    public static LibraryFunctions of(long pid) throws IOException {
        Path process = ProcPaths.of(pid);
        return new LibraryFunctions(LoadedLibrary.of(process, new ArrayList<>()), ProcessMemory.of(process));
    }

    private LibraryFunctions(List<LoadedLibrary> all, ProcessMemory memory) throws IOException {
        this.memory = memory;
        // The first one is the program itself.
        for (LoadedLibrary each : all.subList(Math.min(1, all.size()), all.size())) {
            libraries.add(new Library(each, byAddress(each.image().exportedFunctions())));
        }
        if (all.isEmpty()) {
            imported = List.of();
            return;
        }
        LoadedLibrary program = all.get(0);
        imported = ProgramSymbols.imported(program.image());
        if (program.image().isDynamic()) {
            program.image().close();
        } else {
            // It has its libraries in itself.
            libraries.add(new Library(program, byAddress(ProgramSymbols.own(program.image()))));
        }
    }

    private static NavigableMap<Long, List<ExportedFunction>> byAddress(List<ExportedFunction> functions) {
        NavigableMap<Long, List<ExportedFunction>> byAddress = new TreeMap<>();
        for (ExportedFunction function : functions) {
            byAddress
                    .computeIfAbsent(function.address(), any -> new ArrayList<>())
                    .add(function);
        }
        return byAddress;
    }

    /** Returns the names of the functions that the program needs of its libraries. */
    public List<String> imported() {
        return imported;
    }

    /** Returns the functions of that name, in the order in which the libraries are loaded. */
    public List<Place> named(String name) {
        return libraries.stream()
                .flatMap(library -> library.byAddress.values().stream()
                        .flatMap(List::stream)
                        .filter(function -> function.name().equals(name))
                        .map(function -> place(library, function)))
                .toList();
    }

    private static Place place(Library library, ExportedFunction function) {
        return new Place(function, library.loaded.path(), library.loaded.file());
    }

    /**
     * Finds the innermost function for others on the stack of a waiting thread: the one that its code is in, or else the one whose code is behind the
     * nearest return address. A word that a returned function has left on the stack can mislead.
     *
     * @param code address of its next instruction
     * @param stackPointer address of the end of its stack
     */
    public Optional<Place> innermost(long code, long stackPointer) {
        try {
            Optional<Place> place = at(code);
            if (place.isPresent()) {
                return place;
            }
            ByteBuffer stack = memory.read(stackPointer, STACK_BYTES);
            while (place.isEmpty() && stack.remaining() >= Long.BYTES) {
                long word = stack.getLong();
                if (isAfterCall(word)) {
                    place = at(word - 1);
                }
            }
            return place;
        } catch (IOException goneOrNotMapped) {
            return Optional.empty();
        }
    }

    private boolean isAfterCall(long word) throws IOException {
        for (Library library : libraries) {
            if (library.loaded.hasCode(word)) {
                return CallSite.isAfterCall(library.loaded.image(), word - library.loaded.bias());
            }
        }
        return false;
    }

    private Optional<Place> at(long address) {
        for (Library library : libraries) {
            if (library.loaded.hasCode(address)) {
                long inFile = address - library.loaded.bias();
                Map.Entry<Long, List<ExportedFunction>> before = library.byAddress.floorEntry(inFile);
                return before == null
                        ? Optional.empty()
                        : before.getValue().stream()
                                .filter(function -> inFile < function.address() + function.length())
                                .min(Comparator.comparing((ExportedFunction function) ->
                                                function.name().startsWith("_"))
                                        .thenComparing(ExportedFunction::name))
                                .map(function -> place(library, function));
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        libraries.forEach(library -> library.loaded.image().close());
        memory.close();
    }
}
