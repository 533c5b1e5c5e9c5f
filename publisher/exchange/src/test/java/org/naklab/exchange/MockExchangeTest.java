package org.naklab.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.pacing.Pacer;
import org.naklab.exchange.synthetic.SyntheticFlow;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.RateLimitMode;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** Over loopback multicast. */
@Timeout(120)
class MockExchangeTest {
    /** A port for each test, so that none hears the one before. */
    private final TopicChannels channels = TopicChannels.onLoopback(FreePorts.pair());

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(RateLimitMode.class)
    void shouldDeliverEveryMessageWhateverLimitsTheRate(RateLimitMode mode) {
        // Half the pacer's rate: 10,000 messages a second of 96 bytes each.
        RateLimit limit = new RateLimit(10_000 * 96 * 8, RateLimit.INCIDENT_INTERVAL_NS);
        MockExchange.Context context = context(synthetic(5_000))
                .pacer(Pacer.constantRate(20_000))
                .rateLimit(mode, mode == RateLimitMode.NONE ? null : limit);
        try (Receiver receiver = new Receiver("receiver", channels);
                MockExchange exchange = MockExchange.launch(context)) {
            run(exchange, receiver);

            assertThat(receiver.received).isEqualTo(5_000);
            assertThat(exchange.blockedSends() > 0).isEqualTo(mode == RateLimitMode.TRANSPORT);
            assertThat(exchange.sendCounts().heldBack() > 0).isEqualTo(mode == RateLimitMode.APPLICATION);
            assertThat(exchange.failure()).isNull();
            assertThat(exchange.lateness().messages()).isEqualTo(5_000);
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldSendEachMessageInADatagramOfItsOwn() {
        MockExchange.Context context =
                context(synthetic(2_000)).pacer(Pacer.constantRate(20_000)).datagramPerMessage(true);
        try (Receiver receiver = new Receiver("receiver", channels);
                MockExchange exchange = MockExchange.launch(context)) {
            run(exchange, receiver);

            // Less would mean that datagrams were shared: 96 bytes carry one message of 61.
            assertThat(FeedSender.wireBytes(FeedSender.MAX_LENGTH)).isEqualTo(96);
            assertThat(exchange.messagingContext().statistics().bytes().bytesSent())
                    .isGreaterThanOrEqualTo(2_000 * 96L);
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldWaitForAReceiverThenSendHeartbeatsAndStopWhenAsked() {
        MockExchange.Context context = context(synthetic(SyntheticFlow.UNLIMITED))
                .pacer(Pacer.constantRate(1))
                .heartbeatIntervalNs(TimeUnit.MILLISECONDS.toNanos(5));
        try (MockExchange exchange = MockExchange.launch(context)) {
            exchange.start();
            Await.until("a refused offer", () -> exchange.sendCounts().notConnected() > 0);
            assertThat(exchange.published()).isZero();
            try (Receiver receiver = new Receiver("receiver", channels)) {
                Await.until("heartbeats", () -> receiver.heartbeats > 2 && receiver.received > 0);
                exchange.stop();
                awaitTrailer(exchange, receiver);
            }
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldEndWithTheTrailerAndTheReasonWhenInputIsBad() throws IOException {
        Path file = Files.writeString(directory.resolve("message.csv"), "34200.1,1,5,18,100,1\n34200.1,1,6,18,100\n");
        try (Receiver receiver = new Receiver("receiver", channels);
                MockExchange exchange = MockExchange.launch(context(OrderFlows.open(file)))) {
            run(exchange, receiver);

            assertThat(receiver.received).isEqualTo(1);
            assertThat(exchange.failure())
                    .isInstanceOf(OrderFlowException.class)
                    .hasMessage(file + " row 2: 5 columns instead of 6");
        }
    }

    @Test
    void shouldNameItsThreadsAndLeaveNoneBehind() {
        try (MockExchange exchange = MockExchange.launch(context(synthetic(1)))) {
            assertThat(exchange.isDone()).isFalse();
            assertThat(threads()).contains("exchange-feed", "exchange-context");
        }
        assertThat(threads()).doesNotContain("exchange-feed", "exchange-context");
    }

    @Test
    void shouldRefuseAnIncompleteContext() {
        assertThatThrownBy(() -> MockExchange.launch(new MockExchange.Context()))
                .hasMessageContaining("order flow is not set");
        assertThatThrownBy(() -> new MockExchange.Context().rateLimit(RateLimitMode.TRANSPORT, null))
                .hasMessageContaining("needs a rate limit");
        assertThatThrownBy(() -> new MockExchange.Context().maxEvents(0)).hasMessageContaining("must be positive: 0");
    }

    private static void run(MockExchange exchange, Receiver receiver) {
        Await.until("connection", exchange::isConnected);
        exchange.start();
        awaitTrailer(exchange, receiver);
    }

    private static void awaitTrailer(MockExchange exchange, Receiver receiver) {
        Await.until("done", exchange::isDone);
        Await.until("trailer", () -> receiver.trailerCount >= 0);
        assertThat(receiver.errors).isEmpty();
        assertThat(receiver.trailerCount).isEqualTo(exchange.published()).isEqualTo(receiver.received);
        assertThat(receiver.trailerDigest).isEqualTo(exchange.digest()).isEqualTo(receiver.digest);
    }

    private MockExchange.Context context(OrderFlow flow) {
        return new MockExchange.Context()
                .messagingContext(new MessagingContext.Context()
                        .name("exchange")
                        .channels(channels)
                        .errorHandler(errors::add))
                .flow(flow);
    }

    private static SyntheticFlow synthetic(long events) {
        return new SyntheticFlow(new SyntheticFlow.Config(11, 20).withEvents(events));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
