package org.naklab.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.naklab.lab.core.Format;

/** What looked at the run, as a template takes it. */
final class Instruments {
    private static final double NS_PER_MS = 1e6;

    private Instruments() {}

    /** @param instruments of {@code run.json}; perhaps missing */
    static Map<String, Object> of(JsonNode instruments) {
        List<String> blind = texts(instruments.path("blind"));
        return Map.of(
                "hasInstruments", !instruments.isMissingNode(),
                "reading", texts(instruments.path("reading")),
                "blind", blind,
                "unblind", blind.isEmpty(),
                "sampler", sampler(instruments.path("sampler")),
                "stackless", stackless(instruments, blind));
    }

    /** Why there is no stack of a major fault, when there is none. */
    private static String stackless(JsonNode instruments, List<String> blind) {
        if (instruments.isMissingNode()) {
            return "No stack of a major fault, and this run's record does not tell whether perf looked.";
        }
        return blind.stream()
                .filter(line -> line.contains("perf"))
                .findFirst()
                .orElse(
                        texts(instruments.path("reading")).stream().anyMatch(line -> line.contains("by perf"))
                                ? "No stack: perf looked, and saw no major fault of the receipt thread."
                                : "No stack of a major fault: no instrument took stacks.");
    }

    private static String sampler(JsonNode sampler) {
        return String.format(
                Locale.ROOT,
                "The sampler came round %s times, missed %s, was late by %.1f ms at most, took %.1f %% of a core, lost %s samples.",
                Format.count(sampler.path("ticks").asLong()),
                Format.count(sampler.path("missedTicks").asLong()),
                sampler.path("maxLatenessNs").asLong() / NS_PER_MS,
                sampler.path("shareOfACore").asDouble() * 100,
                Format.count(sampler.path("lostSamples").asLong()));
    }

    private static List<String> texts(JsonNode nodes) {
        return StreamSupport.stream(nodes.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
