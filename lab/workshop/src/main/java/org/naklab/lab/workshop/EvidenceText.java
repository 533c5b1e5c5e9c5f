package org.naklab.lab.workshop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;
import org.naklab.lab.workshop.seal.EventNames;

/** Shows evidence as text of 80 columns, without a verdict. */
final class EvidenceText {
    private static final int COLUMNS = 80;
    private static final int CHART_COLUMNS = 70;
    private static final String LEVELS = " ▁▂▃▄▅▆▇█";

    private final Evidence evidence;

    EvidenceText(Evidence evidence) {
        this.evidence = evidence;
    }

    List<String> of(View view) {
        return view == View.STATISTICS ? statistics() : events(view);
    }

    private List<String> statistics() {
        Facts facts = evidence.facts();
        List<String> lines = new ArrayList<>();
        lines.add("observed: " + Words.seconds(facts.lengthNs()) + " s; process in question: " + facts.suspect());
        lines.add("");
        List<String> names =
                facts.receivers().stream().map(Facts.Receiver::name).toList();
        lines.add(String.format(Locale.ROOT, "%-24s", "receiver")
                + names.stream()
                        .map(name -> String.format(Locale.ROOT, "%16s", name))
                        .collect(Collectors.joining()));
        new TreeMap<>(
                        facts.receivers().isEmpty()
                                ? Map.of()
                                : facts.receivers().get(0).counters())
                .keySet()
                .forEach(counter -> lines.add(String.format(Locale.ROOT, "%-24s", counter)
                        + facts.receivers().stream()
                                .map(receiver -> String.format(
                                        Locale.ROOT,
                                        "%16s",
                                        counted(receiver.counters().getOrDefault(counter, 0L))))
                                .collect(Collectors.joining())));
        lines.add("");
        lines.add("largest readings");
        evidence.maxima()
                .forEach((name, highest) -> lines.add("  " + Words.cut(name, 56) + "  " + Format.count(highest)));
        List<Evidence.Series> depths = evidence.depths();
        depths.forEach(series -> lines.addAll(chart(series)));
        lines.addAll(explained(evidence.meanings(View.STATISTICS)));
        return lines;
    }

    /** Explains words, each in one sentence: nobody has to guess what a figure is. */
    private static List<String> explained(Map<String, String> meanings) {
        List<String> lines = new ArrayList<>(List.of("", "what it means"));
        meanings.forEach((word, meaning) -> lines.addAll(wrapped("  " + word + ": ", "      ", meaning)));
        return lines;
    }

    /** A program of others does not count all that ours count. */
    private static String counted(long value) {
        return value < 0 ? "not counted" : Format.count(value);
    }

    private List<String> chart(Evidence.Series series) {
        long[] columns = evidence.columns(series, CHART_COLUMNS);
        long highest = Math.max(1, Arrays.stream(columns).max().orElse(1));
        StringBuilder bars = new StringBuilder("  ");
        for (long value : columns) {
            int level = value == 0 ? 0 : (int) (1 + 7 * value / highest);
            bars.append(LEVELS.charAt(level));
        }
        return List.of(
                "",
                Words.cut(series.name(), 50) + ", highest " + Format.bytes(highest),
                bars.toString(),
                "  " + Words.seconds(evidence.beginNs(series)) + " s" + " ".repeat(CHART_COLUMNS - 22)
                        + Words.seconds(evidence.endNs(series)) + " s");
    }

    private List<String> events(View view) {
        List<CaseEvent> shown = evidence.events(view);
        int rows = evidence.filter().rows();
        List<String> lines = new ArrayList<>();
        if (shown.isEmpty()) {
            lines.add("nothing of this kind was seen there");
            return lines;
        }
        lines.add("event   seconds   ms        process, thread, what");
        shown.stream().limit(rows).forEach(event -> lines.addAll(row(event)));
        if (shown.size() > rows) {
            lines.add("… and " + Format.count(shown.size() - (long) rows)
                    + " more: narrow them with --from, --to and --process, or raise --rows");
        }
        lines.addAll(explained(evidence.meanings(view)));
        return lines;
    }

    private static List<String> row(CaseEvent event) {
        List<String> lines = new ArrayList<>();
        lines.add(Words.cut(
                String.format(
                        Locale.ROOT,
                        "%-6s %9s %8s  %s: %s",
                        event.id(),
                        Words.seconds(event.span().beginNs()),
                        event.lengthMs(),
                        event.who(),
                        EventNames.of(event.type())),
                COLUMNS));
        if (!event.told().isEmpty()) {
            lines.addAll(wrapped(" ".repeat(10), " ".repeat(10), event.told()));
        }
        return lines;
    }

    /** Returns words in lines of {@link #COLUMNS}, the first behind a head and the others indented. */
    private static List<String> wrapped(String head, String indent, String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(head);
        String gap = "";
        for (String word : text.split(" +", -1)) {
            if (!gap.isEmpty() && line.length() + gap.length() + word.length() > COLUMNS) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                gap = "";
            }
            line.append(gap).append(word);
            gap = " ";
        }
        lines.add(line.toString());
        return lines;
    }
}
