package org.naklab.exchange;

import static java.util.Objects.requireNonNull;

import org.agrona.concurrent.AgentRunner;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.flow.SourceFile;
import org.naklab.exchange.pacing.Lateness;
import org.naklab.exchange.pacing.Pacer;
import org.naklab.exchange.pacing.Schedule;
import org.naklab.exchange.pacing.TokenBucket;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * Publishes an order flow on {@link Topic#ORDER_BOOK_EVENTS}: sequenced events, heartbeats in silence, a trailer at the end
 * (PROTOCOL.md). It has a {@link MessagingContext} of its own and one thread of its own, {@code <name>-feed}, which reads,
 * paces, encodes and offers. A message that is refused is offered again; nothing is dropped.
 */
public final class MockExchange implements AutoCloseable {
    private static final int CLOSE_RETRY_MS = 10_000;

    private final MessagingContext messagingContext;
    private final ContextPublication publication;
    private final OrderFlow flow;
    private final Schedule schedule;
    private final FeedSender sender;
    private final FeedAgent agent;
    private final AgentRunner runner;

    private MockExchange(Context context, MessagingContext messagingContext) {
        this.messagingContext = messagingContext;
        flow = context.flow();
        publication = messagingContext.addPublication(Topic.ORDER_BOOK_EVENTS, context.transportRateLimit());
        schedule = new Schedule(context.pacer(), context.maxCatchUpNs());
        sender = new FeedSender(
                publication, context.tokenBucket(), context.messagingContext().feedId());
        agent = new FeedAgent(
                context.messagingContext().name() + "-feed",
                flow,
                schedule,
                sender,
                context.limits(),
                context.nanoClock());
        runner = new AgentRunner(context.idleStrategy(), this::onError, null, agent);
    }

    /**
     * Starts transport and feed thread, but sends nothing yet.
     *
     * @throws org.naklab.messaging.MessagingException when there are no sockets
     */
    public static MockExchange launch(Context context) {
        context.conclude();
        MessagingContext messagingContext = MessagingContext.launch(context.messagingContext());
        try {
            MockExchange exchange = new MockExchange(context, messagingContext);
            messagingContext.start();
            AgentRunner.startOnThread(exchange.runner);
            return exchange;
        } catch (RuntimeException e) {
            SourceFile.closeAfter(e, messagingContext);
            throw e;
        }
    }

    /** Begins to send. While nobody subscribes, the first message waits. */
    public void start() {
        agent.start();
    }

    /** Ends the flow where it is; the trailer is still sent. */
    public void stop() {
        agent.stop();
    }

    /** Returns whether somebody subscribes. */
    public boolean isConnected() {
        return publication.isConnected();
    }

    /** Returns whether the trailer has been sent, or the feed cannot go on; then {@link #failure()} says why. */
    public boolean isDone() {
        return agent.isDone();
    }

    /**
     * Returns why the flow ended before its time: an {@link OrderFlowException} for bad input, after which the trailer is still sent;
     * anything else for a feed that cannot go on. Null while all is well.
     */
    public @Nullable RuntimeException failure() {
        return agent.failure();
    }

    /** Sequenced messages that the transport has taken; the trailer's count once {@link #isDone()}. */
    public long published() {
        return sender.published();
    }

    /** {@link org.naklab.messaging.feed.FeedDigest} of the published messages; the trailer's once {@link #isDone()}. */
    public long digest() {
        return sender.digest();
    }

    /** The id of this feed: the messaging context's or, where that has none, a random one. */
    public long feedId() {
        return messagingContext.feedId();
    }

    /** Sends that the transport's rate limit refused. */
    public long blockedSends() {
        return publication.blockedSends();
    }

    /** Refused offers by reason. */
    public SendCounts sendCounts() {
        return sender.counts();
    }

    /** Returns how the schedule was kept; brought up to date at each heartbeat and at the end. */
    public Lateness lateness() {
        return schedule.lateness();
    }

    /** The feed's transport, for its counters. */
    public MessagingContext messagingContext() {
        return messagingContext;
    }

    /** Ends the feed thread where it is, then the transport, then the flow. */
    @Override
    public void close() {
        runner.close(
                CLOSE_RETRY_MS,
                thread -> onError(new IllegalStateException(
                        thread.getName() + " has not ended within " + CLOSE_RETRY_MS + " ms")));
        try {
            messagingContext.close();
        } finally {
            flow.close();
        }
    }

    /** The feed thread must not go on after an error that it does not know. */
    private void onError(Throwable error) {
        agent.fail(
                error instanceof RuntimeException e ? e : new IllegalStateException("the feed thread failed", error));
    }

    /** Named properties with defaults; {@code x(value)} sets and returns this, {@code x()} reads. Launches once. */
    public static final class Context extends ExchangeSettings<Context> {
        private MessagingContext.@Nullable Context messagingContext;
        private @Nullable OrderFlow flow;
        private Pacer pacer = Pacer.asFastAsPossible();
        private RateLimitMode rateLimitMode = RateLimitMode.NONE;
        private @Nullable RateLimit rateLimit;

        @Override
        Context self() {
            return this;
        }

        /** The transport's settings, its name among them; has no default. */
        public Context messagingContext(MessagingContext.Context context) {
            this.messagingContext = requireNonNull(context);
            return this;
        }

        public MessagingContext.Context messagingContext() {
            return requireNonNull(messagingContext, "the messaging context is not set");
        }

        /** Sets what to publish; the exchange, once launched, closes it. Has no default. */
        public Context flow(OrderFlow orderFlow) {
            this.flow = requireNonNull(orderFlow);
            return this;
        }

        public OrderFlow flow() {
            return requireNonNull(flow, "the order flow is not set");
        }

        /** Sets when each event is due; by default as fast as possible. */
        public Context pacer(Pacer newPacer) {
            this.pacer = requireNonNull(newPacer);
            return this;
        }

        public Pacer pacer() {
            return pacer;
        }

        /**
         * Limits the rate of the feed; by default {@link RateLimitMode#NONE}. With {@link RateLimitMode#APPLICATION} the transport
         * has no limit, because a context thread that refills its budget late would trip it although the bytes are paced.
         */
        public Context rateLimit(RateLimitMode mode, @Nullable RateLimit limit) {
            if (limit == null && mode != RateLimitMode.NONE) {
                throw new IllegalArgumentException("rate limit mode " + mode + " needs a rate limit");
            }
            this.rateLimitMode = mode;
            this.rateLimit = limit;
            return this;
        }

        @Nullable
        RateLimit transportRateLimit() {
            return rateLimitMode == RateLimitMode.TRANSPORT ? rateLimit : null;
        }

        @Nullable
        TokenBucket tokenBucket() {
            return rateLimitMode == RateLimitMode.APPLICATION && rateLimit != null
                    ? new TokenBucket(rateLimit, nanoClock().nanoTime())
                    : null;
        }

        /** Checks that nothing is missing; {@link MockExchange#launch} calls it. */
        public Context conclude() {
            flow();
            if (datagramPerMessage()) {
                messagingContext().mtuBytes(Topic.ORDER_BOOK_EVENTS, FeedSender.wireBytes(FeedSender.MAX_LENGTH));
            }
            if (messagingContext().feedId() == FeedId.UNKNOWN) {
                messagingContext().feedId(FeedId.next());
            }
            return this;
        }
    }
}
