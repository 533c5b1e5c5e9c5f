package org.naklab.lab.instruments.aeron;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.StreamEvent;
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
        private final boolean isOvertaken;
        private final Series series;
        private final CounterDetector rule;

        Counter(int id, int streamId, int port, boolean isOvertaken, Series series, long value) {
            this.id = id;
            this.streamId = streamId;
            this.port = port;
            this.isOvertaken = isOvertaken;
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
                isOvertaken,
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
                reporter.report(event(counter, growth, value));
            }
        }
    }

    private StreamEvent.Disorder event(Counter counter, long growth, long value) {
        long sinceNs = counter.rule.sinceNs();
        String process = reporter.process();
        return counter.isOvertaken
                ? new StreamEvent.Overtaken(
                        sinceNs, process, counter.port, counter.streamId, growth, value, longestDelayNs(counter))
                : new StreamEvent.Repeated(sinceNs, process, counter.port, counter.streamId, growth, value);
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
