package org.naklab.lab.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.ForeignTrafficRecord;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.replica.service.ServiceReport;

/**
 * Checks that each process received its own feed only, without an error of its transport. What else came was not used, but nobody on the
 * wire is authenticated: a run that somebody else had a hand in proves nothing, and is UNKNOWN at best.
 */
final class ForeignTrafficCheck {
    /** The claims of every process of a run. */
    enum Claims implements Claim {
        OWN_FEED_ONLY("no foreign traffic at %s"),
        NO_TRANSPORT_ERROR("transport of %s had no error");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    private ForeignTrafficCheck() {}

    /** @param subscribers those that have a final report to give */
    static List<Expectation> of(RunOutcome outcome, Set<String> subscribers) {
        List<Expectation> conditions = new ArrayList<>();
        subscribers.forEach(name -> {
            ServiceReport report = outcome.subscriber(name);
            conditions.addAll(check(
                    name,
                    report == null ? null : report.intake().foreign(),
                    report == null ? null : report.intake().transport()));
        });
        ExchangeRecord exchange = outcome.exchange();
        conditions.addAll(check(
                Deployment.EXCHANGE,
                exchange == null ? null : exchange.intake().foreign(),
                exchange == null ? null : exchange.intake().transport()));
        return conditions;
    }

    private static List<Expectation> check(
            String name, @Nullable ForeignTrafficRecord traffic, @Nullable TransportRecord transport) {
        if (traffic == null || transport == null) {
            return List.of(
                    Expectation.unknown(Claims.OWN_FEED_ONLY, name, NoLossChecks.NO_FINAL_REPORT),
                    Expectation.unknown(Claims.NO_TRANSPORT_ERROR, name, NoLossChecks.NO_FINAL_REPORT));
        }
        return List.of(
                Expectation.proven(
                        Claims.OWN_FEED_ONLY, name, traffic.equals(ForeignTrafficRecord.NONE), traffic.describe()),
                Expectation.proven(
                        Claims.NO_TRANSPORT_ERROR, name, transport.errors() == 0, Format.count(transport.errors())));
    }
}
