package org.naklab.lab.tools.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Journal;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.RollPeriod;
import org.naklab.journaler.Verification;
import org.naklab.journaler.derived.RollPolicy;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.Units;
import org.naklab.lab.tools.pipeline.BenchDirectory;
import org.naklab.lab.tools.pipeline.EncodedFeed;
import org.naklab.lab.tools.pipeline.Pipeline;
import org.naklab.lab.tools.tune.workload.Figure;
import org.naklab.lab.tools.tune.workload.WorkloadResult;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;

/**
 * Opens one descriptor after the other, as clients that connect do, in the process of a service whose files roll. When the limit is reached, three things must hold:
 * receipt goes on, the loss of the derived files is reported within a second, and the journal is complete. A round in which one of them does not hold fails.
 */
public final class DescriptorShortage {
    private static final int EVENTS_PER_SECOND = 20_000;
    private static final int MOST_EVENTS = 80_000;
    private static final int INSTRUMENTS = 8;
    private static final long DERIVED_FILE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long WAIT_NS = 1_000_000;

    private DescriptorShortage() {}

    /**
     * Tells what became of the service in one round.
     *
     * @param perSecond events per second received, in the books and in the journal
     * @param openedDescriptors beside those of the service
     * @param reportedNs from the first descriptor that was refused until the loss of the derived files was reported; -1: it was not
     * @param notDerived events that are in the journal and not in the derived files
     * @param verification of the journal after the service has ended
     */
    record Outcome(
            double perSecond,
            int openedDescriptors,
            boolean isShort,
            long reportedNs,
            long notDerived,
            int events,
            Verification verification) {
        private static final long WITHIN_NS = TimeUnit.SECONDS.toNanos(1);

        /** Returns what does not hold, a sentence for each; empty: all does. */
        List<String> violations() {
            List<String> violations = new ArrayList<>();
            if (!verification.passed() || verification.events() != events) {
                violations.add("the journal has " + verification.events() + " of " + events + " events: "
                        + verification.verdict());
            }
            if (isShort && reportedNs < 0) {
                violations.add("the loss of the derived files was not reported");
            }
            if (isShort && reportedNs > WITHIN_NS) {
                violations.add("the loss of the derived files was reported after "
                        + Math.round(reportedNs / Units.NS_PER_MS) + " ms only");
            }
            if (!isShort && notDerived > 0) {
                violations.add(notDerived + " events were not derived though descriptors were left");
            }
            return violations;
        }
    }

    /**
     * Measures; the events must be enough for a few seconds.
     *
     * @throws IllegalStateException one of the three things did not hold
     */
    public static WorkloadResult run(long seed, int events, int rounds) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, Math.min(events, MOST_EVENTS));
        List<Outcome> measured = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            Outcome outcome = round(feed);
            if (!outcome.violations().isEmpty()) {
                throw new IllegalStateException(String.join("; ", outcome.violations()));
            }
            measured.add(outcome);
        }
        Outcome first = measured.get(0);
        return new WorkloadResult(
                measured.stream().map(Outcome::perSecond).toList(),
                List.of(
                        figure(
                                "loss reported after, ms",
                                measured,
                                outcome -> Math.max(0, outcome.reportedNs()) / Units.NS_PER_MS),
                        figure("events not derived", measured, Outcome::notDerived),
                        figure("events in the journal", measured, outcome -> outcome.verification()
                                .events())),
                List.of(
                        first.openedDescriptors() + " descriptors were opened beside those of the service"
                                + (first.isShort() ? ", then none was left" : ", and more were left"),
                        "the journal is complete: " + first.verification().events() + " events",
                        first.isShort()
                                ? "the loss of the derived files was reported"
                                : "the derived files are complete"));
    }

    private static Outcome round(EncodedFeed feed) throws Exception {
        DescriptorTaker taker = new DescriptorTaker();
        try (BenchDirectory directory = new BenchDirectory()) {
            Observer observer = new Observer(directory, taker, feed.events());
            double perSecond = perSecond(new Pipeline(feed, directory, observer, EVENTS_PER_SECOND), taker);
            long refusedNs = taker.refusedNs();
            long lostNs = observer.lostNs;
            return new Outcome(
                    perSecond,
                    taker.opened(),
                    taker.isRefused(),
                    lostNs == 0 ? -1 : Math.max(0, lostNs - refusedNs),
                    feed.events() - observer.derived,
                    feed.events(),
                    JournalVerifier.verify(observer.journal));
        }
    }

    private static double perSecond(Pipeline pipeline, DescriptorTaker taker) throws InterruptedException {
        try {
            return pipeline.perSecond();
        } finally {
            taker.end();
        }
    }

    private static Figure figure(String name, List<Outcome> rounds, ToDoubleFunction<Outcome> value) {
        return new Figure(name, Median.of(rounds.stream().mapToDouble(value)));
    }

    private static final class Observer implements Pipeline.Observer {
        private final Path journal;
        private final Path derivedDirectory;
        private final DescriptorTaker taker;
        private final long events;
        private volatile long lostNs;
        private @Nullable MarketDataService service;
        private long derived;

        Observer(BenchDirectory directory, DescriptorTaker taker, long events) {
            this.events = events;
            journal = directory.disk();
            derivedDirectory = directory.disk();
            this.taker = taker;
        }

        @Override
        public void prepare(MarketDataService.Context context, MessagingContext.Context messaging, String aeron) {
            context.journalContext(new Journal.Context()
                            .directory(journal)
                            .forceOnClose(false)
                            .rollPeriod(RollPeriod.SECOND))
                    .derivedDirectory(derivedDirectory)
                    .derivedRollPolicy(new RollPolicy(64L << 20, DERIVED_FILE_NS))
                    .errorHandler(failure -> onFailure());
        }

        /** Every failure of the service is reported here; one of the derived files ends nothing else. */
        private void onFailure() {
            if (lostNs == 0) {
                lostNs = System.nanoTime();
            }
        }

        @Override
        public void onLaunch(MarketDataService launched) {
            service = launched;
            taker.start(launched.counters(), events);
        }

        /** The derived files may be behind: they follow the journal. */
        @Override
        public void onEnd() {
            MarketDataService launched = service;
            if (launched == null) {
                return;
            }
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (!launched.isDerived() && launched.derivedFailure() == null && System.nanoTime() - deadlineNs < 0) {
                LockSupport.parkNanos(WAIT_NS);
            }
            derived = launched.derivedEvents();
        }
    }
}
