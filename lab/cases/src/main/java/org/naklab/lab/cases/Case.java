package org.naklab.lab.cases;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.readings.Reading;

/**
 * The evidence of a run or of a watch before judgement. It has nothing that comes from an injector of faults; see {@link Truth}.
 *
 * @param document {@code case.json}
 * @param events of the timeline, by time
 * @param readings of the series that were kept over time, by name, each by time
 */
public record Case(CaseDocument document, List<TimelineEvent> events, Map<SeriesName, List<Reading>> readings) {
    public Case {
        events = List.copyOf(events);
        readings = Map.copyOf(readings);
    }

    /** Returns the input of the diagnosis of one port. */
    CaseFile fileOf(int port, List<TimelineEvent> eventsOfPort) {
        CaseDocument.Counters counters = document.counters();
        return new CaseFile(
                document.subject().suspect(),
                port,
                document.clock().counted(),
                eventsOfPort,
                counters.receivers().stream()
                        .map(CaseDocument.Receiver::counters)
                        .toList(),
                counters.maxima(),
                allReadings(),
                document.limits().problems());
    }

    /** A table of readings has no row of a series that never changed; the document has its name. */
    private Map<SeriesName, List<Reading>> allReadings() {
        Map<SeriesName, List<Reading>> all = new HashMap<>(readings);
        document.counters().silentSeries().forEach(name -> all.putIfAbsent(name, List.of()));
        return all;
    }
}
