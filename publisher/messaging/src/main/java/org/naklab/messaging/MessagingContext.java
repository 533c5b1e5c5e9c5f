package org.naklab.messaging;

import io.aeron.Aeron;
import io.aeron.AvailableImageHandler;
import io.aeron.ExclusivePublication;
import io.aeron.UnavailableImageHandler;
import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.RegistrationException;
import io.aeron.logbuffer.ControlledFragmentHandler;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.guard.ArrivalOrder;
import org.naklab.messaging.publication.AeronSink;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.DatagramSink;
import org.naklab.messaging.publication.ManagedPublication;
import org.naklab.messaging.publication.RateController;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.UnlimitedPublication;

/**
 * The transport of one process, standing for an LBM context: one thread runs Aeron's driver, hands on what arrives and fires
 * timers, the rate limits' among them. A stall in any of them is a stall of all.
 *
 * <p>Set up on one thread between {@link #launch} and {@link #start}; from then on the context's own thread alone touches
 * driver and client. {@link ContextPublication}s and the readers of statistics may be used by any thread.
 */
public final class MessagingContext implements AutoCloseable {
    private static final int CLOSE_RETRY_MS = 10_000;

    private final Context context;
    private final Aeron client;
    private final ReceiveSockets receiveSockets;
    private final ErrorCounter errorCounter;
    private final TransportCounters counters;
    private final ContextAgent agent;
    private final AgentRunner runner;
    private boolean isStarted;

    private MessagingContext(Context context) {
        this.context = context;
        errorCounter = new ErrorCounter(context.errorHandler());
        receiveSockets = new ReceiveSockets(context);
        AeronDirectories.requireSafe(context.aeronDirectory());
        MediaDriver driver = MediaDriver.launch(DriverConfiguration.driver(context, receiveSockets, errorCounter));
        client = connect(driver);
        counters = new TransportCounters(new File(context.aeronDirectory()), errorCounter::errors, receiveSockets);
        agent = new ContextAgent(context, driver, client, counters, errorCounter);
        runner = new AgentRunner(context.idleStrategy(), errorCounter, null, agent);
    }

    /** Returns the name of the context thread of a context. */
    public static String threadName(String contextName) {
        return contextName + "-context";
    }

    /**
     * Starts driver and client, but no thread yet.
     *
     * @throws IllegalStateException when the context has been launched before
     * @throws MessagingException when there are no sockets, or when the Aeron directory exists or is not safe from other users
     */
    public static MessagingContext launch(Context context) {
        context.conclude();
        return new MessagingContext(context);
    }

    /**
     * Before {@link #start()}. {@code rateLimit} null: unlimited.
     *
     * @throws MessagingException when the channel cannot be opened
     */
    public ContextPublication addPublication(Topic topic, @Nullable RateLimit rateLimit) {
        requireNotStarted();
        String uri = context.channels().uri(topic) + "|mtu=" + context.mtuBytes(topic) + sessionOf(topic);
        ExclusivePublication publication;
        try {
            publication = client.addExclusivePublication(uri, topic.streamId());
        } catch (RegistrationException e) {
            throw refused(topic, e);
        }
        ManagedPublication managed = manage(publication, rateLimit);
        agent.add(publication, managed);
        return managed;
    }

    /**
     * Before {@link #start()}. The handler runs on the context thread; ABORT leaves the fragment for the next cycle.
     *
     * @throws MessagingException when the channel cannot be opened
     */
    public void addSubscription(Topic topic, ControlledFragmentHandler handler) {
        requireNotStarted();
        ContextListener listener = context.listener();
        NanoClock clock = context.nanoClock();
        AvailableImageHandler onAvailable =
                image -> listener.onImageAvailable(topic, image.sessionId(), clock.nanoTime());
        UnavailableImageHandler onUnavailable =
                image -> listener.onImageUnavailable(topic, image.sessionId(), clock.nanoTime());
        String uri = context.channels().uri(topic);
        try {
            agent.add(client.addSubscription(uri, topic.streamId(), onAvailable, onUnavailable), handler);
        } catch (RegistrationException e) {
            throw refused(topic, e);
        }
        receiveSockets.readGranted(context.channels().port(topic));
    }

    /**
     * Before {@link #start()}. Runs {@code task} on the context thread at each multiple of the interval after this call;
     * multiples that a stall runs over are skipped.
     */
    public void addTimer(long intervalNs, Runnable task) {
        requireNotStarted();
        agent.add(new ContextTimer(intervalNs, context.nanoClock().nanoTime(), task));
    }

    /** Starts the context's thread, named after the context: {@code <name>-context}. */
    public MessagingContext start() {
        requireNotStarted();
        isStarted = true;
        AgentRunner.startOnThread(runner);
        return this;
    }

    /** The id of the feed that is announced or, without that, was first received; {@link FeedId#UNKNOWN} until then. Any thread. */
    public long feedId() {
        return context.feedId() == FeedId.UNKNOWN
                ? receiveSockets.feedId(context.channels().port(Topic.ORDER_BOOK_EVENTS))
                : context.feedId();
    }

    /** The driver's counters; readable by any thread, also after {@link #close()}. */
    public CountersReader counters() {
        return counters.reader();
    }

    /** Readable by any thread, also after {@link #close()}. */
    public TransportStatistics statistics() {
        return counters.statistics();
    }

    /** Aeron's loss report, one entry a stream that lost; readable by any thread, also after {@link #close()}. */
    public List<LossEntry> lossEntries() {
        return counters.lossEntries();
    }

    /** Writes Aeron's loss report to a file that Aeron's own tools read; also after {@link #close()}. */
    public void copyLossReport(Path file) throws IOException {
        counters.copyLossReport(file);
    }

    /**
     * SO_RCVBUF in bytes that the kernel granted to the topic's socket. Linux accounts for twice as much and charges each
     * datagram with what it takes in memory (832 bytes for a small one), so a buffer of 128 KiB holds 315 small datagrams.
     *
     * @throws MessagingException when nothing subscribes to the topic
     */
    public int grantedReceiveBufferBytes(Topic topic) {
        return receiveSockets.grantedBytes(context.channels().port(topic));
    }

    /**
     * Returns the order in which the datagrams of a topic came in; any thread.
     *
     * @throws MessagingException when nothing subscribes to the topic
     */
    public ArrivalOrder arrivals(Topic topic) {
        ArrivalOrder arrivals = receiveSockets.arrivals(context.channels().port(topic));
        if (arrivals == null) {
            throw new MessagingException("nothing subscribes to " + topic.label());
        }
        return arrivals;
    }

    /** Sends what was accepted, ends the thread, closes client and driver, and deletes Aeron's directory. */
    @Override
    public void close() {
        runner.close(
                CLOSE_RETRY_MS,
                thread -> errorCounter.onError(new MessagingException(
                        thread.getName() + " has not ended within " + CLOSE_RETRY_MS + " ms; waiting on")));
        if (context.errorHandler() instanceof DistinctErrorHandler handler) {
            handler.close();
        }
    }

    /** For tests that turn the duty cycle by hand instead of {@link #start()}. */
    Agent agent() {
        return agent;
    }

    private Aeron connect(MediaDriver driver) {
        try {
            return Aeron.connect(DriverConfiguration.client(context, driver, errorCounter));
        } catch (RuntimeException e) {
            CloseHelper.quietCloseAll(driver, () -> AeronDirectories.delete(context.aeronDirectory()));
            throw e;
        }
    }

    private MessagingException refused(Topic topic, RegistrationException cause) {
        return new MessagingException(
                "cannot open " + topic.label() + " on " + context.channels().group(topic) + ":"
                        + context.channels().port(topic) + ", interface "
                        + context.channels().networkInterface() + ": " + cause.getMessage(),
                cause);
    }

    private ManagedPublication manage(ExclusivePublication publication, @Nullable RateLimit rateLimit) {
        DatagramSink sink = new AeronSink(publication, context.feedId());
        int maxPayloadLength = publication.maxPayloadLength();
        return rateLimit == null
                ? new UnlimitedPublication(sink, maxPayloadLength)
                : new RateController(
                        sink,
                        maxPayloadLength,
                        rateLimit,
                        context.wakeUpLockSupplier().get(),
                        context.nanoClock(),
                        context.yieldStrategy(),
                        context.listener());
    }

    /** Receivers that know the feed's id expect this session. */
    private String sessionOf(Topic topic) {
        long feedId = context.feedId();
        return feedId == FeedId.UNKNOWN ? "" : "|session-id=" + FeedId.sessionId(feedId, topic.streamId());
    }

    private void requireNotStarted() {
        if (isStarted) {
            throw new IllegalStateException(context.name() + " has started; its thread owns the transport now");
        }
    }

    /** Named properties with defaults; {@code x(value)} sets and returns this, {@code x()} reads. Launches once. */
    public static final class Context extends ContextSettings<Context> {
        private final AtomicBoolean isConcluded = new AtomicBoolean();

        @Override
        Context self() {
            return this;
        }

        /**
         * Fills in what was left to its default; {@link MessagingContext#launch} calls it.
         *
         * @throws IllegalStateException when called again
         */
        public Context conclude() {
            if (!isConcluded.compareAndSet(false, true)) {
                throw new IllegalStateException("the context " + name() + " has been launched before");
            }
            channels();
            aeronDirectory();
            idleStrategy();
            errorHandler();
            return this;
        }
    }
}
