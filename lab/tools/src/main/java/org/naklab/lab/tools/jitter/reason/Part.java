package org.naklab.lab.tools.jitter.reason;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One part of the time for which a thread was late.
 *
 * @param us its length, microseconds
 * @param detail the operation, the thread or the interrupt; empty if there is nothing to say
 */
@JsonPropertyOrder({"reason", "us", "detail"})
public record Part(Reason reason, double us, String detail) {
    private record Term(Reason reason, String detail) {}

    /** Returns the parts of two times together: the longest first, what is unexplained last. */
    public static List<Part> sum(List<Part> first, List<Part> second) {
        Map<Term, Double> sums = new LinkedHashMap<>();
        List.of(first, second)
                .forEach(parts ->
                        parts.forEach(part -> sums.merge(new Term(part.reason, part.detail), part.us, Double::sum)));
        return sums.entrySet().stream()
                .map(each -> new Part(each.getKey().reason, each.getValue(), each.getKey().detail))
                .sorted(Comparator.comparing((Part part) -> part.reason == Reason.UNEXPLAINED)
                        .thenComparing(Comparator.comparingDouble(Part::us).reversed()))
                .toList();
    }
}
