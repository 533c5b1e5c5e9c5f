package org.naklab.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.Figures;
import org.naklab.lab.process.ArrivalPattern;
import org.naklab.lab.process.ExchangeReport;
import org.naklab.lab.process.Role;
import org.naklab.lab.process.ServiceReport;

/** The healthy service: every event that is published is received, applied and journaled once and in order. */
public final class Baseline implements Scenario {
    /** Share of the planned events; what is short of it was lost to the machine's own hiccups. */
    private static final double LEAST_OFFERED = 0.9;

    @Override
    public String name() {
        return "baseline";
    }

    @Override
    public String summary() {
        return "The healthy service: nothing missing, nothing lost, the journal verified";
    }

    @Override
    public Workload workload() {
        return new Workload(null, 8, ArrivalPattern.CONSTANT, 10_000, 0, TimeUnit.SECONDS.toNanos(10));
    }

    @Override
    public List<Condition> check(RunOutcome outcome) {
        List<Condition> conditions = new ArrayList<>();
        ExchangeReport exchange = outcome.exchange();
        if (exchange == null || !outcome.troubles().isEmpty()) {
            conditions.addAll(checkUnfinished(outcome));
            return conditions;
        }
        conditions.add(
                Condition.of("events were published", exchange.published() > 0, Figures.count(exchange.published())));
        conditions.addAll(checkOffered(outcome.plan().workload().plannedEvents(), exchange.published()));
        if (exchange.failure() != null) {
            conditions.add(Condition.of("the flow had no failure", false, exchange.failure()));
        }
        outcome.subscribers().forEach(subscriber -> conditions.addAll(checkSubscriber(subscriber, exchange)));
        conditions.addAll(checkJournal(outcome.journal(), exchange));
        conditions.add(Condition.none("datagrams dropped by a full socket", outcome.datagramsDropped()));
        return conditions;
    }

    @Override
    public String diagnose(RunOutcome outcome) {
        boolean troubled = outcome.naks() > 0
                || outcome.datagramsDropped() > 0
                || !outcome.troubles().isEmpty();
        return troubled ? "cannot-tell" : "clean";
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
        conditions.add(
                Condition.none(name + " sent no NAK", subscriber.transport().naksSent()));
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
