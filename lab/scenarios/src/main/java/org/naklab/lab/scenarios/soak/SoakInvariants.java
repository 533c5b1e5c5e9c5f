package org.naklab.lab.scenarios.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.inspection.Inspection;
import org.naklab.lab.scenarios.inspection.ProcessReading;
import org.naklab.lab.scenarios.inspection.ProcessUse;

/** Tells what must hold at the end of a soak in addition to {@link NoLossChecks}: faults undone, books equal, resources given back. */
public final class SoakInvariants {
    /** The claims of a soak. */
    public enum Claims implements Claim {
        LIVED("%s lived until the end"),
        FAULTS_FIRED("faults fired"),
        FAULTS_UNDONE("faults were undone"),
        BOOKS_EQUAL("order books of %s equal those of the journal"),
        FREE_TO_RUN("%s is not stopped, and its threads may use their CPUs again"),
        MEMORY_BOUNDED("anonymous memory of %s is bounded"),
        JOURNAL_PAGES_BOUNDED("resident pages of the journal are bounded"),
        NO_DESCRIPTOR_LEFT("%s leaked no descriptor"),
        NO_THREAD_LEFT("%s leaked no thread"),
        NO_PROCESS_LEFT("%s left no child process");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** Growth of a JVM whose heap is touched at the start: code cache, metadata, stacks, and what the allocator keeps. */
    public static final long MOST_GROWTH_BYTES = 96L << 20;

    /** A few blocks of the journal, however long it is. */
    public static final long MOST_JOURNAL_BYTES = 256L << 20;

    /** Share of the faults that must have fired; on a busy machine, some have nothing to act on while they are armed. */
    static final double LEAST_FIRED = 0.8;

    private static final String NOT_READ = "could not be read";

    private final RunOutcome outcome;
    private final List<Expectation> conditions = new ArrayList<>();

    private SoakInvariants(RunOutcome outcome) {
        this.outcome = outcome;
    }

    /** @param killed subscribers that a fault of the plan kills */
    static List<Expectation> check(RunOutcome outcome, Set<String> killed) {
        List<String> survivors = outcome.deployed().keySet().stream()
                .filter(name -> !killed.contains(name))
                .toList();
        SoakInvariants invariants = new SoakInvariants(outcome);
        survivors.forEach(invariants::requireLife);
        if (NoLossChecks.isFinished(outcome)) {
            invariants.requireFaults(killed);
            survivors.forEach(invariants::requireBooks);
            Stream.concat(Stream.of(Deployment.EXCHANGE), survivors.stream()).forEach(invariants::requireResources);
            invariants.requireJournalPages();
            invariants.requireNothingLeft(Inspection.LAB);
        }
        return List.copyOf(invariants.conditions);
    }

    /** A process that ends while the flow goes on is a failure, not a doubt: the faults of a soak must not end it. */
    private void requireLife(String process) {
        boolean hasCounted = outcome.counted() != null;
        if (outcome.subscriber(process) != null) {
            conditions.add(Expectation.of(Claims.LIVED, process, true, "it gave a final report"));
        } else if (hasCounted) {
            conditions.add(Expectation.of(Claims.LIVED, process, false, NoLossChecks.NO_FINAL_REPORT));
        } else {
            conditions.add(Expectation.unknown(Claims.LIVED, process, NoLossChecks.NO_FINAL_REPORT));
        }
    }

    /** What a killed process has not told ended with it. */
    private void requireFaults(Set<String> killed) {
        List<AddedFaults.Result> results = AddedFaults.results(outcome).stream()
                .filter(result -> result.report() != null || !killed.contains(result.process()))
                .toList();
        if (results.isEmpty()) {
            return;
        }
        List<AddedFaults.Result> idle =
                results.stream().filter(result -> !result.hasFired()).toList();
        int fired = results.size() - idle.size();
        conditions.add(Expectation.proven(
                Claims.FAULTS_FIRED,
                fired >= results.size() * LEAST_FIRED,
                fired + " of " + results.size() + (idle.isEmpty() ? "" : "; not " + joined(idle.stream()))));
        List<String> left = results.stream()
                .filter(result -> result.report() == null || result.report().left() != null)
                .map(result -> result + " "
                        + (result.report() == null
                                ? "reported nothing"
                                : result.report().left()))
                .toList();
        conditions.add(Expectation.of(
                Claims.FAULTS_UNDONE,
                left.isEmpty(),
                left.isEmpty() ? "all " + results.size() : String.join("; ", left)));
    }

    private static String joined(Stream<AddedFaults.Result> results) {
        return results.map(AddedFaults.Result::toString).distinct().collect(Collectors.joining(", "));
    }

    private void requireBooks(String process) {
        ServiceReport report = outcome.subscriber(process);
        Inspection inspection = outcome.inspection();
        Long expected = inspection == null ? null : inspection.journalBooksDigest();
        if (report == null || expected == null) {
            conditions.add(Expectation.unknown(
                    Claims.BOOKS_EQUAL,
                    process,
                    report == null ? NoLossChecks.NO_FINAL_REPORT : "the journal could not be replayed"));
        } else {
            boolean isEqual = report.end().booksDigest() == expected;
            String digest = String.format("%08x", report.end().booksDigest());
            conditions.add(Expectation.of(
                    Claims.BOOKS_EQUAL,
                    process,
                    isEqual,
                    isEqual ? digest : digest + String.format(" not %08x", expected)));
        }
    }

    private void requireResources(String process) {
        require(
                Claims.FREE_TO_RUN,
                process,
                (begin, end) -> !end.isStopped() && confined(begin, end).isEmpty(),
                (begin, end) -> {
                    if (end.isStopped()) {
                        return "it is stopped";
                    }
                    String confined = confined(begin, end);
                    return confined.isEmpty() ? "as before" : confined;
                });
        require(
                Claims.MEMORY_BOUNDED,
                process,
                (begin, end) -> end.anonymousBytes() - begin.anonymousBytes() <= MOST_GROWTH_BYTES,
                (begin, end) ->
                        Format.bytes(begin.anonymousBytes()) + ", at the end " + Format.bytes(end.anonymousBytes()));
        requireNothingLeft(process);
    }

    /** Threads that lived before and may use other CPUs now. */
    private static String confined(ProcessReading begin, ProcessReading end) {
        return begin.affinity().entrySet().stream()
                .filter(thread -> {
                    String now = end.affinity().get(thread.getKey());
                    return now != null && !now.equals(thread.getValue());
                })
                .map(thread -> "thread " + thread.getKey() + " may use CPU "
                        + end.affinity().get(thread.getKey()) + ", before " + thread.getValue())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private void requireNothingLeft(String process) {
        requireNoMore(Claims.NO_DESCRIPTOR_LEFT, process, ProcessReading::descriptors);
        requireNoMore(Claims.NO_THREAD_LEFT, process, ProcessReading::threads);
        requireNoMore(Claims.NO_PROCESS_LEFT, process, ProcessReading::children);
    }

    private void requireNoMore(Claims claim, String process, Function<ProcessReading, Map<String, Integer>> counts) {
        require(
                claim,
                process,
                (begin, end) -> ProcessReading.more(counts.apply(begin), counts.apply(end))
                        .isEmpty(),
                (begin, end) -> {
                    Map<String, Integer> more = ProcessReading.more(counts.apply(begin), counts.apply(end));
                    String figures = ProcessReading.count(counts.apply(begin)) + ", at the end "
                            + ProcessReading.count(counts.apply(end));
                    return more.isEmpty() ? figures : figures + "; more: " + more;
                });
    }

    private void requireJournalPages() {
        ProcessUse service = use(Deployment.SERVICE);
        if (service == null || service.end() == null) {
            conditions.add(Expectation.unknown(Claims.JOURNAL_PAGES_BOUNDED, "", NOT_READ));
        } else {
            conditions.add(Expectation.of(
                    Claims.JOURNAL_PAGES_BOUNDED,
                    service.maxJournalBytes() <= MOST_JOURNAL_BYTES,
                    Format.bytes(service.maxJournalBytes()) + " at most"));
        }
    }

    private void require(
            Claims claim,
            String process,
            BiFunction<ProcessReading, ProcessReading, Boolean> holds,
            BiFunction<ProcessReading, ProcessReading, String> figures) {
        ProcessUse use = use(process);
        ProcessReading begin = use == null ? null : use.begin();
        ProcessReading end = use == null ? null : use.end();
        conditions.add(
                begin == null || end == null
                        ? Expectation.unknown(claim, process, NOT_READ)
                        : Expectation.of(claim, process, holds.apply(begin, end), figures.apply(begin, end)));
    }

    private @Nullable ProcessUse use(String process) {
        Inspection inspection = outcome.inspection();
        return inspection == null ? null : inspection.of(process).orElse(null);
    }
}
