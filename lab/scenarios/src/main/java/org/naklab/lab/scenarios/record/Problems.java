package org.naklab.lab.scenarios.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Format;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.InstrumentCoverage;

/** Collects what is wrong with a run whatever its scenario was, for a diagnosis that knows nothing of scenarios. */
public final class Problems {
    private final List<String> lines = new ArrayList<>();

    private Problems() {}

    /**
     * Lists the problems, each one line.
     *
     * @param deployed the subscribers that were started, by their names
     */
    public static List<String> of(
            Map<String, Role> deployed,
            @Nullable ExchangeRecord exchange,
            List<ServiceReport> subscribers,
            @Nullable Verification journal,
            List<String> troubles,
            InstrumentCoverage observation) {
        Problems problems = new Problems();
        problems.lines.addAll(troubles);
        deployed.keySet().stream()
                .filter(name ->
                        subscribers.stream().noneMatch(report -> report.name().equals(name)))
                .forEach(name -> problems.lines.add(name + " gave no final report"));
        subscribers.forEach(report -> problems.addLosses(report, exchange));
        if (journal == null || !journal.passed()) {
            problems.lines.add(journal == null ? "there is no journal to verify" : "the journal does not verify");
        }
        deployed.keySet().stream()
                .filter(observation.sight().unseenSockets()::contains)
                .forEach(name -> problems.lines.add("no instrument saw the sockets of " + name));
        problems.lines.addAll(observation.unkept());
        return List.copyOf(problems.lines);
    }

    private void addLosses(ServiceReport report, @Nullable ExchangeRecord exchange) {
        add(report.name(), report.events().missing(), "missing");
        add(report.name(), report.events().duplicated(), "duplicated");
        add(report.name(), report.events().reordered(), "reordered");
        if (exchange != null && report.events().received() != exchange.sent().published()) {
            lines.add(
                    report.name() + " received " + Format.count(report.events().received()) + " of "
                            + Format.count(exchange.sent().published()) + " events");
        }
        if (exchange != null && report.end().digest() != exchange.sent().digest()) {
            lines.add(report.name() + " received other events than the exchange sent");
        }
    }

    private void add(String name, long count, String what) {
        if (count > 0) {
            lines.add(name + ": " + Format.count(count) + " events " + what);
        }
    }
}
