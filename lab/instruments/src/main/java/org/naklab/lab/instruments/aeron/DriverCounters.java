package org.naklab.lab.instruments.aeron;

import io.aeron.AeronCounters;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.instruments.sampling.CounterDetector;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/** The driver-wide counters that are series of their own, and the events that follow from those that name no stream. */
final class DriverCounters {
    private static final long REPORT_INTERVAL_NS = 10 * Instrument.MILLISECOND_NS;
    private static final int[] IDS = {
        AeronCounters.SYSTEM_COUNTER_ID_NAK_MESSAGES_SENT,
        AeronCounters.SYSTEM_COUNTER_ID_NAK_MESSAGES_RECEIVED,
        AeronCounters.SYSTEM_COUNTER_ID_RETRANSMITS_SENT,
        AeronCounters.SYSTEM_COUNTER_ID_RETRANSMITTED_BYTES,
        AeronCounters.SYSTEM_COUNTER_ID_FLOW_CONTROL_OVER_RUNS,
        AeronCounters.SYSTEM_COUNTER_ID_LOSS_GAP_FILLS,
    };
    private static final String[] NAMES = {
        "naksSent", "naksReceived", "retransmitsSent", "retransmittedBytes", "receiverOverruns", "lossGapFills",
    };

    private final CountersReader counters;
    private final StreamReporter reporter;
    private final Series[] series = new Series[IDS.length];
    private final CounterDetector retransmitRule;
    private final CounterDetector gapFillRule;

    DriverCounters(CountersReader counters, StreamReporter reporter) {
        this.counters = counters;
        this.reporter = reporter;
        for (int i = 0; i < IDS.length; i++) {
            series[i] = new Series(SeriesName.ofProcess(SeriesSource.AERON, reporter.process(), NAMES[i]));
        }
        retransmitRule = rule(AeronCounters.SYSTEM_COUNTER_ID_RETRANSMITS_SENT);
        gapFillRule = rule(AeronCounters.SYSTEM_COUNTER_ID_LOSS_GAP_FILLS);
    }

    void sample(long nowNs, SampleSink sink) {
        for (int i = 0; i < IDS.length; i++) {
            sink.record(series[i], nowNs, counters.getCounterValue(IDS[i]));
        }
        long retransmits = retransmitRule.update(
                nowNs, counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_RETRANSMITS_SENT));
        if (retransmits > 0) {
            reporter.report(new StreamEvent.RetransmitSent(retransmitRule.sinceNs(), reporter.process(), retransmits));
        }
        long filled =
                gapFillRule.update(nowNs, counters.getCounterValue(AeronCounters.SYSTEM_COUNTER_ID_LOSS_GAP_FILLS));
        if (filled > 0) {
            reporter.report(new StreamEvent.Unrepaired(
                    gapFillRule.sinceNs(),
                    reporter.process(),
                    null,
                    filled,
                    "an unreliable stream skipped over its gap"));
        }
    }

    private CounterDetector rule(int id) {
        return new CounterDetector(REPORT_INTERVAL_NS, counters.getCounterValue(id));
    }
}
