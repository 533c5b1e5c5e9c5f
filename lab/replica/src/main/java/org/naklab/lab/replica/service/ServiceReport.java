package org.naklab.lab.replica.service;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.SubscriberRecord;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.replica.customers.ServingReport;

/**
 * Tells what a subscriber reports: the figures that {@code run.json} keeps, and those for other files.
 *
 * @param curves its latencies as curves; {@code null} while it receives
 * @param serving what became of its customers; {@code null}: it has none
 * @param recent what is told only while it receives; {@code null} afterwards
 */
public record ServiceReport(
        @JsonUnwrapped SubscriberRecord subscriber,
        LatencyFile.@Nullable Subscriber curves,
        @Nullable ServingReport serving,
        @Nullable Recent recent) {
    /**
     * Tells how far the way into the order books is.
     *
     * @param applied events that are in the order books
     * @param latency of the events that came into the books since the report before
     */
    public record Recent(long applied, ProcessPace.Latency latency) {}

    /** Returns the name of the process. */
    public String name() {
        return subscriber.name();
    }

    /** Returns whether it is the market data service. */
    public boolean servesData() {
        return subscriber.servesData();
    }

    /** Returns the events that it received. */
    public SubscriberRecord.Events events() {
        return subscriber.events();
    }

    /** Returns what it passed on, and what waited for it. */
    public SubscriberRecord.Flow flow() {
        return subscriber.flow();
    }

    /** Returns the state in which it ended. */
    public SubscriberRecord.End end() {
        return subscriber.end();
    }

    /** Returns what came through its transport. */
    public SubscriberRecord.Intake intake() {
        return subscriber.intake();
    }

    /** Returns what became of its faults, by their ids. */
    public Map<String, FaultRecord> faults() {
        return subscriber.effects().faults();
    }

    /** Returns how late the events were; null if it was not measured, or it still receives. */
    public @Nullable LatencyRecord latency() {
        return subscriber.effects().latency();
    }

    /** Returns this report with other figures. */
    public ServiceReport with(UnaryOperator<SubscriberRecord> change) {
        return new ServiceReport(change.apply(subscriber), curves, serving, recent);
    }
}
