package org.naklab.subscriber;

import static java.util.Objects.requireNonNull;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Journal;
import org.naklab.journaler.derived.RollPolicy;
import org.naklab.messaging.Backoff;
import org.naklab.messaging.MessagingContext;
import org.slf4j.LoggerFactory;

/** The part of a {@link MarketDataService.Context} that says what the service is and how it runs. */
abstract class ServiceSettings<T extends ServiceSettings<T>> extends SnapshotSettings<T> {
    private static final int MAX_RING_SIZE = 1 << 24;

    private String name = "mds";
    private ServiceRole role = ServiceRole.SERVICE;
    private MessagingContext.Context messagingContext = new MessagingContext.Context();
    private Journal.@Nullable Context journalContext;
    private @Nullable Path derivedDirectory;
    private RollPolicy derivedRollPolicy = RollPolicy.DEFAULT;
    private int ringSize = 1 << 14;
    private Supplier<IdleStrategy> idleStrategySupplier = Backoff::newStrategy;
    private NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private @Nullable NanoClock receiptClock;
    private @Nullable EpochNanoClock epochNanoClock;
    private ErrorHandler errorHandler =
            error -> LoggerFactory.getLogger(MarketDataService.class).error("the market data service fails", error);
    private @Nullable Supplier<JournalSink> journalSinkSupplier;
    private UnaryOperator<ControlledFragmentHandler> feedHandlerDecorator = UnaryOperator.identity();
    private Runnable beforeAppend = () -> {};
    private AppliedEventListener appliedEventListener = AppliedEventListener.NONE;
    private long latencyWarmUpNs;

    /** Names the threads {@code <name>-context}, {@code -journal}, {@code -business} and {@code -derived}. */
    public T name(String name) {
        this.name = requireNonNull(name);
        return self();
    }

    public String name() {
        return name;
    }

    public T role(ServiceRole role) {
        this.role = requireNonNull(role);
        return self();
    }

    public ServiceRole role() {
        return role;
    }

    /** Returns how the transport is set up; the service gives it its name, launches and closes it. */
    public T messagingContext(MessagingContext.Context messagingContext) {
        this.messagingContext = requireNonNull(messagingContext);
        return self();
    }

    public MessagingContext.Context messagingContext() {
        return messagingContext;
    }

    /** Returns where and how a service journals; has no default. A gateway does not use it. */
    public T journalContext(Journal.Context journalContext) {
        this.journalContext = requireNonNull(journalContext);
        return self();
    }

    public Journal.@Nullable Context journalContext() {
        return journalContext;
    }

    /** Returns where a service derives surveillance files and CSV from its journal; without one it derives nothing. */
    public T derivedDirectory(Path directory) {
        this.derivedDirectory = requireNonNull(directory);
        return self();
    }

    public @Nullable Path derivedDirectory() {
        return derivedDirectory;
    }

    /** Returns when the derived files roll. */
    public T derivedRollPolicy(RollPolicy policy) {
        this.derivedRollPolicy = requireNonNull(policy);
        return self();
    }

    public RollPolicy derivedRollPolicy() {
        return derivedRollPolicy;
    }

    /** Messages that the ring holds, a power of two. */
    public T ringSize(int ringSize) {
        if (Integer.bitCount(ringSize) != 1 || ringSize > MAX_RING_SIZE) {
            throw new IllegalArgumentException(
                    "ring size must be a power of two up to " + MAX_RING_SIZE + ": " + ringSize);
        }
        this.ringSize = ringSize;
        return self();
    }

    public int ringSize() {
        return ringSize;
    }

    /** Returns what journal and business threads do when they have nothing to do; by default each backs off to parks of 100 µs. */
    public T idleStrategySupplier(Supplier<IdleStrategy> supplier) {
        this.idleStrategySupplier = requireNonNull(supplier);
        return self();
    }

    public Supplier<IdleStrategy> idleStrategySupplier() {
        return idleStrategySupplier;
    }

    /** Stamps what is received, and paces snapshots. */
    public T nanoClock(NanoClock clock) {
        this.nanoClock = requireNonNull(clock);
        return self();
    }

    public NanoClock nanoClock() {
        return nanoClock;
    }

    /**
     * Sets the clock of the time at which a message was received; asked on the context thread, while the message's handler runs. By default
     * {@link #nanoClock()}. For whoever has read the clock already when the handler is called.
     */
    public T receiptClock(NanoClock clock) {
        this.receiptClock = requireNonNull(clock);
        return self();
    }

    NanoClock receiptClock() {
        return receiptClock == null ? nanoClock : receiptClock;
    }

    /** Says when a second begins; must be fit for use by several threads. */
    public T epochNanoClock(EpochNanoClock clock) {
        this.epochNanoClock = requireNonNull(clock);
        return self();
    }

    public EpochNanoClock epochNanoClock() {
        if (epochNanoClock == null) {
            epochNanoClock = new OffsetEpochNanoClock();
        }
        return epochNanoClock;
    }

    /** Told of every failure of receipt, journal and business; {@link MarketDataService#failure()} keeps the first. */
    public T errorHandler(ErrorHandler errorHandler) {
        this.errorHandler = requireNonNull(errorHandler);
        return self();
    }

    public ErrorHandler errorHandler() {
        return errorHandler;
    }

    /** Puts something around the handler that takes each message of the feed, on the context thread: a timer, an obstacle. */
    public T feedHandlerDecorator(UnaryOperator<ControlledFragmentHandler> decorator) {
        this.feedHandlerDecorator = requireNonNull(decorator);
        return self();
    }

    UnaryOperator<ControlledFragmentHandler> feedHandlerDecorator() {
        return feedHandlerDecorator;
    }

    /** Runs on the journal thread before each append. */
    public T beforeAppend(Runnable task) {
        this.beforeAppend = requireNonNull(task);
        return self();
    }

    Runnable beforeAppend() {
        return beforeAppend;
    }

    /** Is told on the business thread of each event that was applied to the books. */
    public T appliedEventListener(AppliedEventListener listener) {
        this.appliedEventListener = requireNonNull(listener);
        return self();
    }

    AppliedEventListener appliedEventListener() {
        return appliedEventListener;
    }

    /** Leaves events out of the latencies that are due earlier than so long after the first one, ns; by default none. */
    public T latencyWarmUpNs(long warmUpNs) {
        this.latencyWarmUpNs = warmUpNs;
        return self();
    }

    public long latencyWarmUpNs() {
        return latencyWarmUpNs;
    }

    /** In place of a journal. */
    T journalSinkSupplier(Supplier<JournalSink> supplier) {
        this.journalSinkSupplier = supplier;
        return self();
    }

    @Nullable
    Supplier<JournalSink> journalSinkSupplier() {
        return journalSinkSupplier;
    }
}
