package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.Json;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;

/** Counts of diagnosed causes by injected cause. For use by one thread. */
public final class ConfusionMatrix {
    private final Map<Cause, Map<Cause, Integer>> rows = new LinkedHashMap<>();
    private final Map<Cause, Integer> attempts = new LinkedHashMap<>();
    private final Map<Cause, Integer> failed = new LinkedHashMap<>();
    private final Map<Cause, String> leftOut = new LinkedHashMap<>();

    /** Adds a run that counts. */
    void add(Cause injected, RunResult result) {
        rows.computeIfAbsent(injected, cause -> new TreeMap<>())
                .merge(result.outcome().diagnosis().cause(), 1, Integer::sum);
        failed.merge(injected, result.verdict() == Verdict.FAIL ? 1 : 0, Integer::sum);
    }

    /** Adds a run, whether it counts or is repeated. */
    void addAttempt(Cause injected) {
        attempts.merge(injected, 1, Integer::sum);
    }

    /** Adds a cause that cannot be injected here, with the reason. */
    void leaveOut(Cause cause, String reason) {
        leftOut.put(cause, reason);
    }

    /** Returns the counts by injected cause. */
    public Map<Cause, Map<Cause, Integer>> rows() {
        return rows;
    }

    /** Returns the number of runs by injected cause, including those that were repeated. */
    public Map<Cause, Integer> attempts() {
        return attempts;
    }

    /** Returns the number of runs by injected cause that count and had the verdict fail. */
    public Map<Cause, Integer> failed() {
        return failed;
    }

    /** Returns true if there was a run, and every run was diagnosed as the injected cause. */
    public boolean isDiagonal() {
        return !rows.isEmpty()
                && rows.entrySet().stream().allMatch(row -> row.getValue().keySet().stream()
                        .allMatch(diagnosed -> diagnosed == row.getKey()));
    }

    /** Returns true if every run was diagnosed as the injected cause and none failed. */
    public boolean isSuccess() {
        return isDiagonal() && failed.values().stream().allMatch(count -> count == 0);
    }

    /**
     * Returns the document of {@code --json}: {@code {"matrix":{"<injected>":{"<diagnosed>":count}},"attempts":{"<injected>":count},
     * "failed":{"<injected>":count},"leftOut":{"<cause>":"<reason>"}}}.
     */
    public String text() {
        ObjectNode document = Json.object();
        ObjectNode matrix = document.putObject("matrix");
        rows.forEach((injected, row) -> {
            ObjectNode counts = matrix.putObject(injected.label());
            row.forEach((diagnosed, count) -> counts.put(diagnosed.label(), count));
        });
        put(document.putObject("attempts"), attempts);
        put(document.putObject("failed"), failed);
        ObjectNode missing = document.putObject("leftOut");
        leftOut.forEach((cause, reason) -> missing.put(cause.label(), reason));
        return Json.pretty(document);
    }

    private static void put(ObjectNode node, Map<Cause, Integer> counts) {
        counts.forEach((cause, count) -> node.put(cause.label(), count));
    }
}
