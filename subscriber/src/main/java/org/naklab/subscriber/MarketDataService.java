package org.naklab.subscriber;

import static java.util.Objects.requireNonNull;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Journal;
import org.naklab.journaler.derived.DerivedWriters;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.RateLimitMode;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.subscriber.feed.FeedIdCheck;
import org.naklab.subscriber.latency.ServiceLatency;

/**
 * The market data service of the incident, or a gateway of its control group.
 *
 * <pre>
 *   OrderBookEvents ══▶ context thread ─▶ ring ─┬─▶ journal thread   system of record   (service only)
 *                             ▲                 │         └─▶ derived thread  surveillance, CSV
 *                             │                 └─▶ business thread  order books
 *   OrderBookSnapshots ◀══════╧═══════ offer ◀──────────────────────────┘ each second    (service only)
 * </pre>
 *
 * <p>With {@link Context#snapshotContext}, a context thread of their own sends the snapshots.
 *
 * <p>The ring is gated by both threads: when one falls behind, the ring fills and the transport keeps what does not fit.
 */
public final class MarketDataService implements AutoCloseable {
    private static final int CLOSE_RETRY_MS = 10_000;

    private final Context context;
    private final ServiceFailure failure;
    private final ServiceFailure derivedFailure;
    private final ServiceCounters counters;
    private final ServiceLatency latency;
    private final MessagingContext messaging;
    /** Sends the snapshots; the same as that which receives, unless they have a transport of their own. */
    private final MessagingContext snapshotMessaging;

    private final @Nullable JournalSink journal;
    private final @Nullable SnapshotSeries snapshots;
    private final @Nullable DerivedWriters derived;
    private final List<AgentRunner> runners = new ArrayList<>();

    private MarketDataService(
            Context context,
            MessagingContext messaging,
            MessagingContext snapshotMessaging,
            @Nullable JournalSink journal) {
        this.context = context;
        this.messaging = messaging;
        this.snapshotMessaging = snapshotMessaging;
        this.journal = journal;
        failure = new ServiceFailure(context.errorHandler());
        derivedFailure = new ServiceFailure(context.errorHandler());
        counters = new ServiceCounters(journal != null);
        RingBuffer<RingSlot> ring =
                RingBuffer.createSingleProducer(RingSlot::new, context.ringSize(), new BusySpinWaitStrategy());
        FeedReceiver receiver =
                new FeedReceiver(ring, context.receiptClock(), failure, counters, new FeedIdCheck(messaging::feedId));
        messaging.addSubscription(
                Topic.ORDER_BOOK_EVENTS, context.feedHandlerDecorator().apply(receiver));
        latency = new ServiceLatency(
                context.nanoClock(),
                context.epochNanoClock(),
                context.latencyWarmUpNs(),
                messaging.arrivals(Topic.ORDER_BOOK_EVENTS));
        SnapshotCheck check =
                context.role() == ServiceRole.GATEWAY ? new SnapshotCheck(context.snapshotLevels()) : null;
        if (check != null) {
            messaging.addSubscription(
                    Topic.ORDER_BOOK_SNAPSHOTS,
                    new SnapshotViewer(context.snapshotListener(), counters, latency.snapshots(), check));
        }
        if (journal != null) {
            run(journalAgent(ring, journal));
        }
        // Closed after the journal's, so that it can catch up with all of the journal.
        derived = derivedWriters();
        OrderBooks books = new OrderBooks();
        snapshots = context.role() == ServiceRole.SERVICE ? snapshotSeries(books) : null;
        run(businessAgent(ring, books, check));
    }

    /**
     * Starts a service or a gateway; it takes part in the feed when this returns.
     *
     * @throws IllegalStateException when the context has been launched before
     * @throws org.naklab.messaging.MessagingException when the transport cannot be set up
     * @throws org.naklab.journaler.JournalException when there is no journal to be created in the directory
     */
    public static MarketDataService launch(Context context) {
        context.conclude();
        JournalSink journal = context.openJournal();
        MessagingContext messaging = null;
        MessagingContext snapshotMessaging = null;
        try {
            messaging = MessagingContext.launch(context.messagingContext());
            MessagingContext.Context own = context.snapshotContext();
            snapshotMessaging = own == null ? messaging : MessagingContext.launch(own);
            MarketDataService service = new MarketDataService(context, messaging, snapshotMessaging, journal);
            service.start();
            return service;
        } catch (RuntimeException e) {
            // Nothing has started: the runners' threads come last.
            CloseHelper.quietCloseAll(messaging, snapshotMessaging, journal);
            throw e;
        }
    }

    /** Readable by any thread, also after {@link #close()}. */
    public ServiceCounters counters() {
        return counters;
    }

    /** Returns how late events were; to be read when the feed has ended, or after {@link #close()}. */
    public ServiceLatency latency() {
        return latency;
    }

    /** The transport, for its statistics; the service closes it. */
    public MessagingContext messaging() {
        return messaging;
    }

    /** Returns the transport that sends the snapshots, for its statistics: {@link #messaging()}, unless they have one of their own. */
    public MessagingContext snapshotMessaging() {
        return snapshotMessaging;
    }

    /** The id of the feed that is received; 0 until it is known. Any thread. */
    public long feedId() {
        return messaging.feedId();
    }

    /**
     * The first failure, or null: a journal that cannot be written, a feed that breaks its rules. It ends receipt; the journal can
     * also fail when the service is closed. Any thread.
     */
    public @Nullable Throwable failure() {
        return failure.get();
    }

    /** Returns whether the journal was closed and forced to disk, or there is none to force. Any thread. */
    public boolean isJournalForced() {
        return journal == null || journal.isForced();
    }

    /** Events in all derived formats; 0 without any. Any thread. */
    public long derivedEvents() {
        return derived == null ? 0 : derived.eventsWritten();
    }

    /** Returns whether the derived formats hold all up to the trailer, or there are none to derive. Any thread. */
    public boolean isDerived() {
        return derived == null || derived.isFinished();
    }

    /** Returns what ended the derived formats before the trailer, or null; journal and books go on without them. Any thread. */
    public @Nullable Throwable derivedFailure() {
        return derivedFailure.get();
    }

    /** Ends receipt, lets journal and books take what the ring holds, ends the threads and closes the journal. */
    @Override
    public void close() {
        if (snapshots != null) {
            snapshots.stop();
        }
        messaging.close();
        if (snapshotMessaging != messaging) {
            snapshotMessaging.close();
        }
        for (AgentRunner runner : runners) {
            runner.close(CLOSE_RETRY_MS, thread -> context.errorHandler()
                    .onError(new IllegalStateException(
                            thread.getName() + " has not ended within " + CLOSE_RETRY_MS + " ms; waiting on")));
        }
    }

    private void start() {
        runners.forEach(AgentRunner::startOnThread);
        if (snapshotMessaging != messaging) {
            snapshotMessaging.start();
        }
        messaging.start();
    }

    private void run(Agent agent) {
        run(agent, failure);
    }

    private void run(Agent agent, ServiceFailure agentFailure) {
        runners.add(new AgentRunner(
                context.idleStrategySupplier().get(), agentFailure::set, null, new GuardedAgent(agent, agentFailure)));
    }

    private @Nullable DerivedWriters derivedWriters() {
        Journal.Context journalContext = context.journalContext();
        Path directory = context.derivedDirectory();
        if (context.role() == ServiceRole.GATEWAY || journalContext == null || directory == null) {
            return null;
        }
        DerivedWriters writers = DerivedWriters.create(new DerivedWriters.Context()
                .roleName(context.name() + "-derived")
                .journalDirectory(journalContext.directory())
                .outputDirectory(directory)
                .rollPolicy(context.derivedRollPolicy())
                .books(new OrderBooks())
                .eventsAppended(counters::journaled));
        run(writers, derivedFailure);
        return writers;
    }

    private Agent journalAgent(RingBuffer<RingSlot> ring, JournalSink journal) {
        return new JournalAgent(
                context.name() + "-journal",
                gatingPoller(ring),
                new EpochOffset(context.nanoClock(), context.epochNanoClock()),
                journal,
                counters,
                this::feedId,
                latency.journal());
    }

    private Agent businessAgent(RingBuffer<RingSlot> ring, OrderBooks books, @Nullable SnapshotCheck check) {
        return new BusinessAgent(
                context.name() + "-business",
                gatingPoller(ring),
                new FeedProcessor(
                        books,
                        counters,
                        latency.book(),
                        new SuspectBooks(books, counters, context.nanoClock(), check, context.appliedEventListener()),
                        context.appliedEventListener()),
                snapshots,
                context.epochNanoClock());
    }

    private SnapshotSeries snapshotSeries(OrderBooks books) {
        RateLimitMode mode = context.snapshotRateMode();
        RateLimit rateLimit = context.snapshotRateLimit();
        int maxLength = SnapshotEncoder.maxLength(context.snapshotLevels());
        ContextPublication publication = snapshotMessaging.addPublication(
                Topic.ORDER_BOOK_SNAPSHOTS, mode == RateLimitMode.NONE ? null : rateLimit);
        if (maxLength > publication.maxPayloadLength()) {
            throw new IllegalArgumentException("snapshots of " + context.snapshotLevels() + " levels take " + maxLength
                    + " bytes; a datagram takes " + publication.maxPayloadLength());
        }
        SnapshotPacer pacer = mode == RateLimitMode.APPLICATION ? new SnapshotPacer(rateLimit, maxLength) : null;
        return new SnapshotSeries(
                books,
                publication,
                pacer,
                context.nanoClock(),
                context.snapshotLevels(),
                context.snapshotIntervalNs(),
                counters);
    }

    private static EventPoller<RingSlot> gatingPoller(RingBuffer<RingSlot> ring) {
        EventPoller<RingSlot> poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        return poller;
    }

    /** Named properties with defaults; {@code x(value)} sets and returns this, {@code x()} reads. Launches once. */
    public static final class Context extends ServiceSettings<Context> {
        private final AtomicBoolean isConcluded = new AtomicBoolean();

        @Override
        Context self() {
            return this;
        }

        /**
         * Fills in what was left to its default; {@link MarketDataService#launch} calls it.
         *
         * @throws IllegalStateException when called again, or when a service has no journal context
         */
        public Context conclude() {
            if (!isConcluded.compareAndSet(false, true)) {
                throw new IllegalStateException("the context " + name() + " has been launched before");
            }
            if (role() == ServiceRole.SERVICE && journalContext() == null && journalSinkSupplier() == null) {
                throw new IllegalStateException(name() + " is a service: it needs a journal context");
            }
            messagingContext().name(name());
            MessagingContext.Context ofSnapshots = snapshotContext();
            if (ofSnapshots != null) {
                ofSnapshots.name(snapshotContextName(name()));
            }
            epochNanoClock();
            return this;
        }

        /** Returns the name of the transport that sends the snapshots of a service, if they have one of their own. */
        public static String snapshotContextName(String service) {
            return service + "-snapshots";
        }

        private @Nullable JournalSink openJournal() {
            if (role() == ServiceRole.GATEWAY) {
                return null;
            }
            Supplier<JournalSink> supplier = journalSinkSupplier();
            return supplier == null
                    ? new JournalFile(Journal.create(requireNonNull(journalContext())), beforeAppend())
                    : supplier.get();
        }
    }
}
