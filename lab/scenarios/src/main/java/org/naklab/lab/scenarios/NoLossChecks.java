package org.naklab.lab.scenarios;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Format;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.replica.service.ServiceReport;

/**
 * The prediction of every scenario without permanent loss: all published events were received, in order, and are in the journal. Checks
 * every subscriber that was started, not only those that reported.
 */
public final class NoLossChecks {
    /** The claims of every run. */
    enum Claims implements Claim {
        RUN_ENDED("run completed"),
        EVIDENCE_KEPT("evidence was written"),
        /** A fault that the user added to those of the scenario fired. */
        ADDED_FAULT_FIRED("added fault: %s"),
        EVENTS_PUBLISHED("events were published"),
        LOAD_OFFERED("requested load was offered"),
        FLOW_UNBROKEN("order flow had no failure"),
        RECEIVED_ALL("%s received all events"),
        JOURNALED_ALL("%s journaled all events"),
        IN_ORDER("%s has no missing, duplicated or reordered events"),
        SAME_DIGEST("%s has the exchange's digest"),
        JOURNAL_ON_DISK("journal is on disk"),
        JOURNAL_VERIFIES("journal verifies"),
        JOURNAL_HOLDS_ALL("journal contains all events"),
        JOURNAL_SAME_DIGEST("journal has the exchange's digest"),
        /** Replaces the three claims above if the run was cut short. */
        JOURNAL_IN_ORDER_SO_FAR("journal is intact up to its end");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    public static final String NO_FINAL_REPORT = "no final report";

    private static final String NO_JOURNAL = "there is none";
    /** Share of the planned events; what is short of it was lost to the machine's own hiccups. */
    private static final double LEAST_OFFERED = 0.9;

    private NoLossChecks() {}

    /** Returns true if the run was completed, so that more can be checked than in {@link #check}. */
    public static boolean isFinished(RunOutcome outcome) {
        return outcome.exchange() != null && outcome.troubles().isEmpty();
    }

    public static List<Expectation> check(RunOutcome outcome) {
        return check(outcome, Set.of());
    }

    /**
     * Checks a run whose scenario ends subscribers on purpose.
     *
     * @param victims subscribers that need not have received all; what the journal of a service has until its end must be intact
     */
    public static List<Expectation> check(RunOutcome outcome, Set<String> victims) {
        List<Expectation> conditions = new ArrayList<>(checkCompleteness(outcome, victims));
        conditions.addAll(AddedFaults.check(outcome));
        return conditions;
    }

    /**
     * Checks the same for a scenario that judges by itself what the added faults came to.
     *
     * @param victims subscribers that need not have received all
     */
    public static List<Expectation> checkCompleteness(RunOutcome outcome, Set<String> victims) {
        Map<String, Role> survivors = new LinkedHashMap<>(outcome.deployed());
        survivors.keySet().removeAll(victims);
        List<Expectation> conditions = new ArrayList<>(checkEnd(outcome));
        ExchangeRecord exchange = outcome.exchange();
        if (exchange == null || !isFinished(outcome)) {
            survivors.forEach((name, role) -> {
                conditions.add(checkOrder(name, outcome.subscriber(name)));
                if (role == Role.SERVICE) {
                    conditions.add(checkForced(outcome.subscriber(name)));
                }
            });
            conditions.add(checkUnfinishedJournal(outcome.journal()));
        } else {
            conditions.addAll(checkFlow(outcome.plan().workload().plannedEvents(), exchange));
            survivors.forEach(
                    (name, role) -> conditions.addAll(checkSubscriber(name, role, outcome.subscriber(name), exchange)));
            conditions.addAll(
                    survivors.containsValue(Role.SERVICE)
                            ? checkJournal(outcome.journal(), exchange)
                            : List.of(checkUnfinishedJournal(outcome.journal())));
            conditions.addAll(Customers.check(outcome, victims));
        }
        conditions.addAll(ForeignTrafficCheck.of(outcome, survivors.keySet()));
        conditions.add(checkEvidence(outcome.observation().unkept()));
        return conditions;
    }

    /** A run that was cut short shows nothing about its end; what it did show must be in order all the same. */
    private static List<Expectation> checkEnd(RunOutcome outcome) {
        if (isFinished(outcome)) {
            return List.of(Expectation.proven(Claims.RUN_ENDED, true, Format.seconds(outcome.elapsedNs())));
        }
        if (outcome.troubles().isEmpty()) {
            return List.of(Expectation.unknown(Claims.RUN_ENDED, "", "the exchange sent no final report"));
        }
        return outcome.troubles().stream()
                .map(trouble -> Expectation.unknown(Claims.RUN_ENDED, "", trouble))
                .toList();
    }

    /** Checks that all evidence was kept; lost evidence may have contradicted the prediction. */
    private static Expectation checkEvidence(List<String> unkept) {
        return Expectation.proven(
                Claims.EVIDENCE_KEPT, unkept.isEmpty(), unkept.isEmpty() ? "all" : String.join("; ", unkept));
    }

    private static List<Expectation> checkFlow(long planned, ExchangeRecord exchange) {
        long published = exchange.sent().published();
        List<Expectation> conditions = new ArrayList<>();
        conditions.add(Expectation.of(Claims.EVENTS_PUBLISHED, published > 0, Format.count(published)));
        if (planned > 0) {
            // A machine too busy to send what was asked for shows nothing about that load.
            conditions.add(Expectation.proven(
                    Claims.LOAD_OFFERED,
                    published >= planned * LEAST_OFFERED,
                    Format.count(published) + " of " + Format.count(planned)));
        }
        String failure = exchange.end().failure();
        boolean isWhole = failure == null && exchange.end().done();
        String whyNot = failure == null ? "the exchange did not reach its trailer" : failure;
        conditions.add(Expectation.of(Claims.FLOW_UNBROKEN, isWhole, isWhole ? "none" : whyNot));
        return conditions;
    }

    /** Checks that the journal is on disk; no other condition detects data that is only in the page cache. */
    private static Expectation checkForced(@Nullable ServiceReport service) {
        if (service == null) {
            return Expectation.unknown(Claims.JOURNAL_ON_DISK, "", NO_FINAL_REPORT);
        }
        boolean isForced = Boolean.TRUE.equals(service.intake().journalForced());
        return Expectation.of(Claims.JOURNAL_ON_DISK, isForced, isForced ? "forced" : "it could not be forced to disk");
    }

    private static Expectation checkOrder(String name, @Nullable ServiceReport subscriber) {
        if (subscriber == null) {
            return Expectation.unknown(Claims.IN_ORDER, name, NO_FINAL_REPORT);
        }
        return Expectation.of(
                Claims.IN_ORDER,
                name,
                subscriber.events().missing() == 0
                        && subscriber.events().duplicated() == 0
                        && subscriber.events().reordered() == 0,
                subscriber.events().missing() + ", " + subscriber.events().duplicated() + ", "
                        + subscriber.events().reordered());
    }

    private static List<Expectation> checkSubscriber(
            String name, Role role, @Nullable ServiceReport subscriber, ExchangeRecord exchange) {
        List<Expectation> conditions = new ArrayList<>();
        conditions.add(
                subscriber == null
                        ? Expectation.unknown(Claims.RECEIVED_ALL, name, NO_FINAL_REPORT)
                        : Expectation.equal(
                                Claims.RECEIVED_ALL,
                                name,
                                subscriber.events().received(),
                                exchange.sent().published()));
        if (role == Role.SERVICE) {
            conditions.add(
                    subscriber == null
                            ? Expectation.unknown(Claims.JOURNALED_ALL, name, NO_FINAL_REPORT)
                            : Expectation.equal(
                                    Claims.JOURNALED_ALL,
                                    name,
                                    subscriber.events().journaled(),
                                    exchange.sent().published()));
            conditions.add(checkForced(subscriber));
        }
        conditions.add(checkOrder(name, subscriber));
        conditions.add(
                subscriber == null
                        ? Expectation.unknown(Claims.SAME_DIGEST, name, NO_FINAL_REPORT)
                        : digest(
                                Claims.SAME_DIGEST,
                                name,
                                subscriber.end().digest(),
                                exchange.sent().digest()));
        return conditions;
    }

    private static Expectation checkUnfinishedJournal(@Nullable Verification journal) {
        return journal == null
                ? Expectation.unknown(Claims.JOURNAL_IN_ORDER_SO_FAR, "", NO_JOURNAL)
                : Expectation.of(
                        Claims.JOURNAL_IN_ORDER_SO_FAR,
                        journal.missing() == 0 && journal.duplicates() == 0 && journal.reordered() == 0,
                        Format.count(journal.events()) + " events");
    }

    private static List<Expectation> checkJournal(@Nullable Verification journal, ExchangeRecord exchange) {
        if (journal == null) {
            return List.of(
                    Expectation.unknown(Claims.JOURNAL_VERIFIES, "", NO_JOURNAL),
                    Expectation.unknown(Claims.JOURNAL_HOLDS_ALL, "", NO_JOURNAL),
                    Expectation.unknown(Claims.JOURNAL_SAME_DIGEST, "", NO_JOURNAL));
        }
        return List.of(
                checkVerified(journal),
                Expectation.equal(
                        Claims.JOURNAL_HOLDS_ALL,
                        "",
                        journal.events(),
                        exchange.sent().published()),
                digest(
                        Claims.JOURNAL_SAME_DIGEST,
                        "",
                        journal.digest(),
                        exchange.sent().digest()));
    }

    private static Expectation checkVerified(Verification journal) {
        String figures = Format.count(journal.events()) + " events";
        if (journal.isEmpty()) {
            return Expectation.unknown(Claims.JOURNAL_VERIFIES, "", figures + ": " + journal.verdict());
        }
        return Expectation.of(
                Claims.JOURNAL_VERIFIES,
                journal.passed(),
                journal.passed() ? figures : figures + ": " + journal.verdict());
    }

    private static Expectation digest(Claim kind, String about, long actual, long expected) {
        String figures = String.format("%08x", actual);
        return Expectation.of(
                kind,
                about,
                actual == expected,
                actual == expected ? figures : figures + String.format(" not %08x", expected));
    }
}
