package org.naklab.lab.workshop.web;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.runs.page.Page;
import org.naklab.lab.workshop.CaseEvent;
import org.naklab.lab.workshop.Evidence;
import org.naklab.lab.workshop.EvidenceFilter;
import org.naklab.lab.workshop.Facts;
import org.naklab.lab.workshop.View;
import org.naklab.lab.workshop.seal.EventNames;

/** Shows evidence as charts and tables, without a verdict. All charts have the same time axis. */
final class EvidenceView {
    /** Units of a chart's drawing, whatever its size on a page is. */
    private static final double WIDTH = 1_000;

    private static final double HEIGHT = 100;
    private static final double LEAST_WIDTH = 2;
    private static final int COLUMNS = 500;
    private static final int LABELS = 5;
    private static final int MAX_LANES = 40;
    private static final int MAX_MARKS = 400;
    private static final double NO_END = 1e6;
    /** Share of the scale below which there is nothing to see in a chart. */
    private static final double FLAT = 0.01;

    /** Threads of that name receive; they are not lost among the many of a JVM. */
    private static final Comparator<String> RECEIVERS_FIRST =
            Comparator.comparing((String who) -> !who.endsWith("-context")).thenComparing(Comparator.naturalOrder());

    private final Evidence evidence;
    private final double beginNs;
    private final double endNs;
    /** The highest depth of all, in bytes: charts of one scale can be compared. */
    private final long scale;

    EvidenceView(Evidence evidence) {
        this.evidence = evidence;
        EvidenceFilter filter = evidence.filter();
        beginNs = Math.max(0, filter.from()) * Units.NS_PER_S;
        endNs = Math.max(
                beginNs + 1, filter.to() > NO_END ? evidence.facts().lengthNs() : filter.to() * Units.NS_PER_S);
        scale = evidence.depths().stream()
                .flatMap(series -> shown(series).stream())
                .mapToLong(reading -> reading[1])
                .max()
                .orElse(1);
    }

    /** Returns the page's part of a view. */
    String html(View view) {
        Map<String, Object> values = axis();
        List<CaseEvent> events = evidence.events(view);
        int rows = Math.min(evidence.filter().rows(), events.size());
        values.put("charts", view == View.STATISTICS ? charts() : List.of());
        values.put("lanes", lanes(events));
        values.put("hasLanes", !events.isEmpty());
        values.put(
                "rows", events.subList(0, rows).stream().map(EvidenceView::row).toList());
        values.put("hasRows", rows > 0);
        values.put("isStatistics", view == View.STATISTICS);
        values.put("isScaled", view == View.STATISTICS);
        values.put("isEmpty", view != View.STATISTICS && events.isEmpty());
        values.put("hidden", events.size() - rows);
        values.put("hasHidden", events.size() > rows);
        values.put("length", String.format(Locale.ROOT, "%.3f", evidence.facts().lengthNs() / Units.NS_PER_S));
        values.put("suspect", evidence.facts().suspect());
        values.put(
                "receivers",
                evidence.facts().receivers().stream().map(Facts.Receiver::name).toList());
        values.put("counters", counters());
        List<Map<String, String>> meanings = evidence.meanings(view).entrySet().stream()
                .map(entry -> Map.of("word", entry.getKey(), "meaning", entry.getValue()))
                .toList();
        values.put("meanings", meanings);
        values.put("hasMeanings", !meanings.isEmpty());
        values.put(
                "maxima",
                evidence.maxima().entrySet().stream()
                        .map(entry -> Map.of("name", entry.getKey(), "value", Format.count(entry.getValue())))
                        .toList());
        return Page.part(EvidenceView.class, "view.html", values);
    }

    private Map<String, Object> axis() {
        Map<String, Object> values = new HashMap<>();
        values.put("scale", Format.bytes(scale));
        values.put(
                "labels",
                IntStream.range(0, LABELS)
                        .mapToObj(i -> String.format(
                                Locale.ROOT,
                                "%.3f s",
                                (beginNs + i * (endNs - beginNs) / (LABELS - 1)) / Units.NS_PER_S))
                        .toList());
        return values;
    }

    private double x(double timeNs) {
        return WIDTH * Math.max(0, Math.min(1, (timeNs - beginNs) / (endNs - beginNs)));
    }

    private List<long[]> shown(Evidence.Series series) {
        return series.readings().stream()
                .filter(reading -> reading[0] >= beginNs && reading[0] <= endNs)
                .sorted((a, b) -> Long.compare(a[0], b[0]))
                .toList();
    }

    private List<Map<String, Object>> charts() {
        return evidence.depths().stream()
                .map(this::chart)
                .filter(chart -> !String.valueOf(chart.get("line")).isEmpty())
                .toList();
    }

    /** The highest reading of each column: a short peak does not vanish. A depth stays until the next reading. */
    private Map<String, Object> chart(Evidence.Series series) {
        List<long[]> readings = shown(series);
        long highest = readings.stream().mapToLong(reading -> reading[1]).max().orElse(0);
        long highestAt = readings.stream()
                .filter(reading -> reading[1] == highest)
                .mapToLong(reading -> reading[0])
                .findFirst()
                .orElse(0);
        Map<Integer, long[]> columns = new TreeMap<>();
        for (long[] reading : readings) {
            columns.merge(
                    (int) (COLUMNS * (reading[0] - beginNs) / (endNs - beginNs)),
                    new long[] {reading[1], reading[1]},
                    (earlier, later) -> new long[] {Math.max(earlier[0], later[0]), later[1]});
        }
        StringBuilder line = new StringBuilder();
        long last = 0;
        for (Map.Entry<Integer, long[]> column : columns.entrySet()) {
            double x = WIDTH * column.getKey() / COLUMNS;
            point(line, x, last);
            point(line, x, column.getValue()[0]);
            last = column.getValue()[1];
            point(line, x, last);
        }
        if (!columns.isEmpty()) {
            point(line, WIDTH, last);
        }
        Map<String, Object> chart = new HashMap<>();
        chart.put("name", name(series.name()));
        chart.put(
                "highest",
                Format.bytes(highest) + String.format(Locale.ROOT, " at %.4f s", highestAt / Units.NS_PER_S));
        chart.put("line", line.toString());
        chart.put("isFlat", highest < FLAT * scale);
        return chart;
    }

    /** Returns {@code mds 0.0.0.0:59195} of {@code socket.mds.0.0.0.0:59195#217953.depthBytes}. */
    private static String name(String series) {
        SeriesName socket = SeriesName.of(series);
        return socket.process() + " " + socket.subject().replaceFirst("#\\d+$", "");
    }

    private void point(StringBuilder line, double x, long value) {
        line.append(line.isEmpty() ? "" : " ")
                .append(String.format(Locale.ROOT, "%.0f,%.1f", x, HEIGHT * (1 - 0.96 * value / Math.max(1, scale))));
    }

    private List<Map<String, Object>> lanes(List<CaseEvent> events) {
        Map<String, List<CaseEvent>> lanes = new LinkedHashMap<>();
        events.stream()
                .map(CaseEvent::who)
                .distinct()
                .sorted(RECEIVERS_FIRST)
                .limit(MAX_LANES)
                .forEach(who -> lanes.put(who, new ArrayList<>()));
        for (CaseEvent event : events) {
            List<CaseEvent> lane = lanes.get(event.who());
            if (lane != null && lane.size() < MAX_MARKS) {
                lane.add(event);
            }
        }
        return lanes.entrySet().stream()
                .map(lane -> Map.<String, Object>of(
                        "who",
                        lane.getKey(),
                        "told",
                        Format.counted(lane.getValue().size(), "event"),
                        "marks",
                        lane.getValue().stream().map(this::mark).toList()))
                .toList();
    }

    private Map<String, Object> mark(CaseEvent event) {
        double x = x((double) event.span().beginNs());
        return Map.of(
                "x",
                figure(Math.min(x, WIDTH - LEAST_WIDTH)),
                "width",
                figure(Math.max(LEAST_WIDTH, x((double) event.span().endNs()) - x)),
                "told",
                event.id() + " " + EventNames.of(event.type()) + " at " + event.seconds() + " s");
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static Map<String, Object> row(CaseEvent event) {
        return Map.of(
                "id", event.id(),
                "seconds", event.seconds(),
                "ms", event.lengthMs(),
                "who", event.who(),
                "what", EventNames.of(event.type()),
                "told", event.told());
    }

    private List<Map<String, Object>> counters() {
        List<Facts.Receiver> receivers = evidence.facts().receivers();
        return receivers.stream()
                .flatMap(receiver -> receiver.counters().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .map(counter -> Map.<String, Object>of(
                        "name",
                        counter,
                        "values",
                        receivers.stream()
                                .map(receiver ->
                                        Format.count(receiver.counters().getOrDefault(counter, 0L)))
                                .toList()))
                .toList();
    }
}
