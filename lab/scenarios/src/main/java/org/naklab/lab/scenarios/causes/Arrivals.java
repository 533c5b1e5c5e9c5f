package org.naklab.lab.scenarios.causes;

import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import org.naklab.lab.core.Format;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;

/**
 * Predictions of the order in which datagrams came in at a subscriber, and of its NAKs. If a socket dropped datagrams, the machine was busy, and what
 * was sent again after that cannot be told from the fault: the prediction is then in doubt.
 */
public final class Arrivals {
    /** The claims about the arrival of datagrams. */
    public enum Claims implements Claim {
        OVERTAKEN("%s received datagrams behind later ones"),
        NONE_OVERTAKEN("%s received no datagram behind later ones"),
        REPEATED("%s received datagrams twice"),
        NONE_REPEATED("%s received no datagram twice"),
        ASKED_AGAIN("%s asked for datagrams again"),
        NEVER_ASKED_AGAIN("%s never asked for a datagram again");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    private final RunOutcome outcome;
    private final String subscriber;

    /** @param subscriber its name */
    Arrivals(RunOutcome outcome, String subscriber) {
        this.outcome = outcome;
        this.subscriber = subscriber;
    }

    Expectation overtaken() {
        return expect(Claims.OVERTAKEN, transport -> transport.order().overtaken(), count -> count > 0);
    }

    Expectation noneOvertaken() {
        return expect(Claims.NONE_OVERTAKEN, transport -> transport.order().overtaken(), count -> count == 0);
    }

    Expectation repeated() {
        return expect(Claims.REPEATED, transport -> transport.order().repeated(), count -> count > 0);
    }

    Expectation noneRepeated() {
        return expect(Claims.NONE_REPEATED, transport -> transport.order().repeated(), count -> count == 0);
    }

    Expectation askedAgain() {
        return expect(Claims.ASKED_AGAIN, TransportRecord::naksSent, count -> count > 0);
    }

    Expectation neverAskedAgain() {
        return expect(Claims.NEVER_ASKED_AGAIN, TransportRecord::naksSent, count -> count == 0);
    }

    private Expectation expect(Claim claim, ToLongFunction<TransportRecord> figure, LongPredicate isAsPredicted) {
        ServiceReport report = outcome.subscriber(subscriber);
        if (report == null) {
            return Expectation.unknown(claim, subscriber, NoLossChecks.NO_FINAL_REPORT);
        }
        long count = figure.applyAsLong(report.intake().transport());
        Expectation expectation = Expectation.of(claim, subscriber, isAsPredicted.test(count), Format.count(count));
        return outcome.socketDrops().all() == 0 ? expectation : expectation.inDoubt();
    }
}
