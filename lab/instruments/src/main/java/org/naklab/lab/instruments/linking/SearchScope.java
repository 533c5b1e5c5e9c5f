package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The libraries in which the dynamic linker searches for a symbol: those that were loaded with the program, breadth first, and then the
 * library that calls with its own. Libraries that were opened later with {@code RTLD_GLOBAL} are not known from outside and are left out.
 */
final class SearchScope {
    private final List<LoadedLibrary> libraries;
    private final Set<LoadedLibrary> global = new LinkedHashSet<>();

    /**
     * @param libraries the executable first
     * @param preloaded names of the libraries in {@code LD_PRELOAD}
     */
    SearchScope(List<LoadedLibrary> libraries, List<String> preloaded) throws IOException {
        this.libraries = libraries;
        if (!libraries.isEmpty()) {
            List<LoadedLibrary> roots = new ArrayList<>(List.of(libraries.get(0)));
            libraries.stream()
                    .filter(each -> preloaded.contains(each.path()) || preloaded.contains(each.name()))
                    .forEach(roots::add);
            add(global, roots);
        }
    }

    /** Returns the libraries in the order of the search. */
    List<LoadedLibrary> of(LoadedLibrary caller) throws IOException {
        Set<LoadedLibrary> scope = new LinkedHashSet<>(global);
        add(scope, List.of(caller));
        return List.copyOf(scope);
    }

    private void add(Set<LoadedLibrary> scope, List<LoadedLibrary> roots) throws IOException {
        Set<LoadedLibrary> seen = new LinkedHashSet<>(roots);
        List<LoadedLibrary> queue = new ArrayList<>(roots);
        for (int i = 0; i < queue.size(); i++) {
            scope.add(queue.get(i));
            for (String needed : queue.get(i).image().needed()) {
                libraries.stream()
                        .filter(library -> library.isCalled(needed))
                        .findFirst()
                        .filter(seen::add)
                        .ifPresent(queue::add);
            }
        }
    }
}
