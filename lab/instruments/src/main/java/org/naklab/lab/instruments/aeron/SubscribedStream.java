package org.naklab.lab.instruments.aeron;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.CountersReader;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/** A stream that a client subscribes to: how much is left to poll, and for how long the client did not poll. */
final class SubscribedStream {
    private final SubscriptionCounters ids;
    private final CountersReader counters;
    private final NanoClock clock;
    private final StreamReporter reporter;
    private final UnitMember member;
    private final Series depthSeries;
    private final StandstillDetector rule;
    private volatile long maxDepthBytes;
    private volatile long windowBytes = SubscriptionSummary.UNKNOWN;
    private volatile long longestNs;
    private volatile boolean isPolled;

    SubscribedStream(
            SubscriptionCounters ids,
            CountersReader counters,
            NanoClock clock,
            StreamReporter reporter,
            UnitMember member) {
        this.ids = ids;
        this.clock = clock;
        this.counters = counters;
        this.reporter = reporter;
        this.member = member;
        depthSeries = new Series(reporter.seriesOfSubscriber(ids.key(), "unpolledBytes"));
        rule = new StandstillDetector(clock.nanoTime(), counters.getCounterValue(ids.subscriberId()));
    }

    SubscriptionCounters ids() {
        return ids;
    }

    /** Takes a sample. The position of the source is read first: the depth is never overrated. */
    void sample(long nowNs, SampleSink sink) {
        if (!ids.isAllocated(counters)) {
            return;
        }
        long available = counters.getCounterValue(ids.sourceId());
        long polled = counters.getCounterValue(ids.subscriberId());
        long depthBytes = Math.max(0, available - polled);
        sink.record(depthSeries, nowNs, depthBytes);
        if (depthBytes > maxDepthBytes) {
            maxDepthBytes = depthBytes;
        }
        if (ids.limitId() != StreamCounters.NONE) {
            windowBytes = Math.max(windowBytes, counters.getCounterValue(ids.limitId()) - polled);
        }
        if (rule.update(nowNs, polled, depthBytes)) {
            // The sampler may have lost the CPU between its look at the clock and that at the position.
            report(false, clock.nanoTime());
        }
        if (!isPolled && rule.hasMoved()) {
            isPolled = true;
            reporter.report(new StreamEvent.Polled(
                    nowNs, reporter.process(), StreamReporter.stream(ids.key()), ids.clientId()));
        }
    }

    /** Ends the observation: the watch ended. After the last sample. */
    void finish() {
        if (rule.finish()) {
            report(true, rule.endedNs());
        }
    }

    SubscriptionSummary summary() {
        return new SubscriptionSummary(
                new SubscriptionSummary.Stream(
                        ids.key().channel(), ids.key().streamId(), ids.key().sessionId(), ids.isIpc()),
                maxDepthBytes,
                windowBytes,
                longestNs,
                isPolled);
    }

    /** @param seenNs when it was seen to poll again, at the latest */
    private void report(boolean isLasting, long seenNs) {
        long durationNs = rule.endedNs() - rule.beganNs();
        longestNs = Math.max(longestNs, durationNs);
        reporter.report(new StreamEvent.Unpolled(
                new Interval(rule.beganNs(), rule.endedNs()),
                reporter.process(),
                StreamReporter.stream(ids.key()),
                seenNs,
                rule.peakBytes(),
                new StreamEvent.Subscriber(
                        ids.key().registrationId(),
                        ids.clientId(),
                        member.unit().processesOf(ids.clientId()).size(),
                        member.unit().likeliestOf(ids.clientId()) == member.pid()),
                isLasting));
    }
}
