package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.instruments.sampling.CounterDetector;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/** A stream at its sender: position and NAKs received. */
final class SentStream {
    private static final long NAK_REPORT_INTERVAL_NS = 10 * Instrument.MILLISECOND_NS;

    private final StreamCounters.Key key;
    private final StreamReporter reporter;
    private final CountersReader counters;
    private final int positionId;
    private final int naksId;
    private final Series positionSeries;
    private final Series naksSeries;
    private final CounterDetector nakRule;

    SentStream(
            StreamCounters.Key key,
            Int2IntHashMap ids,
            CountersReader counters,
            StreamReporter reporter,
            boolean fresh) {
        this.key = key;
        this.reporter = reporter;
        this.counters = counters;
        positionId = ids.get(AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID);
        naksId = ids.get(AeronCounters.DRIVER_SENDER_NAKS_RECEIVED_TYPE_ID);
        positionSeries = new Series(reporter.series(key, "sentPositionBytes"));
        naksSeries = new Series(reporter.series(key, "naksReceived"));
        nakRule = new CounterDetector(NAK_REPORT_INTERVAL_NS, fresh ? 0 : naks());
    }

    StreamCounters.Key key() {
        return key;
    }

    void sample(long nowNs, SampleSink sink) {
        boolean allocated = counters.getCounterState(positionId) == CountersReader.RECORD_ALLOCATED
                && counters.getCounterRegistrationId(positionId) == key.registrationId();
        if (!allocated) {
            return;
        }
        long naks = naks();
        sink.record(positionSeries, nowNs, counters.getCounterValue(positionId));
        sink.record(naksSeries, nowNs, naks);
        long newNaks = nakRule.update(nowNs, naks);
        if (newNaks > 0) {
            reporter.report(new StreamEvent.NakReceived(
                    nakRule.sinceNs(), reporter.process(), StreamReporter.stream(key), newNaks, naks));
        }
    }

    private long naks() {
        return naksId == StreamCounters.NONE ? 0 : counters.getCounterValue(naksId);
    }
}
