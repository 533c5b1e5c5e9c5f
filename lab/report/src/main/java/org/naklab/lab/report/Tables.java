package org.naklab.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.naklab.lab.core.Format;

/** The report's tables, as a template takes them. */
final class Tables {
    private static final String BYTES = "Bytes";

    /** What is no plain word. */
    private static final Map<String, String> LABELS = Map.of(
            "jdk", "JDK",
            "vm", "JVM",
            "jvmArguments", "JVM arguments",
            "os", "system",
            "libc", "C library",
            "aeron", "Aeron",
            "agrona", "Agrona",
            "chronicleQueue", "Chronicle Queue",
            "rmemMaxBytes", "net.core.rmem_max");

    private final RunFiles files;
    private final TimeAxis axis;

    Tables(RunFiles files, TimeAxis axis) {
        this.files = files;
        this.axis = axis;
    }

    /** From the rate limit to the repair: times, and what was not seen. */
    List<Map<String, Object>> chain() {
        Optional<MainStall> stall = MainStall.longest(files.run());
        return rows(files.diagnosis().path("chain"), link -> {
            boolean present = link.path("present").asBoolean();
            boolean inOrder = link.path("inOrder").asBoolean(true);
            long atNs = link.path("atNs").asLong();
            return Map.of(
                    "link", words(link.path("link").asText()),
                    "time", present ? axis.clock(atNs) : "not seen",
                    "after", present ? stall.map(begun -> sinceMs(atNs, begun)).orElse("") : "",
                    "state", present ? inOrder ? "seen" : "out of order" : "missing",
                    "class", present ? inOrder ? "good" : "doubt" : "bad");
        });
    }

    /** Why there is no chain, when there is none. */
    String chainless() {
        return files.diagnosis().path("cause").asText().equals("clean")
                ? "There is none: nothing was lost that would need a cause."
                : "This run's diagnosis has no causal chain.";
    }

    private static String sinceMs(long atNs, MainStall stall) {
        return String.format(Locale.ROOT, "%+.3f ms", (atNs - stall.atNs()) / 1e6);
    }

    List<Map<String, Object>> suspects() {
        return rows(files.diagnosis().path("suspects"), suspect -> {
            boolean out = suspect.path("ruledOut").asBoolean();
            return Map.of(
                    "suspect",
                    suspect.path("suspect").asText(),
                    "state",
                    out ? "ruled out" : "not ruled out",
                    "class",
                    out ? "good" : "doubt",
                    "figure",
                    suspect.path("figure").asText());
        });
    }

    List<Map<String, Object>> evidence() {
        return rows(
                files.diagnosis().path("evidence"),
                each -> Map.of(
                        "time", axis.clock(each.path("atNs").asLong()),
                        "text", each.path("text").asText(),
                        "figure", each.path("figure").asText()));
    }

    List<String> noted() {
        return StreamSupport.stream(files.diagnosis().path("noted").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /** What the scenario predicted, held against the run. */
    List<Map<String, Object>> conditions() {
        return rows(files.run().path("conditions"), condition -> {
            String verdict = condition.path("verdict").asText();
            return Map.of(
                    "claim", condition.path("claim").asText(),
                    "verdict", verdict,
                    "class", classOf(verdict),
                    "figures", condition.path("figures").asText());
        });
    }

    /** Why the run did not pass, in a line; empty when it did. */
    String doubt() {
        String verdict = files.run().path("verdict").asText();
        if (verdict.equals("pass")) {
            return "";
        }
        List<String> doubts = StreamSupport.stream(
                        files.run().path("conditions").spliterator(), false)
                .filter(condition -> condition.path("verdict").asText().equals(verdict))
                .map(condition -> condition.path("claim").asText() + ": "
                        + condition.path("figures").asText())
                .toList();
        return doubts.isEmpty()
                ? ""
                : doubts.get(0) + (doubts.size() == 1 ? "" : "; " + (doubts.size() - 1) + " more below");
    }

    static String classOf(String verdict) {
        return switch (verdict) {
            case "pass" -> "good";
            case "fail" -> "bad";
            default -> "doubt";
        };
    }

    /** Kernel, processor, JVM, versions: whatever the run's record has, in its order. */
    List<Map<String, Object>> environment() {
        List<Map<String, Object>> rows = new ArrayList<>();
        files.run()
                .path("environment")
                .properties()
                .forEach(each -> rows.add(Map.of(
                        "name", label(each.getKey()),
                        "value", value(each.getKey(), each.getValue()),
                        "long", each.getValue().isArray())));
        return rows;
    }

    /** The command that runs it again; of a record without one, what was typed. */
    String replay() {
        String command = files.run().path("replay").asText("");
        return command.isEmpty() ? "naklab " + value(files.run().path("arguments")) : command;
    }

    private static String value(String key, JsonNode value) {
        return key.endsWith(BYTES) && value.isNumber() ? Format.bytes(value.asLong()) : value(value);
    }

    private static String value(JsonNode value) {
        return value.isArray()
                ? String.join(
                        " ",
                        StreamSupport.stream(value.spliterator(), false)
                                .map(JsonNode::asText)
                                .toList())
                : value.asText();
    }

    /** {@code RATE_LIMIT_HIT} as {@code rate limit hit}; what is written in capitals as a word stays so. */
    private static String words(String constant) {
        return constant.toLowerCase(Locale.ROOT)
                .replace('_', ' ')
                .replace("nak ", "NAK ")
                .replace("wake ", "wake-up ");
    }

    /** {@code memoryBytes} as {@code memory}: its value has the unit. */
    private static String label(String key) {
        String camelCase = key.endsWith(BYTES) ? key.substring(0, key.length() - BYTES.length()) : key;
        return LABELS.getOrDefault(
                key, camelCase.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT));
    }

    private static List<Map<String, Object>> rows(
            JsonNode nodes, java.util.function.Function<JsonNode, Map<String, Object>> as) {
        return StreamSupport.stream(nodes.spliterator(), false).map(as).toList();
    }
}
