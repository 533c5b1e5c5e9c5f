package org.naklab.lab.instruments.linking;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Chooses the remedies for symbols that are unbound. */
final class Remedies {
    private Remedies() {}

    /** @param bindNow whether the process was started with {@code LD_BIND_NOW} */
    static List<Bindings.Remedy> of(boolean isProcess, boolean bindNow, List<Bindings.Library> libraries) {
        List<Bindings.Library> open = libraries.stream()
                .filter(library -> library.binding().unbound() > 0)
                .toList();
        if (open.isEmpty()) {
            return List.of();
        }
        int symbols = open.stream().mapToInt(each -> each.binding().unbound()).sum();
        List<Bindings.Remedy> remedies = new ArrayList<>();
        if (!bindNow) {
            remedies.add(
                    new Bindings.Remedy(
                            "LD_BIND_NOW",
                            "start the program with LD_BIND_NOW=1 in its environment: each library is bound when it is loaded"));
        }
        String lazy = open.stream()
                .filter(library -> !library.binding().bindNow())
                .map(library -> library.file().substring(library.file().lastIndexOf('/') + 1))
                .collect(Collectors.joining(", "));
        if (!lazy.isEmpty()) {
            remedies.add(new Bindings.Remedy("z-now", "link with -Wl,-z,now: " + lazy));
        }
        remedies.add(new Bindings.Remedy(
                "touch",
                "call " + (symbols == 1 ? "the function" : "each of the " + symbols + " functions")
                        + " once while the program starts, on a thread that nobody waits for"));
        if (isProcess) {
            String files = open.stream()
                    .flatMap(library -> library.symbols().stream())
                    .map(Bindings.Symbol::definedIn)
                    .filter(Objects::nonNull)
                    .distinct()
                    .collect(Collectors.joining(", "));
            remedies.add(new Bindings.Remedy(
                    "lock",
                    "keep the pages that a bind reads in memory (mlock(2), or vmtouch -l FILE)"
                            + (files.isEmpty() ? "" : ", of the libraries above and of " + files)
                            + ": the bind stays, without the disk"));
        }
        return List.copyOf(remedies);
    }
}
