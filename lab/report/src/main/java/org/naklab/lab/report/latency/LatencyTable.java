package org.naklab.lab.report.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.Format;
import org.naklab.lab.records.SubscriberRecord;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.LatencyRecord;

/** The figures of each hop at each subscriber, as rows of a table. */
public final class LatencyTable {
    private LatencyTable() {}

    /** Returns the rows of the hops that any event took. */
    public static List<Map<String, String>> rows(List<SubscriberRecord> subscribers, List<CustomersRecord> customers) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (SubscriberRecord subscriber : subscribers) {
            LatencyRecord latency = subscriber.effects().latency();
            if (latency != null) {
                String name = subscriber.name();
                add(rows, name, "due → sent", latency.dueToSent());
                add(rows, name, "sent → received", latency.sentToReceived());
                add(rows, name, "received → in the journal", latency.receivedToJournaled());
                add(rows, name, "received → in the books", latency.receivedToBook());
                add(rows, name, "due → in the journal", latency.dueToJournaled());
                add(rows, name, "due → in the books", latency.dueToBook());
                add(rows, name, "datagram missing → repaired", latency.repair());
                add(rows, name, "second boundary → snapshot received", latency.boundaryToSnapshot());
            }
        }
        for (CustomersRecord each : customers) {
            add(
                    rows,
                    each.server(),
                    "due → in the books of a client",
                    each.lateness().dueToClient());
            add(
                    rows,
                    each.server(),
                    "due → best price at a client",
                    each.lateness().dueToQuote());
        }
        return rows;
    }

    private static void add(List<Map<String, String>> rows, String process, String hop, LatencyRecord.Hop figures) {
        if (figures.count() > 0) {
            rows.add(Map.of(
                    "process", process,
                    "hop", hop,
                    "count", Format.count(figures.count()),
                    "p50", LatencyRecord.milliseconds(figures.p50Us()),
                    "p99", LatencyRecord.milliseconds(figures.p99Us()),
                    "p999", LatencyRecord.milliseconds(figures.p999Us()),
                    "max", LatencyRecord.milliseconds(figures.maxUs())));
        }
    }
}
