package org.naklab.lab.replica.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Units;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.messaging.latency.LatencyHistogram;
import org.naklab.subscriber.latency.LatencySeries;
import org.naklab.subscriber.latency.ServiceLatency;

/** Makes the records of the latencies of a subscriber after the warm-up, when it receives nothing any more. */
public final class Latencies {
    private Latencies() {}

    /** Returns the figures of each hop. */
    public static LatencyRecord figures(ServiceLatency latency) {
        LatencyHistogram dueToBook = latency.book().dueToBook();
        return new LatencyRecord(
                hop(latency.book().dueToSent()),
                hop(latency.book().sentToReceived()),
                hop(latency.journal().receivedToJournaled()),
                hop(latency.book().receivedToBook()),
                hop(latency.journal().dueToJournaled()),
                hop(latency.repairs()),
                hop(dueToBook),
                hop(latency.snapshots().boundaryToReceived()),
                new LatencyRecord.Late(
                        dueToBook.countAbove(TimeUnit.MILLISECONDS.toNanos(1)),
                        dueToBook.countAbove(TimeUnit.MILLISECONDS.toNanos(10)),
                        dueToBook.countAbove(TimeUnit.MILLISECONDS.toNanos(100))),
                latency.book().leftOut());
    }

    /** Returns the percentiles, and the latencies by the time at which the events were due. */
    public static LatencyFile.Subscriber curves(String name, ServiceLatency latency) {
        LatencySeries series = latency.book().series();
        List<LatencyFile.Interval> intervals = new ArrayList<>();
        series.forEach(entry -> intervals.add(new LatencyFile.Interval(
                entry.beginNs(), entry.count(), micros(entry.medianNs()), micros(entry.maxNs()))));
        return new LatencyFile.Subscriber(
                name,
                points(latency.book().dueToBook()),
                points(latency.journal().dueToJournaled()),
                series.intervalNs(),
                intervals);
    }

    private static LatencyRecord.Hop hop(LatencyHistogram latencies) {
        return new LatencyRecord.Hop(
                latencies.count(),
                micros(latencies.valueNs(50)),
                micros(latencies.valueNs(99)),
                micros(latencies.valueNs(99.9)),
                micros(latencies.maxNs()));
    }

    private static List<LatencyFile.Point> points(LatencyHistogram latencies) {
        return latencies.points().stream()
                .map(point -> new LatencyFile.Point(point.percentile(), micros(point.latencyNs())))
                .toList();
    }

    private static double micros(long nanos) {
        return nanos / Units.NS_PER_US;
    }
}
