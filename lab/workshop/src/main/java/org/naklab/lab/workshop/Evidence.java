package org.naklab.lab.workshop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.workshop.meaning.Meaning;
import org.naklab.lab.workshop.seal.EventNames;

/** Evidence of a trainee's case, as much of it as was asked for. */
public final class Evidence {
    private static final int CHARTS = 6;

    private final SealedCase.Content content;
    private final EvidenceFilter filter;

    Evidence(SealedCase.Content content, EvidenceFilter filter) {
        this.content = content;
        this.filter = filter;
    }

    /**
     * A series of readings.
     *
     * @param readings each with its nanoseconds since the begin of the case, and its value
     */
    public record Series(String name, List<long[]> readings) {
        public Series {
            readings = List.copyOf(readings);
        }
    }

    /** Returns the facts of the case: its counters and its length. */
    public Facts facts() {
        return content.facts();
    }

    /** Returns what was asked for. */
    public EvidenceFilter filter() {
        return filter;
    }

    /** Returns the largest readings that are of use, by their names. */
    public Map<String, Long> maxima() {
        Map<String, Long> maxima = new TreeMap<>(facts().maxima());
        maxima.keySet()
                .removeIf(name -> !(name.contains("heartbeat")
                        || name.contains("retransmi")
                        || name.contains("ring")
                        || name.contains("lag")
                        || name.startsWith("timer")));
        return maxima;
    }

    /** Returns the depths of the receive queues in bytes, those with the most readings first. */
    public List<Series> depths() {
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
        return series.entrySet().stream()
                .sorted((a, b) ->
                        Integer.compare(b.getValue().size(), a.getValue().size()))
                .limit(CHARTS)
                .map(entry -> new Series(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Returns the begin of a chart of a series: of its readings or of what was asked for, in nanoseconds since the begin of the case. */
    long beginNs(Series series) {
        long begin = series.readings().stream().mapToLong(each -> each[0]).min().orElse(0);
        return Math.max(begin, Math.round(Math.max(-Units.NS_PER_S, filter.from()) * Units.NS_PER_S));
    }

    /** Returns the end of a chart of a series: of its readings or of what was asked for, in nanoseconds since the begin of the case. */
    long endNs(Series series) {
        long end = series.readings().stream().mapToLong(each -> each[0]).max().orElse(1);
        return Math.min(end, filter.to() > 1e6 ? end : Math.round(filter.to() * Units.NS_PER_S));
    }

    /** Returns the highest readings of equal parts of the time of a chart: a short peak does not vanish. */
    long[] columns(Series series, int count) {
        long begin = beginNs(series);
        long width = Math.max(1, (endNs(series) - begin) / count);
        long[] columns = new long[count];
        for (long[] reading : series.readings()) {
            long column = Math.floorDiv(reading[0] - begin, width);
            if (column >= 0 && column < count) {
                columns[(int) column] = Math.max(columns[(int) column], reading[1]);
            }
        }
        return columns;
    }

    /** Returns the events of a view that were asked for, the earliest first; more than its filter wants to show. */
    public List<CaseEvent> events(View view) {
        return content.events().stream()
                .filter(event -> view.shows(event.type()) && filter.shows(event))
                .sorted((a, b) -> Long.compare(a.span().beginNs(), b.span().beginNs()))
                .toList();
    }

    /** Returns what the words of a view mean, of as much of it as its filter shows: its counters and readings, or its events in their order. */
    public Map<String, String> meanings(View view) {
        Map<String, String> meanings = new LinkedHashMap<>();
        if (view == View.STATISTICS) {
            Map<String, String> sorted = new TreeMap<>();
            facts().receivers().stream()
                    .flatMap(receiver -> receiver.counters().keySet().stream())
                    .forEach(counter -> sorted.put(counter, Meaning.ofCounter(counter)));
            maxima().keySet().forEach(name -> sorted.put(Meaning.lastPart(name), Meaning.ofReading(name)));
            if (!depths().isEmpty()) {
                sorted.put("depthBytes", Meaning.CHART);
            }
            meanings.putAll(sorted);
        } else {
            events(view).stream()
                    .limit(filter.rows())
                    .map(CaseEvent::type)
                    .forEach(type -> meanings.put(EventNames.of(type), Meaning.of(type)));
        }
        meanings.values().removeIf(String::isEmpty);
        return meanings;
    }
}
