package org.naklab.lab.tools.linking;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.forecast.BindForecast;
import org.naklab.lab.instruments.linking.Bindings;

/** The sentences about bindings, for the terminal and for the page. */
final class BindingsText {
    static final String AUDITED =
            "An audit library hooks the calls of this process. The dynamic linker then keeps bound addresses elsewhere, and"
                    + " all slots of lazily bound libraries look unbound.";

    private BindingsText() {}

    /** Returns the answer in one line. */
    static String head(Bindings bindings) {
        if (bindings.pid() == null) {
            Bindings.Library file = bindings.libraries().get(0);
            return name(file.file()) + ": " + when(file);
        }
        int files = bindings.libraries().size();
        return "Process " + bindings.pid() + " (" + name(String.valueOf(bindings.program())) + "): "
                + Format.counted(bindings.unbound(), "symbol") + " unbound in " + Format.counted(files, "file")
                + (bindings.bindNow() ? "; started with LD_BIND_NOW" : "");
    }

    private static String when(Bindings.Library file) {
        if (file.kind().equals("static")) {
            return "static, nothing is bound";
        }
        if (file.binding().slots() == 0) {
            return "calls no function through a linkage table";
        }
        return Format.counted(file.binding().slots(), "function")
                + (file.binding().bindNow() ? ", bound when it is loaded" : ", each bound at its first call");
    }

    static String bindNow(Bindings.Library library) {
        if (library.kind().equals("static")) {
            return "static";
        }
        return library.binding().bindNow() ? "yes" : "no";
    }

    /** Returns how many pages the binds of a library would read from disk; a page that several read counts for each. */
    static String pagesOnDisk(Bindings.Library library) {
        if (library.binding().unbound() == 0) {
            return "";
        }
        if (library.symbols().stream().anyMatch(symbol -> symbol.pagesOnDisk() == null)) {
            return "?";
        }
        return Format.count(library.symbols().stream()
                .mapToInt(symbol -> Objects.requireNonNullElse(symbol.pagesOnDisk(), 0))
                .sum());
    }

    /** Returns what the bind of a symbol reads; empty if it is not known. */
    static String cost(Bindings.Symbol symbol) {
        if (symbol.pagesRead() == null) {
            return "";
        }
        String from = symbol.definedIn() == null ? "defined nowhere; " : "from " + symbol.definedIn() + "; ";
        String reads = "its bind reads " + Format.counted(symbol.pagesRead(), "page");
        if (symbol.pagesOnDisk() == null) {
            return from + reads;
        }
        if (symbol.pagesOnDisk() == 0) {
            return from + reads + ", all in memory";
        }
        return from + reads + ", " + symbol.pagesOnDisk() + " of them from disk ("
                + Objects.requireNonNullElse(symbol.onDisk(), List.<Bindings.Place>of()).stream()
                        .map(place -> place.file() + " " + place.section() + " " + place.pages())
                        .collect(Collectors.joining(", "))
                + ")";
    }

    static String threads(@Nullable List<String> threads) {
        return threads == null || threads.isEmpty()
                ? "No waiting thread has code of this library on its stack. The thread that makes the first call waits for the"
                        + " look-up."
                : "These threads have code of this library on their stacks, and may wait for the look-up: "
                        + String.join(", ", threads);
    }

    /** Returns the longest wait of each thread in each library, now and when memory gets short. */
    static List<BindForecast> longest(List<BindForecast> forecasts) {
        List<BindForecast> longest = new ArrayList<>();
        for (BindForecast each : forecasts) {
            boolean isFirst = longest.stream()
                    .noneMatch(other -> other.now() == each.now()
                            && other.caller().thread().equals(each.caller().thread())
                            && other.caller().library().equals(each.caller().library()));
            if (isFirst) {
                longest.add(each);
            }
        }
        return longest;
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
