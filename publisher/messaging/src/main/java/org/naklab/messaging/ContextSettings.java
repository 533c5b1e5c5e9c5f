package org.naklab.messaging;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.publication.YieldStrategy;

/** The part of a {@link MessagingContext.Context} that says who it is, how it waits and whom it tells. */
abstract class ContextSettings<T extends ContextSettings<T>> extends TransportSettings<T> {
    private static final long STALL_THRESHOLD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private String name = "messaging";
    private @Nullable TopicChannels channels;
    private @Nullable String aeronDirectory;
    private @Nullable IdleStrategy idleStrategy;
    private @Nullable ErrorHandler errorHandler;
    private YieldStrategy yieldStrategy = YieldStrategy.ofThread();
    private Supplier<Lock> wakeUpLockSupplier = ReentrantLock::new;
    private ContextListener listener = ContextListener.NONE;
    private DutyCycleListener dutyCycleListener = DutyCycleListener.NONE;
    private long stallThresholdNs = STALL_THRESHOLD_NS;

    /** Names the thread and the Aeron client. */
    public T name(String name) {
        this.name = requireNonNull(name);
        return self();
    }

    public String name() {
        return name;
    }

    /** Returns where the topics are; has no default. */
    public T channels(TopicChannels channels) {
        this.channels = requireNonNull(channels);
        return self();
    }

    public TopicChannels channels() {
        return requireNonNull(channels, "channels are not set");
    }

    /**
     * Directory of the context's own driver: made at launch, deleted at close. It must not exist, and no other user may be able to write
     * to its parent, which is made if it is missing. Default: a new one in shared memory.
     */
    public T aeronDirectory(String directory) {
        this.aeronDirectory = requireNonNull(directory);
        return self();
    }

    public String aeronDirectory() {
        if (aeronDirectory == null) {
            aeronDirectory = AeronDirectories.next(name);
        }
        return aeronDirectory;
    }

    /** Returns what the context's thread does when it has nothing to do; default: {@link Backoff}. */
    public T idleStrategy(IdleStrategy idleStrategy) {
        this.idleStrategy = requireNonNull(idleStrategy);
        return self();
    }

    public IdleStrategy idleStrategy() {
        if (idleStrategy == null) {
            idleStrategy = Backoff.newStrategy();
        }
        return idleStrategy;
    }

    /** Called on the context's thread when the wake-up lock is held at the end of a rate-limit interval. */
    public T yieldStrategy(YieldStrategy yieldStrategy) {
        this.yieldStrategy = requireNonNull(yieldStrategy);
        return self();
    }

    public YieldStrategy yieldStrategy() {
        return yieldStrategy;
    }

    /** One lock a rate-limited publication; default {@link ReentrantLock}. Senders hold it while they send. */
    public T wakeUpLockSupplier(Supplier<Lock> supplier) {
        this.wakeUpLockSupplier = requireNonNull(supplier);
        return self();
    }

    public Supplier<Lock> wakeUpLockSupplier() {
        return wakeUpLockSupplier;
    }

    public T listener(ContextListener listener) {
        this.listener = requireNonNull(listener);
        return self();
    }

    public ContextListener listener() {
        return listener;
    }

    /** Told of each duty cycle; has no bearing on what else is heard. */
    public T dutyCycleListener(DutyCycleListener dutyCycleListener) {
        this.dutyCycleListener = requireNonNull(dutyCycleListener);
        return self();
    }

    public DutyCycleListener dutyCycleListener() {
        return dutyCycleListener;
    }

    /** Told of every error of driver, client and context thread; by default the first of each kind is logged, and at close how often each came. */
    public T errorHandler(ErrorHandler errorHandler) {
        this.errorHandler = requireNonNull(errorHandler);
        return self();
    }

    public ErrorHandler errorHandler() {
        if (errorHandler == null) {
            errorHandler = new DistinctErrorHandler(name);
        }
        return errorHandler;
    }

    /** A duty cycle, or a gap between two, of at least this length is a stall. */
    public T stallThresholdNs(long ns) {
        if (ns <= 0) {
            throw new IllegalArgumentException("stall threshold must be positive: " + ns + " ns");
        }
        this.stallThresholdNs = ns;
        return self();
    }

    public long stallThresholdNs() {
        return stallThresholdNs;
    }
}
