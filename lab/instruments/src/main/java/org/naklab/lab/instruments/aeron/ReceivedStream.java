package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/** A stream at a receiver: positions and NAKs, and the events that follow from them. */
final class ReceivedStream {
    private final StreamCounters.Key key;
    private final StreamReporter reporter;
    private final CountersReader counters;
    private final int naksId;
    private final int wholeId;
    private final int highestId;
    private final Series naksSeries;
    private final Series wholeSeries;
    private final Series highestSeries;
    private final GapDetector rule;

    /** @param fresh the stream began under our eyes, so that its first NAKs are news */
    ReceivedStream(
            StreamCounters.Key key,
            Int2IntHashMap ids,
            CountersReader counters,
            StreamReporter reporter,
            boolean fresh) {
        this.key = key;
        this.reporter = reporter;
        this.counters = counters;
        naksId = ids.get(AeronCounters.DRIVER_RECEIVER_NAKS_SENT_TYPE_ID);
        wholeId = ids.get(AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID);
        highestId = ids.get(AeronCounters.DRIVER_RECEIVER_HWM_TYPE_ID);
        naksSeries = new Series(reporter.series(key, "naksSent"));
        wholeSeries = new Series(reporter.series(key, "wholePositionBytes"));
        highestSeries = new Series(reporter.series(key, "highestPositionBytes"));
        rule = new GapDetector(fresh ? 0 : value(naksId), value(wholeId));
    }

    StreamCounters.Key key() {
        return key;
    }

    /** Returns whether a NAK was sent for a gap that is neither repaired nor abandoned. */
    boolean isGapOpen() {
        return rule.isOpen();
    }

    /** Takes a sample. */
    void sample(long nowNs, SampleSink sink) {
        if (!isAllocated()) {
            return;
        }
        long whole = value(wholeId);
        long highest = value(highestId);
        long naks = value(naksId);
        sink.record(naksSeries, nowNs, naks);
        sink.record(wholeSeries, nowNs, whole);
        sink.record(highestSeries, nowNs, highest);
        long newNaks = rule.newNaks(naks);
        if (newNaks > 0) {
            reporter.report(new StreamEvent.NakSent(
                    nowNs, reporter.process(), StreamReporter.stream(key), newNaks, naks, whole, highest - whole));
        }
        signal(rule.update(nowNs, naks, whole, highest), nowNs, whole);
    }

    /** Ends the stream: its image is gone, or the watch ended. */
    void finish(long nowNs, String reason) {
        if (rule.isOpen()) {
            reportUnrepaired(nowNs, reason);
        }
    }

    private void signal(GapDetector.Signal signal, long nowNs, long whole) {
        switch (signal) {
            case ADVANCED -> reportRetransmit(nowNs, whole);
            case REPAIRED -> {
                if (!rule.hasAdvanced()) {
                    reportRetransmit(nowNs, whole);
                }
                long lengthNs = nowNs - rule.firstNakNs();
                reporter.report(new StreamEvent.Repaired(
                        new Interval(nowNs, nowNs + lengthNs),
                        reporter.process(),
                        StreamReporter.stream(key),
                        rule.firstNakNs()));
            }
            case GIVEN_UP -> reportUnrepaired(nowNs, "no repair within 10 s of the last NAK");
            case NOTHING -> {}
        }
    }

    /** Aeron does not count retransmissions where they arrive. */
    private void reportRetransmit(long nowNs, long whole) {
        reporter.report(new StreamEvent.RetransmitReceived(
                nowNs,
                reporter.process(),
                StreamReporter.stream(key),
                whole,
                "receive position moved on over the gap"));
    }

    private void reportUnrepaired(long nowNs, String reason) {
        StreamEvent.Gap gap = new StreamEvent.Gap(key.channel(), key.streamId(), key.sessionId(), rule.firstNakNs());
        reporter.report(new StreamEvent.Unrepaired(nowNs, reporter.process(), gap, null, reason));
    }

    private boolean isAllocated() {
        return counters.getCounterState(wholeId) == CountersReader.RECORD_ALLOCATED
                && counters.getCounterRegistrationId(wholeId) == key.registrationId();
    }

    private long value(int counterId) {
        return counterId == StreamCounters.NONE ? 0 : counters.getCounterValue(counterId);
    }
}
