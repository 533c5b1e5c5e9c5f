package org.naklab.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.Figures;
import org.naklab.lab.process.ExchangeReport;
import org.naklab.lab.process.Role;
import org.naklab.lab.process.ServiceReport;

/**
 * What every scenario predicts that loses nothing for good: all that was published came in, in order, and is in the journal. It asks
 * every subscriber that was started, not only those that reported.
 */
final class Completeness {
    /** What every run is judged by. */
    enum Claims implements Claim {
        RUN_ENDED("the run came to its end"),
        EVIDENCE_KEPT("the evidence was kept"),
        EVENTS_PUBLISHED("events were published"),
        LOAD_OFFERED("the load asked for was offered"),
        FLOW_UNBROKEN("the flow had no failure"),
        RECEIVED_ALL("%s received all"),
        JOURNALED_ALL("%s journaled all"),
        IN_ORDER("%s missing, duplicated, reordered none"),
        SAME_DIGEST("%s digest is the exchange's"),
        JOURNAL_ON_DISK("the journal is on disk"),
        JOURNAL_VERIFIES("the journal verifies"),
        JOURNAL_HOLDS_ALL("the journal holds all"),
        JOURNAL_SAME_DIGEST("the journal's digest is the exchange's"),
        /** In place of the three above where the run was cut short. */
        JOURNAL_IN_ORDER_SO_FAR("the journal is in order as far as it goes");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    static final String NO_LAST_WORD = "it gave no last word";

    private static final String NO_JOURNAL = "there is none";
    /** Share of the planned events; what is short of it was lost to the machine's own hiccups. */
    private static final double LEAST_OFFERED = 0.9;

    private Completeness() {}

    /** Whether the run came to its end, so that more can be said than what {@link #check} says. */
    static boolean isFinished(RunOutcome outcome) {
        return outcome.exchange() != null && outcome.troubles().isEmpty();
    }

    static List<Condition> check(RunOutcome outcome) {
        List<Condition> conditions = new ArrayList<>(checkEnd(outcome));
        ExchangeReport exchange = outcome.exchange();
        if (exchange == null || !isFinished(outcome)) {
            outcome.deployed().forEach((name, role) -> {
                conditions.add(checkOrder(name, outcome.subscriber(name)));
                if (role == Role.SERVICE) {
                    conditions.add(checkForced(outcome.subscriber(name)));
                }
            });
            conditions.add(checkUnfinishedJournal(outcome.journal()));
        } else {
            conditions.addAll(checkFlow(outcome.plan().workload().plannedEvents(), exchange));
            outcome.deployed()
                    .forEach((name, role) ->
                            conditions.addAll(checkSubscriber(name, role, outcome.subscriber(name), exchange)));
            conditions.addAll(checkJournal(outcome.journal(), exchange));
        }
        conditions.addAll(ForeignTrafficCheck.of(outcome));
        conditions.add(checkEvidence(outcome.observation().unkept()));
        return conditions;
    }

    /** A run that was cut short shows nothing about its end; what it did show must be in order all the same. */
    private static List<Condition> checkEnd(RunOutcome outcome) {
        if (isFinished(outcome)) {
            return List.of(Condition.proven(Claims.RUN_ENDED, true, Figures.seconds(outcome.elapsedNs())));
        }
        if (outcome.troubles().isEmpty()) {
            return List.of(Condition.unknown(Claims.RUN_ENDED, "", "the exchange gave no last word"));
        }
        return outcome.troubles().stream()
                .map(trouble -> Condition.unknown(Claims.RUN_ENDED, "", trouble))
                .toList();
    }

    /** What was not kept may have been what speaks against the prediction. */
    private static Condition checkEvidence(List<String> unkept) {
        return Condition.proven(
                Claims.EVIDENCE_KEPT, unkept.isEmpty(), unkept.isEmpty() ? "all of it" : String.join("; ", unkept));
    }

    private static List<Condition> checkFlow(long planned, ExchangeReport exchange) {
        long published = exchange.published();
        List<Condition> conditions = new ArrayList<>();
        conditions.add(Condition.of(Claims.EVENTS_PUBLISHED, published > 0, Figures.count(published)));
        if (planned > 0) {
            // A machine too busy to send what was asked for shows nothing about that load.
            conditions.add(Condition.proven(
                    Claims.LOAD_OFFERED,
                    published >= planned * LEAST_OFFERED,
                    Figures.count(published) + " of " + Figures.count(planned)));
        }
        String failure = exchange.failure();
        boolean isWhole = failure == null && exchange.done();
        String whyNot = failure == null ? "the exchange did not come to its trailer" : failure;
        conditions.add(Condition.of(Claims.FLOW_UNBROKEN, isWhole, isWhole ? "none" : whyNot));
        return conditions;
    }

    /** What is only in the page cache reads as well as what is on disk, so that no other condition tells. */
    private static Condition checkForced(@Nullable ServiceReport service) {
        if (service == null) {
            return Condition.unknown(Claims.JOURNAL_ON_DISK, "", NO_LAST_WORD);
        }
        return Condition.of(
                Claims.JOURNAL_ON_DISK,
                service.journalForced(),
                service.journalForced() ? "forced" : "it could not be forced");
    }

    private static Condition checkOrder(String name, @Nullable ServiceReport subscriber) {
        if (subscriber == null) {
            return Condition.unknown(Claims.IN_ORDER, name, NO_LAST_WORD);
        }
        return Condition.of(
                Claims.IN_ORDER,
                name,
                subscriber.missing() == 0 && subscriber.duplicated() == 0 && subscriber.reordered() == 0,
                subscriber.missing() + ", " + subscriber.duplicated() + ", " + subscriber.reordered());
    }

    private static List<Condition> checkSubscriber(
            String name, Role role, @Nullable ServiceReport subscriber, ExchangeReport exchange) {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(
                subscriber == null
                        ? Condition.unknown(Claims.RECEIVED_ALL, name, NO_LAST_WORD)
                        : Condition.equal(Claims.RECEIVED_ALL, name, subscriber.received(), exchange.published()));
        if (role == Role.SERVICE) {
            conditions.add(
                    subscriber == null
                            ? Condition.unknown(Claims.JOURNALED_ALL, name, NO_LAST_WORD)
                            : Condition.equal(
                                    Claims.JOURNALED_ALL, name, subscriber.journaled(), exchange.published()));
            conditions.add(checkForced(subscriber));
        }
        conditions.add(checkOrder(name, subscriber));
        conditions.add(
                subscriber == null
                        ? Condition.unknown(Claims.SAME_DIGEST, name, NO_LAST_WORD)
                        : digest(Claims.SAME_DIGEST, name, subscriber.digest(), exchange.digest()));
        return conditions;
    }

    private static Condition checkUnfinishedJournal(@Nullable Verification journal) {
        return journal == null
                ? Condition.unknown(Claims.JOURNAL_IN_ORDER_SO_FAR, "", NO_JOURNAL)
                : Condition.of(
                        Claims.JOURNAL_IN_ORDER_SO_FAR,
                        journal.missing() == 0 && journal.duplicates() == 0 && journal.reordered() == 0,
                        Figures.count(journal.events()) + " events");
    }

    private static List<Condition> checkJournal(@Nullable Verification journal, ExchangeReport exchange) {
        if (journal == null) {
            return List.of(
                    Condition.unknown(Claims.JOURNAL_VERIFIES, "", NO_JOURNAL),
                    Condition.unknown(Claims.JOURNAL_HOLDS_ALL, "", NO_JOURNAL),
                    Condition.unknown(Claims.JOURNAL_SAME_DIGEST, "", NO_JOURNAL));
        }
        return List.of(
                checkVerified(journal),
                Condition.equal(Claims.JOURNAL_HOLDS_ALL, "", journal.events(), exchange.published()),
                digest(Claims.JOURNAL_SAME_DIGEST, "", journal.digest(), exchange.digest()));
    }

    private static Condition checkVerified(Verification journal) {
        String figures = Figures.count(journal.events()) + " events";
        if (journal.isEmpty()) {
            return Condition.unknown(Claims.JOURNAL_VERIFIES, "", figures + ": " + journal.verdict());
        }
        return Condition.of(
                Claims.JOURNAL_VERIFIES,
                journal.passed(),
                journal.passed() ? figures : figures + ": " + journal.verdict());
    }

    private static Condition digest(Claim kind, String about, long actual, long expected) {
        String figures = String.format("%08x", actual);
        return Condition.of(
                kind,
                about,
                actual == expected,
                actual == expected ? figures : figures + String.format(" not %08x", expected));
    }
}
