package org.naklab.lab.tools.linking;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.forecast.BindForecast;
import org.naklab.lab.instruments.linking.Bindings;
import org.naklab.lab.runs.page.Page;

/** Bindings as one HTML page. */
final class BindingsPage {
    private BindingsPage() {}

    /**
     * Writes the page.
     *
     * @throws org.naklab.lab.core.LabException it cannot be written
     */
    static void write(Path file, Bindings bindings, List<BindForecast> forecasts) {
        List<Bindings.Library> libraries = bindings.libraries();
        Map<String, Object> values = new HashMap<>();
        values.put(
                "subject",
                bindings.pid() == null
                        ? BindingsText.name(libraries.get(0).file())
                        : "process " + bindings.pid() + ", " + BindingsText.name(String.valueOf(bindings.program())));
        values.put("answer", BindingsText.head(bindings));
        values.put("environment", bindings.audited() ? BindingsText.AUDITED : "");
        values.put("libraries", libraries.stream().map(BindingsPage::row).toList());
        values.put(
                "open",
                libraries.stream()
                        .filter(library -> library.binding().unbound() > 0)
                        .map(library -> open(library, bindings.pid() != null))
                        .toList());
        values.put("hasForecasts", !forecasts.isEmpty());
        values.put(
                "forecasts",
                BindingsText.longest(forecasts).stream()
                        .map(forecast ->
                                Map.of("sentence", forecast.sentence(), "class", forecast.isLoss() ? "open" : ""))
                        .toList());
        values.put("hasRemedies", !bindings.remedies().isEmpty());
        values.put(
                "remedies",
                bindings.remedies().stream()
                        .map(remedy -> Map.of("name", remedy.name(), "how", remedy.how()))
                        .toList());
        Page.write(file, Page.render(BindingsPage.class, "bindings.html", values));
    }

    private static Map<String, Object> row(Bindings.Library library) {
        return Map.of(
                "name", BindingsText.name(library.file()),
                "path", library.file(),
                "relro", library.binding().relro().label(),
                "bindNow", BindingsText.bindNow(library),
                "slots", Format.count(library.binding().slots()),
                "unbound", Format.count(library.binding().unbound()),
                "class", library.binding().unbound() > 0 ? "open" : "",
                "onDisk", BindingsText.pagesOnDisk(library));
    }

    private static Map<String, Object> open(Bindings.Library library, boolean isProcess) {
        return Map.of(
                "name", BindingsText.name(library.file()),
                "threads", isProcess ? BindingsText.threads(library.threads()) : "",
                "symbols",
                        library.symbols().stream()
                                .map(symbol -> Map.of("symbol", symbol.symbol(), "cost", BindingsText.cost(symbol)))
                                .toList());
    }
}
