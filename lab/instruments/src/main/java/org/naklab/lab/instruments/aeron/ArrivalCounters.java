package org.naklab.lab.instruments.aeron;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.CounterDetector;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/**
 * Datagrams that came in behind later ones or once more, by the counters that a receiver of the replica adds to those of its driver. A driver
 * of another program has none.
 *
 * <pre>
 * key: 0 streamId:32  4 UDP port:32
 * </pre>
 */
final class ArrivalCounters {
    static final int OVERTAKEN_TYPE_ID = 20_471;
    static final int REPEATED_TYPE_ID = 20_472;
    static final int LONGEST_DELAY_TYPE_ID = 20_473;

    private static final long REPORT_INTERVAL_NS = 10 * Instrument.MILLISECOND_NS;

    private static final Counter[] NONE = {};

    private final CountersReader counters;
    private final StreamReporter reporter;
    private volatile Counter[] found = NONE;

    ArrivalCounters(CountersReader counters, StreamReporter reporter) {
        this.counters = counters;
        this.reporter = reporter;
    }

    /** A counter of one endpoint. */
    private static final class Counter {
        private final int id;
        private final int streamId;
        private final int port;
        private final TimelineEventType type;
        private final Series series;
        private final CounterDetector rule;

        Counter(int id, int streamId, int port, TimelineEventType type, Series series, long value) {
            this.id = id;
            this.streamId = streamId;
            this.port = port;
            this.type = type;
            this.series = series;
            rule = new CounterDetector(REPORT_INTERVAL_NS, value);
        }
    }

    /** Searches for the counters of new endpoints. */
    void find() {
        List<Counter> now = new ArrayList<>();
        counters.forEach((id, typeId, key, label) -> {
            if (typeId == OVERTAKEN_TYPE_ID || typeId == REPEATED_TYPE_ID) {
                now.add(known(id).orElseGet(() -> counter(id, typeId, key.getInt(0), key.getInt(Integer.BYTES))));
            }
        });
        found = now.toArray(NONE);
    }

    private Optional<Counter> known(int id) {
        return Arrays.stream(found).filter(counter -> counter.id == id).findFirst();
    }

    private Counter counter(int id, int typeId, int streamId, int port) {
        boolean isOvertaken = typeId == OVERTAKEN_TYPE_ID;
        return new Counter(
                id,
                streamId,
                port,
                isOvertaken ? TimelineEventType.DATAGRAMS_OVERTAKEN : TimelineEventType.DATAGRAMS_REPEATED,
                new Series(new SeriesName(
                        SeriesSource.AERON,
                        reporter.process(),
                        "stream" + streamId,
                        isOvertaken ? "datagramsOvertaken" : "datagramsRepeated")),
                counters.getCounterValue(id));
    }

    /** Takes a sample. */
    void sample(long nowNs, SampleSink sink) {
        for (Counter counter : found) {
            long value = counters.getCounterValue(counter.id);
            sink.record(counter.series, nowNs, value);
            long growth = counter.rule.update(nowNs, value);
            if (growth > 0) {
                reporter.report(counter.rule.sinceNs(), counter.type, details(counter, growth, value));
            }
        }
    }

    private Map<String, Object> details(Counter counter, long growth, long value) {
        Map<String, Object> details = new HashMap<>();
        details.put("datagrams", growth);
        details.put("total", value);
        details.put("streamId", counter.streamId);
        details.put("port", counter.port);
        if (counter.type == TimelineEventType.DATAGRAMS_OVERTAKEN) {
            details.put("longestDelayNs", longestDelayNs(counter));
        }
        return details;
    }

    /** The longest since the driver began. */
    private long longestDelayNs(Counter overtaken) {
        long[] longest = {0};
        counters.forEach((id, typeId, key, label) -> {
            if (typeId == LONGEST_DELAY_TYPE_ID
                    && key.getInt(0) == overtaken.streamId
                    && key.getInt(Integer.BYTES) == overtaken.port) {
                longest[0] = counters.getCounterValue(id);
            }
        });
        return longest[0];
    }
}
