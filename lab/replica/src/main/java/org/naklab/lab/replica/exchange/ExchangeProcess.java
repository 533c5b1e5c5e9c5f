package org.naklab.lab.replica.exchange;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.MockExchange;
import org.naklab.exchange.OrderFlows;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.pacing.Pacer;
import org.naklab.exchange.synthetic.SyntheticFlow;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.replica.child.ContextEventReporter;
import org.naklab.lab.replica.child.ReplicaMain;
import org.naklab.lab.replica.child.ReplicaRole;
import org.naklab.lab.replica.customers.Serving;
import org.naklab.lab.replica.transport.Transport;
import org.naklab.lab.replica.transport.TransportRecords;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.feed.FeedId;

/** Main class of the mock exchange's process. */
public final class ExchangeProcess implements ReplicaRole {
    /** Pace of the synthetic flow's own clock when it is sent as fast as possible. */
    private static final long UNPACED_EVENTS_PER_SECOND = 50_000;

    private final MockExchange exchange;
    private final ExchangeFaults faults;
    private final @Nullable Serving serving;
    private final @Nullable ExchangeBooks books;

    private ExchangeProcess(
            MockExchange exchange, ExchangeFaults faults, @Nullable Serving serving, @Nullable ExchangeBooks books) {
        this.exchange = exchange;
        this.faults = faults;
        this.serving = serving;
        this.books = books;
    }

    public static void main(String[] arguments) {
        ReplicaMain.run(
                arguments, ExchangeConfig.class, config -> config.transport().name(), ExchangeProcess::launch);
    }

    private static ReplicaRole launch(ExchangeConfig config, ContextEventReporter watch) {
        MessagingContext.Context messaging = Transport.contextOf(config.transport(), watch);
        ExchangeFaults faults = ExchangeFaults.launch(config.transport().name(), config.faultPlan());
        faults.install(messaging);
        Serving serving = Serving.launch(config.transport().name(), config.serving());
        ExchangeBooks books = serving == null ? null : new ExchangeBooks(serving.listener());
        Pacer pacer = books == null ? pacerOf(config) : books.around(pacerOf(config));
        MockExchange.Context context = new MockExchange.Context()
                .messagingContext(messaging)
                .flow(flowOf(config))
                .pacer(faults.around(pacer))
                .durationNs(config.durationNs())
                .idleStrategy(config.transport().idle().newStrategy());
        return new ExchangeProcess(MockExchange.launch(context), faults, serving, books);
    }

    private static OrderFlow flowOf(ExchangeConfig config) {
        if (config.sourceFile() != null) {
            return OrderFlows.open(Path.of(config.sourceFile()));
        }
        long rate = config.eventsPerSecond() == 0 ? UNPACED_EVENTS_PER_SECOND : config.eventsPerSecond();
        return new SyntheticFlow(new SyntheticFlow.Config(config.transport().seed(), config.instruments())
                .withArrival(config.arrival().of(rate)));
    }

    private static Pacer pacerOf(ExchangeConfig config) {
        if (config.speed() != 0) {
            return Pacer.recordedTime(config.speed());
        }
        if (config.eventsPerSecond() == 0) {
            return Pacer.asFastAsPossible();
        }
        boolean isBursty = config.sourceFile() == null && config.arrival() == ArrivalPattern.BURSTY;
        if (isBursty) {
            return Pacer.recordedTime(1);
        }
        Preload morning = config.morning();
        if (morning != null) {
            return new PreloadPacer(morning, config.eventsPerSecond());
        }
        return config.gentleStartNs() == 0
                ? Pacer.constantRate(config.eventsPerSecond())
                : new RampUpPacer(config.eventsPerSecond(), config.gentleStartNs());
    }

    @Override
    public void report(ControlChannel link) {
        faults.poll(exchange.published());
        if (books != null && exchange.isDone()) {
            books.end();
        }
    }

    @Override
    public String obeyFaultCommand(String line) {
        return faults.execute(line);
    }

    @Override
    public ProcessEvent.Ready ready() {
        return new ProcessEvent.Ready(System.nanoTime(), null, null, serving == null ? null : serving.servedAt());
    }

    @Override
    public void start() {
        exchange.start();
    }

    @Override
    public void stop() {
        exchange.stop();
    }

    @Override
    public ProcessEvent completion() {
        return ProcessEvent.Done.now();
    }

    @Override
    public boolean isComplete() {
        return exchange.isDone();
    }

    /** Stays to answer NAKs until none arrive any more. */
    @Override
    public boolean mayEnd() {
        return false;
    }

    @Override
    public long progress() {
        return exchange.published()
                + exchange.messagingContext().statistics().repair().retransmitsSent();
    }

    @Override
    public Object report() {
        RuntimeException failure = exchange.failure();
        return new ExchangeRecord(
                new ExchangeRecord.Sent(exchange.published(), exchange.digest(), exchange.blockedSends()),
                new ExchangeRecord.End(
                        exchange.isDone(), failure == null ? null : String.valueOf(failure.getMessage())),
                new ExchangeRecord.Intake(
                        TransportRecords.of(exchange.messagingContext().statistics()),
                        TransportRecords.foreign(exchange.messagingContext().statistics()),
                        FeedId.text(exchange.feedId())),
                faults.reports());
    }

    @Override
    public void close() {
        exchange.close();
        if (serving != null) {
            serving.close();
        }
        faults.close();
    }
}
