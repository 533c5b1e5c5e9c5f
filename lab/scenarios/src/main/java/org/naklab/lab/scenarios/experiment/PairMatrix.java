package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.Verdict;

/** Counts of what was named by injected pair of causes. For use by one thread. */
public final class PairMatrix {
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    /** The counts of one pair. */
    public static final class Row {
        private final Map<String, Integer> named = new TreeMap<>();
        private final Map<String, Integer> before = new TreeMap<>();
        private final Map<String, Integer> others = new TreeMap<>();
        private int attempts;
        private int failed;

        /** Returns the number of runs by what was named: the pair itself if both causes were. */
        public Map<String, Integer> named() {
            return named;
        }

        /** Returns the number of runs by the cause that is named before the other. */
        public Map<String, Integer> before() {
            return before;
        }

        /** Returns the number of runs by a cause that is named beside the pair. */
        public Map<String, Integer> others() {
            return others;
        }

        /** Returns the number of runs that count and had the verdict fail. */
        public int failed() {
            return failed;
        }
    }

    private Row row(CausePair pair) {
        return rows.computeIfAbsent(pair.toString(), name -> new Row());
    }

    /** Adds a run that counts. */
    void add(PairFinding finding, Verdict verdict) {
        Row row = row(finding.pair());
        row.named.merge(finding.named(), 1, Integer::sum);
        if (finding.isBothNamed()) {
            row.before.merge(finding.before(), 1, Integer::sum);
        }
        finding.others().forEach(other -> row.others.merge(other, 1, Integer::sum));
        row.failed += verdict == Verdict.FAIL ? 1 : 0;
    }

    /** Adds a run, whether it counts or is repeated. */
    void addAttempt(CausePair pair) {
        row(pair).attempts++;
    }

    /** Adds a pair that cannot be injected here, with the reason. */
    void leaveOut(CausePair pair, String reason) {
        leftOut.put(pair.toString(), reason);
    }

    /** Returns the counts by pair. */
    public Map<String, Row> rows() {
        return rows;
    }

    /** Returns true if there was a run, both causes were named in every run, and none failed. */
    public boolean isSuccess() {
        return !rows.isEmpty()
                && rows.entrySet().stream()
                        .allMatch(row -> !row.getValue().named.isEmpty()
                                && row.getValue().named.keySet().stream().allMatch(named -> named.equals(row.getKey()))
                                && row.getValue().failed == 0);
    }

    /**
     * Returns the document of {@code --json}: that of {@link ConfusionMatrix} with pairs for causes, and
     * {@code "before":{"<pair>":{"<cause>":count}},"others":{"<pair>":{"<cause>":count}}}.
     */
    public String text() {
        ObjectNode document = Json.object();
        ObjectNode matrix = document.putObject("matrix");
        ObjectNode before = document.putObject("before");
        ObjectNode others = document.putObject("others");
        ObjectNode attempts = document.putObject("attempts");
        ObjectNode failed = document.putObject("failed");
        rows.forEach((pair, row) -> {
            put(matrix.putObject(pair), row.named);
            put(before.putObject(pair), row.before);
            put(others.putObject(pair), row.others);
            attempts.put(pair, row.attempts);
            failed.put(pair, row.failed);
        });
        ObjectNode missing = document.putObject("leftOut");
        leftOut.forEach(missing::put);
        return Json.pretty(document);
    }

    private static void put(ObjectNode node, Map<String, Integer> counts) {
        counts.forEach(node::put);
    }
}
