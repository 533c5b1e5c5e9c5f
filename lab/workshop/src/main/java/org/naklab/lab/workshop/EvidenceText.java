package org.naklab.lab.workshop;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.workshop.seal.EventNames;

/** Shows evidence as text of 80 columns, without a verdict. */
final class EvidenceText {
    private static final int COLUMNS = 80;
    private static final int CHART_COLUMNS = 70;
    private static final int CHARTS = 6;
    private static final String LEVELS = " ▁▂▃▄▅▆▇█";

    private final SealedCase.Content content;
    private final EvidenceFilter filter;

    EvidenceText(SealedCase.Content content, EvidenceFilter filter) {
        this.content = content;
        this.filter = filter;
    }

    List<String> of(View view) {
        return view == View.STATISTICS ? statistics() : events(view);
    }

    private List<String> statistics() {
        Facts facts = content.facts();
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
                                        Format.count(receiver.counters().getOrDefault(counter, 0L))))
                                .collect(Collectors.joining())));
        lines.add("");
        lines.add("largest readings");
        new TreeMap<>(facts.maxima())
                .entrySet().stream()
                        .filter(entry -> entry.getKey().contains("heartbeat")
                                || entry.getKey().contains("retransmi")
                                || entry.getKey().contains("ring")
                                || entry.getKey().contains("lag")
                                || entry.getKey().startsWith("timer"))
                        .forEach(entry -> lines.add(
                                "  " + Words.cut(entry.getKey(), 56) + "  " + Format.count(entry.getValue())));
        lines.addAll(charts());
        return lines;
    }

    private List<String> charts() {
        Map<String, List<long[]>> series = new TreeMap<>();
        content.samples().stream().skip(1).forEach(line -> {
            int first = line.indexOf(',');
            int last = line.lastIndexOf(',');
            SeriesName name = SeriesName.of(line.substring(first + 1, last));
            if (name.is(SeriesSource.SOCKET, "depthBytes")) {
                series.computeIfAbsent(name.toString(), key -> new ArrayList<>())
                        .add(new long[] {
                            Long.parseLong(line.substring(0, first)),
                            Math.round(Double.parseDouble(line.substring(last + 1)))
                        });
            }
        });
        List<String> lines = new ArrayList<>();
        series.entrySet().stream()
                .sorted((a, b) ->
                        Integer.compare(b.getValue().size(), a.getValue().size()))
                .limit(CHARTS)
                .forEach(entry -> lines.addAll(chart(entry.getKey(), entry.getValue())));
        return lines;
    }

    /** The highest reading of each column: a short peak does not vanish. */
    private List<String> chart(String name, List<long[]> readings) {
        long begin = readings.stream().mapToLong(each -> each[0]).min().orElse(0);
        long end = readings.stream().mapToLong(each -> each[0]).max().orElse(1);
        begin = Math.max(begin, Math.round(Math.max(-1e9, filter.from()) * 1e9));
        end = Math.min(end, filter.to() > 1e6 ? end : Math.round(filter.to() * 1e9));
        long width = Math.max(1, (end - begin) / CHART_COLUMNS);
        long[] columns = new long[CHART_COLUMNS];
        for (long[] reading : readings) {
            int column = (int) Math.floorDiv(reading[0] - begin, width);
            if (column >= 0 && column < CHART_COLUMNS) {
                columns[column] = Math.max(columns[column], reading[1]);
            }
        }
        long highest = Math.max(
                1,
                IntStream.range(0, CHART_COLUMNS)
                        .mapToLong(i -> columns[i])
                        .max()
                        .orElse(1));
        StringBuilder bars = new StringBuilder("  ");
        for (long value : columns) {
            int level = value == 0 ? 0 : (int) (1 + 7 * value / highest);
            bars.append(LEVELS.charAt(level));
        }
        return List.of(
                "",
                Words.cut(name, 50) + ", highest " + Format.bytes(highest),
                bars.toString(),
                "  " + Words.seconds(begin) + " s" + " ".repeat(CHART_COLUMNS - 22) + Words.seconds(end) + " s");
    }

    private List<String> events(View view) {
        List<CaseEvent> shown = content.events().stream()
                .filter(event -> view.shows(event.type()) && filter.shows(event))
                .sorted((a, b) -> Long.compare(a.span().beginNs(), b.span().beginNs()))
                .toList();
        List<String> lines = new ArrayList<>();
        if (shown.isEmpty()) {
            lines.add("nothing of this kind was seen there");
            return lines;
        }
        lines.add("event   seconds   ms        process, thread, what");
        for (CaseEvent event : shown.subList(0, Math.min(filter.rows(), shown.size()))) {
            lines.addAll(row(event));
        }
        if (shown.size() > filter.rows()) {
            lines.add("… and " + Format.count(shown.size() - (long) filter.rows())
                    + " more: narrow them with --from, --to and --process, or raise --rows");
        }
        return lines;
    }

    private static List<String> row(CaseEvent event) {
        String length = event.span().lengthNs() == 0
                ? ""
                : String.format(Locale.ROOT, "%.3f", event.span().lengthMs());
        String who = event.thread().isEmpty() ? event.process() : event.process() + " " + event.thread();
        List<String> lines = new ArrayList<>();
        lines.add(Words.cut(
                String.format(
                        Locale.ROOT,
                        "%-6s %9s %8s  %s: %s",
                        event.id(),
                        Words.seconds(event.span().beginNs()),
                        length,
                        who,
                        EventNames.of(event.type())),
                COLUMNS));
        String figures = new TreeMap<>(event.figures())
                .entrySet().stream()
                        .filter(entry -> !isLengthOrTime(entry.getKey())
                                && !entry.getValue().isEmpty())
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining("  "));
        String indent = " ".repeat(10);
        StringBuilder line = new StringBuilder(indent);
        for (String word : figures.split(" +", -1)) {
            if (line.length() > indent.length() && line.length() + 1 + word.length() > COLUMNS) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
            }
            line.append(line.length() > indent.length() ? " " : "").append(word);
        }
        if (line.length() > indent.length()) {
            lines.add(line.toString());
        }
        return lines;
    }

    private static boolean isLengthOrTime(String name) {
        return List.of(
                        "durationNs",
                        "durationMs",
                        "beganNs",
                        "endNs",
                        "seenNs",
                        "detectedNs",
                        "inode",
                        "sessionId",
                        "channel")
                .contains(name);
    }
}
