package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.process.ProcPaths;

/**
 * Reads how the libraries of a process or a file are bound. It changes nothing: symbol tables are read past the page cache, and pages that
 * are not in memory stay on disk.
 */
public final class BindingsReader {
    private static final List<String> CALL_HOOKS = List.of("la_x86_64_gnu_pltenter", "la_aarch64_gnu_pltenter");

    private BindingsReader() {}

    /**
     * Reads a process, which goes on.
     *
     * @throws InputException there is none, or it may not be looked at
     */
    public static Bindings ofProcess(long pid) {
        Path process = ProcPaths.of(pid);
        if (!Files.isDirectory(process)) {
            throw new InputException("no process has the id " + pid);
        }
        List<String> notRead = new ArrayList<>();
        List<LoadedLibrary> libraries = List.of();
        try (ProcessMemory memory = ProcessMemory.of(process)) {
            libraries = LoadedLibrary.of(process, notRead);
            if (libraries.isEmpty()) {
                throw new InputException("process " + pid + " has loaded no file that can be read: "
                        + (notRead.isEmpty() ? "it is one of the kernel, or it has ended" : notRead));
            }
            return new ProcessReader(process, memory, libraries).read(pid, notRead);
        } catch (IOException e) {
            throw new InputException(
                    "cannot look into process " + pid + ": " + e.getMessage()
                            + "; this needs to be root, or its user with the permission to trace it",
                    e);
        } finally {
            libraries.forEach(library -> library.image().close());
        }
    }

    /**
     * Reads a file: what a process that loads it would bind, and when.
     *
     * @throws InputException it is not there, or no ELF file that the lab reads
     */
    public static Bindings ofFile(Path file) {
        try (ElfImage image = ElfImage.open(file)) {
            List<JumpSlot> slots = image.jumpSlots();
            List<Bindings.Symbol> lazy = image.isBindNow()
                    ? List.of()
                    : slots.stream()
                            .map(slot -> new Bindings.Symbol(
                                    slot.symbol(),
                                    "0x" + Long.toHexString(slot.address()),
                                    null,
                                    null,
                                    null,
                                    null,
                                    null))
                            .toList();
            Bindings.Library library = new Bindings.Library(
                    file.toString(),
                    kind(image),
                    new Bindings.Library.Binding(image.relro(), image.isBindNow(), slots.size(), lazy.size()),
                    lazy,
                    null);
            return new Bindings(
                    null,
                    null,
                    false,
                    false,
                    lazy.size(),
                    List.of(),
                    List.of(library),
                    Remedies.of(false, false, List.of(library)));
        } catch (IOException e) {
            throw new InputException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    static String kind(ElfImage image) {
        return image.isDynamic() ? "dynamic" : "static";
    }

    /** Reads the libraries of one process. */
    private static final class ProcessReader {
        private final Path process;
        private final ProcessMemory memory;
        private final List<LoadedLibrary> libraries;
        private final Map<String, String> environment;

        ProcessReader(Path process, ProcessMemory memory, List<LoadedLibrary> libraries) throws IOException {
            this.process = process;
            this.memory = memory;
            this.libraries = libraries;
            environment = environment(process);
        }

        Bindings read(long pid, List<String> notRead) throws IOException {
            SearchScope scope = new SearchScope(
                    libraries,
                    List.of(environment.getOrDefault("LD_PRELOAD", "").split("[ :]+")));
            Set<LoadedLibrary> shared = SharedLibraries.of(process, libraries);
            List<Bindings.Library> found = new ArrayList<>();
            List<LoadedLibrary> open = new ArrayList<>();
            for (LoadedLibrary library : libraries) {
                Bindings.Library each = read(library, scope, shared);
                found.add(each);
                if (each.binding().unbound() > 0) {
                    open.add(library);
                }
            }
            Map<LoadedLibrary, List<String>> threads = new StackSearch(process, memory).threads(open);
            for (int i = 0; i < found.size(); i++) {
                found.set(i, with(found.get(i), threads.get(libraries.get(i))));
            }
            int unbound =
                    found.stream().mapToInt(each -> each.binding().unbound()).sum();
            return new Bindings(
                    pid,
                    libraries.get(0).path(),
                    isSet("LD_BIND_NOW"),
                    isAudited(),
                    unbound,
                    notRead,
                    found,
                    Remedies.of(true, isSet("LD_BIND_NOW"), found));
        }

        private static Bindings.Library with(Bindings.Library library, @Nullable List<String> threads) {
            return new Bindings.Library(library.file(), library.kind(), library.binding(), library.symbols(), threads);
        }

        private Bindings.Library read(LoadedLibrary library, SearchScope scope, Set<LoadedLibrary> shared)
                throws IOException {
            List<JumpSlot> slots = library.image().jumpSlots();
            List<JumpSlot> unbound = new ArrayList<>();
            for (JumpSlot slot : slots) {
                if (memory.word(library.bias() + slot.address()) == library.bias() + slot.initial()) {
                    unbound.add(slot);
                }
            }
            List<Bindings.Symbol> symbols = new ArrayList<>();
            if (!unbound.isEmpty()) {
                BindCost cost = new BindCost(library, scope.of(library), shared);
                for (JumpSlot slot : unbound) {
                    symbols.add(cost.of(slot));
                }
            }
            return new Bindings.Library(
                    library.path(),
                    kind(library.image()),
                    new Bindings.Library.Binding(
                            library.image().relro(), library.image().isBindNow(), slots.size(), unbound.size()),
                    symbols,
                    null);
        }

        /** Whether a library has the hooks of an audit library that sees each call. */
        private boolean isAudited() throws IOException {
            for (LoadedLibrary library : libraries) {
                for (String hook : CALL_HOOKS) {
                    if (new SymbolLookup(library.image()).find(hook)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean isSet(String variable) {
            return !environment.getOrDefault(variable, "").isEmpty();
        }

        private static Map<String, String> environment(Path process) throws IOException {
            String text = new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.UTF_8);
            return Arrays.stream(text.split("\0"))
                    .map(entry -> entry.split("=", 2))
                    .filter(entry -> entry.length == 2)
                    .collect(Collectors.toMap(entry -> entry[0], entry -> entry[1], (first, second) -> first));
        }
    }
}
