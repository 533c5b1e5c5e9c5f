package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.Json;
import org.naklab.lab.diagnosis.Cause;

/** Counts of diagnosed causes by injected cause. For use by one thread. */
public final class ConfusionMatrix {
    private final Map<Cause, Map<Cause, Integer>> rows = new LinkedHashMap<>();
    private final Map<Cause, String> leftOut = new LinkedHashMap<>();

    public void add(Cause injected, Cause diagnosed) {
        rows.computeIfAbsent(injected, cause -> new TreeMap<>()).merge(diagnosed, 1, Integer::sum);
    }

    /** A cause that cannot be made here, and why. */
    public void leaveOut(Cause cause, String reason) {
        leftOut.put(cause, reason);
    }

    /** Returns the counts by injected cause. */
    public Map<Cause, Map<Cause, Integer>> rows() {
        return rows;
    }

    /** Returns true if there was a run, and every run was diagnosed as the injected cause. */
    public boolean isDiagonal() {
        return !rows.isEmpty()
                && rows.entrySet().stream().allMatch(row -> row.getValue().keySet().stream()
                        .allMatch(diagnosed -> diagnosed == row.getKey()));
    }

    /** {@code {"matrix":{"<injected>":{"<diagnosed>":count}},"leftOut":{"<cause>":"<reason>"}}}. */
    public String text() {
        ObjectNode document = Json.object();
        ObjectNode matrix = document.putObject("matrix");
        rows.forEach((injected, row) -> {
            ObjectNode counts = matrix.putObject(injected.label());
            row.forEach((diagnosed, count) -> counts.put(diagnosed.label(), count));
        });
        ObjectNode missing = document.putObject("leftOut");
        leftOut.forEach((cause, reason) -> missing.put(cause.label(), reason));
        return Json.pretty(document);
    }
}
