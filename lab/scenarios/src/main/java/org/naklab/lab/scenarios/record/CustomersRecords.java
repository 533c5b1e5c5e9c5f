package org.naklab.lab.scenarios.record;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.replica.customers.CustomersReport;
import org.naklab.lab.replica.customers.ServingReport;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.RunOutcome;

/** Makes the records of the customers from what they and their servers reported. */
public final class CustomersRecords {
    private CustomersRecords() {}

    /** Returns the customers of each subscriber that served some. */
    public static List<CustomersRecord> of(RunOutcome outcome) {
        CustomersReport report = outcome.customers();
        return report == null
                ? List.of()
                : report.servers().stream()
                        .flatMap(served -> Stream.ofNullable(record(served, outcome.subscriber(served.server()))))
                        .toList();
    }

    private static @Nullable CustomersRecord record(CustomersReport.Served served, @Nullable ServiceReport server) {
        ServingReport serving = server == null ? null : server.serving();
        if (server == null || serving == null) {
            return null;
        }
        int same = served.progress().books().getOrDefault(server.end().booksDigest(), 0);
        return new CustomersRecord(
                served.server(),
                served.kinds(),
                new CustomersRecord.Books(served.progress().ended(), same, served.withBooks() - same),
                new CustomersRecord.Slow(
                        serving.slow().warned(),
                        serving.slow().disconnected(),
                        served.progress().rejoined(),
                        serving.connections().refused(),
                        serving.slow().skippedQuotes()),
                new CustomersRecord.Traffic(
                        served.progress().asked(),
                        serving.slow().mostWaitingBytes(),
                        served.progress().messages()),
                serving.failure(),
                served.lateness());
    }
}
