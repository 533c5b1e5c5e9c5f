package org.naklab.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.Figures;
import org.naklab.lab.process.ExchangeReport;
import org.naklab.lab.process.Role;
import org.naklab.lab.process.ServiceReport;

/** What every scenario predicts that loses nothing for good: all that was published came in, in order, and is in the journal. */
final class Completeness {
    /** Share of the planned events; what is short of it was lost to the machine's own hiccups. */
    private static final double LEAST_OFFERED = 0.9;

    private Completeness() {}

    /** Whether the run came to its end, so that more can be said than what {@link #check} says. */
    static boolean isFinished(RunOutcome outcome) {
        return outcome.exchange() != null && outcome.troubles().isEmpty();
    }

    static List<Condition> check(RunOutcome outcome) {
        ExchangeReport exchange = outcome.exchange();
        if (exchange == null || !isFinished(outcome)) {
            return checkUnfinished(outcome);
        }
        List<Condition> conditions = new ArrayList<>();
        conditions.add(
                Condition.of("events were published", exchange.published() > 0, Figures.count(exchange.published())));
        conditions.addAll(checkOffered(outcome.plan().workload().plannedEvents(), exchange.published()));
        if (exchange.failure() != null) {
            conditions.add(Condition.of("the flow had no failure", false, exchange.failure()));
        }
        outcome.subscribers().forEach(subscriber -> conditions.addAll(checkSubscriber(subscriber, exchange)));
        conditions.addAll(checkJournal(outcome.journal(), exchange));
        return conditions;
    }

    /** A machine too busy to send what was asked for shows nothing about that load. */
    private static List<Condition> checkOffered(long planned, long published) {
        if (planned == 0) {
            return List.of();
        }
        boolean wasOffered = published >= planned * LEAST_OFFERED;
        String figures = Figures.count(published) + " of " + Figures.count(planned);
        return List.of(
                new Condition("the load asked for was offered", wasOffered ? Verdict.PASS : Verdict.UNKNOWN, figures));
    }

    /** A run that was cut short shows nothing about its end; what it did show must be in order all the same. */
    private static List<Condition> checkUnfinished(RunOutcome outcome) {
        List<Condition> conditions = new ArrayList<>();
        outcome.troubles()
                .forEach(trouble -> conditions.add(new Condition("the run came to its end", Verdict.UNKNOWN, trouble)));
        outcome.subscribers().forEach(subscriber -> conditions.add(checkOrder(subscriber)));
        Verification journal = outcome.journal();
        if (journal != null) {
            conditions.add(Condition.of(
                    "the journal is in order as far as it goes",
                    journal.missing() == 0 && journal.duplicates() == 0 && journal.reordered() == 0,
                    Figures.count(journal.events()) + " events"));
        }
        return conditions;
    }

    private static Condition checkOrder(ServiceReport subscriber) {
        return Condition.of(
                subscriber.name() + " missing, duplicated, reordered none",
                subscriber.missing() == 0 && subscriber.duplicated() == 0 && subscriber.reordered() == 0,
                subscriber.missing() + ", " + subscriber.duplicated() + ", " + subscriber.reordered());
    }

    private static List<Condition> checkSubscriber(ServiceReport subscriber, ExchangeReport exchange) {
        String name = subscriber.name();
        List<Condition> conditions = new ArrayList<>();
        conditions.add(Condition.equal(name + " received all", subscriber.received(), exchange.published()));
        if (subscriber.role() == Role.SERVICE) {
            conditions.add(Condition.equal(name + " journaled all", subscriber.journaled(), exchange.published()));
        }
        conditions.add(checkOrder(subscriber));
        conditions.add(digest(name + " digest is the exchange's", subscriber.digest(), exchange.digest()));
        return conditions;
    }

    private static List<Condition> checkJournal(@Nullable Verification journal, ExchangeReport exchange) {
        if (journal == null) {
            return List.of(new Condition("the journal verifies", Verdict.UNKNOWN, "there is none"));
        }
        return List.of(
                Condition.of("the journal verifies", journal.passed(), Figures.count(journal.events()) + " events"),
                Condition.equal("the journal holds all", journal.events(), exchange.published()),
                digest("the journal's digest is the exchange's", journal.digest(), exchange.digest()));
    }

    private static Condition digest(String claim, long actual, long expected) {
        String figures = String.format("%08x", actual);
        return Condition.of(
                claim,
                actual == expected,
                actual == expected ? figures : figures + String.format(" not %08x", expected));
    }
}
