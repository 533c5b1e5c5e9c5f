package org.naklab.lab.cli.run;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.Format;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.SocketReading;

/** The figures of one process as text; a dash stands for a figure that the process does not have. */
record ProcessSummary(String process, Feed feed, Trouble trouble) {
    private static final String NONE = "-";

    /** The events of the feed. */
    record Feed(String published, String received, String journaled) {}

    /** Tells what was lost, and what waited. */
    record Trouble(String naks, String drops, String blockedSends, String deepestSocket) {}

    /** Returns a row for the exchange and one for each of its subscribers. */
    static List<ProcessSummary> of(RunOutcome outcome) {
        List<ProcessSummary> rows = new ArrayList<>();
        ExchangeRecord exchange = outcome.exchange();
        if (exchange != null) {
            rows.add(new ProcessSummary(
                    Deployment.EXCHANGE,
                    new Feed(Format.count(exchange.sent().published()), NONE, NONE),
                    new Trouble(NONE, NONE, Format.count(exchange.sent().blockedSends()), NONE)));
        }
        outcome.subscribers().forEach(report -> rows.add(of(report, outcome.sockets())));
        return rows;
    }

    private static ProcessSummary of(ServiceReport report, List<SocketReading> all) {
        List<SocketReading> sockets = all.stream()
                .filter(socket -> socket.process().equals(report.name()))
                .toList();
        long drops = sockets.stream().mapToLong(SocketReading::drops).sum();
        long depth =
                sockets.stream().mapToLong(SocketReading::maxDepthBytes).max().orElse(0);
        boolean isService = report.servesData();
        return new ProcessSummary(
                report.name(),
                new Feed(
                        NONE,
                        Format.count(report.events().received()),
                        isService ? Format.count(report.events().journaled()) : NONE),
                new Trouble(
                        Format.count(report.intake().transport().naksSent()),
                        Format.count(drops),
                        isService ? Format.count(report.flow().blockedSends()) : NONE,
                        Format.bytes(depth)));
    }
}
