package org.naklab.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.Figures;
import org.naklab.lab.process.ExchangeReport;
import org.naklab.lab.process.Role;
import org.naklab.lab.process.ServiceReport;

/** One process's figures as text, a dash for what it does not have. */
public record ServiceFigures(
        String process,
        String published,
        String received,
        String journaled,
        String naks,
        String drops,
        String blockedSends,
        String deepestSocket) {
    private static final String NONE = "-";

    /** The exchange, then its subscribers. */
    public static List<ServiceFigures> of(RunOutcome outcome) {
        List<ServiceFigures> rows = new ArrayList<>();
        ExchangeReport exchange = outcome.exchange();
        if (exchange != null) {
            rows.add(new ServiceFigures(
                    Deployment.EXCHANGE,
                    Figures.count(exchange.published()),
                    NONE,
                    NONE,
                    NONE,
                    NONE,
                    Figures.count(exchange.blockedSends()),
                    NONE));
        }
        outcome.subscribers().forEach(report -> rows.add(of(report, outcome.sockets())));
        return rows;
    }

    private static ServiceFigures of(ServiceReport report, List<SocketReading> all) {
        List<SocketReading> sockets = all.stream()
                .filter(socket -> socket.process().equals(report.name()))
                .toList();
        long drops = sockets.stream().mapToLong(SocketReading::drops).sum();
        long depth =
                sockets.stream().mapToLong(SocketReading::maxDepthBytes).max().orElse(0);
        boolean isService = report.role() == Role.SERVICE;
        return new ServiceFigures(
                report.name(),
                NONE,
                Figures.count(report.received()),
                isService ? Figures.count(report.journaled()) : NONE,
                Figures.count(report.transport().naksSent()),
                Figures.count(drops),
                isService ? Figures.count(report.blockedSends()) : NONE,
                Figures.bytes(depth));
    }
}
