package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds what the bind of a symbol would read, by doing the same search. */
final class BindCost {
    private static final int PAGE_BYTES = 4_096;

    private final LoadedLibrary caller;
    private final List<LoadedLibrary> scope;
    private final Set<LoadedLibrary> shared;

    private record Page(LoadedLibrary library, long number) {}

    /**
     * @param scope the libraries in which the dynamic linker searches, in its order
     * @param shared those that other processes have loaded too
     */
    BindCost(LoadedLibrary caller, List<LoadedLibrary> scope, Set<LoadedLibrary> shared) {
        this.caller = caller;
        this.scope = scope;
        this.shared = shared;
    }

    /** Returns the symbol with the pages that its bind would read. */
    Bindings.Symbol of(JumpSlot slot) throws IOException {
        Map<Page, String> pages = new LinkedHashMap<>();
        SymbolLookup own = new SymbolLookup(caller.image());
        own.readCaller(slot);
        collect(caller, own, pages);
        LoadedLibrary definer = null;
        for (LoadedLibrary library : scope) {
            SymbolLookup lookup = new SymbolLookup(library.image());
            boolean isFound = lookup.find(slot.symbol());
            collect(library, lookup, pages);
            if (isFound) {
                definer = library;
                break;
            }
        }
        return describe(slot, definer, pages);
    }

    private Bindings.Symbol describe(JumpSlot slot, @Nullable LoadedLibrary definer, Map<Page, String> pages) {
        boolean isKnown = pages.keySet().stream()
                .allMatch(page -> page.library().pages().resident().isPresent());
        Map<String, Integer> missing = new TreeMap<>();
        if (isKnown) {
            pages.forEach((page, section) -> {
                if (isMissing(page)) {
                    missing.merge(page.library().name() + ' ' + section, 1, Integer::sum);
                }
            });
        }
        List<Bindings.Place> places = new ArrayList<>();
        missing.forEach((place, count) -> {
            int blank = place.lastIndexOf(' ');
            places.add(new Bindings.Place(place.substring(0, blank), place.substring(blank + 1), count));
        });
        int total = places.stream().mapToInt(Bindings.Place::pages).sum();
        return new Bindings.Symbol(
                slot.symbol(),
                "0x" + Long.toHexString(caller.bias() + slot.address()),
                definer == null ? null : definer.name(),
                pages.size(),
                isKnown ? total : null,
                isKnown && total > 0 ? places : null,
                pending(slot, pages));
    }

    private PendingBind pending(JumpSlot slot, Map<Page, String> pages) {
        List<PendingBind.FilePage> read = new ArrayList<>();
        pages.forEach((page, section) -> read.add(new PendingBind.FilePage(
                page.library().file(),
                page.library().name(),
                section,
                page.number(),
                shared.contains(page.library()))));
        return new PendingBind(caller.bias() + slot.address(), caller.bias() + slot.initial(), List.copyOf(read));
    }

    private static boolean isMissing(Page page) {
        Optional<BitSet> resident = page.library().pages().resident();
        return resident.isPresent() && !resident.get().get((int) page.number());
    }

    private static void collect(LoadedLibrary library, SymbolLookup lookup, Map<Page, String> pages)
            throws IOException {
        for (SymbolLookup.Touch touch : lookup.touches()) {
            long first = library.image().offset(touch.address());
            long last = first + touch.length() - 1;
            for (long number = first / PAGE_BYTES; number <= last / PAGE_BYTES; number++) {
                pages.putIfAbsent(new Page(library, number), touch.section());
            }
        }
    }
}
