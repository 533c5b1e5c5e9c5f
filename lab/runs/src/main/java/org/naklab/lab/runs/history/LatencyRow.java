package org.naklab.lab.runs.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.LatencyRecord;

/**
 * Tells how late the events of a run were at one hop of one process.
 *
 * @param hop the key of {@code run.json}
 * @param late events by their lateness; {@code null}: of another hop than {@link #DUE_TO_BOOK}
 */
public record LatencyRow(
        String process,
        String hop,
        long events,
        double p50Us,
        double p99Us,
        double p999Us,
        double maxUs,
        @JsonInclude(JsonInclude.Include.NON_NULL) LatencyRecord.@Nullable Late late) {
    /** The hop that contains all others on the way into the order books. */
    public static final String DUE_TO_BOOK = "dueToBook";

    /** The hop from the due time into the books of a customer. */
    public static final String DUE_TO_CLIENT = "dueToClient";

    /** Returns the hops of one process that any event took. */
    static List<LatencyRow> of(String process, LatencyRecord latency) {
        return Stream.of(
                        of(process, "dueToSent", latency.dueToSent(), null),
                        of(process, "sentToReceived", latency.sentToReceived(), null),
                        of(process, "receivedToJournaled", latency.receivedToJournaled(), null),
                        of(process, "receivedToBook", latency.receivedToBook(), null),
                        of(process, "dueToJournaled", latency.dueToJournaled(), null),
                        of(process, "repair", latency.repair(), null),
                        of(process, DUE_TO_BOOK, latency.dueToBook(), latency.late()),
                        of(process, "boundaryToSnapshot", latency.boundaryToSnapshot(), null))
                .filter(row -> row.events() > 0)
                .toList();
    }

    /** Returns how late the customers of a process had what they read, if they read any. */
    static List<LatencyRow> of(String process, CustomersRecord customers) {
        return Stream.of(
                        of(process, DUE_TO_CLIENT, customers.lateness().dueToClient(), null),
                        of(process, "dueToQuote", customers.lateness().dueToQuote(), null))
                .filter(row -> row.events() > 0)
                .toList();
    }

    private static LatencyRow of(
            String process, String hop, LatencyRecord.Hop figures, LatencyRecord.@Nullable Late late) {
        return new LatencyRow(
                process,
                hop,
                figures.count(),
                figures.p50Us(),
                figures.p99Us(),
                figures.p999Us(),
                figures.maxUs(),
                late);
    }
}
