package org.naklab.lab.process;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.naklab.exchange.MockExchange;
import org.naklab.exchange.OrderFlow;
import org.naklab.exchange.OrderFlows;
import org.naklab.exchange.Pacer;
import org.naklab.exchange.SyntheticFlow;

/** Main class of the mock exchange's process. */
public final class ExchangeProcess implements Replica {
    /** Pace of the synthetic flow's own clock when it is sent as fast as possible. */
    private static final long UNPACED_EVENTS_PER_SECOND = 50_000;

    private final MockExchange exchange;

    private ExchangeProcess(MockExchange exchange) {
        this.exchange = exchange;
    }

    public static void main(String[] arguments) {
        ReplicaMain.run(
                arguments, ExchangeConfig.class, config -> config.transport().name(), ExchangeProcess::launch);
    }

    private static Replica launch(ExchangeConfig config, ContextWatch watch) {
        MockExchange.Context context = new MockExchange.Context()
                .messagingContext(Transport.contextOf(config.transport(), watch))
                .flow(flowOf(config))
                .pacer(pacerOf(config))
                .durationNs(config.durationNs())
                .idleStrategy(config.transport().idle().newStrategy());
        return new ExchangeProcess(MockExchange.launch(context));
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
        return config.gentleStartNs() == 0
                ? Pacer.constantRate(config.eventsPerSecond())
                : new GentleStart(config.eventsPerSecond(), config.gentleStartNs());
    }

    @Override
    public ObjectNode ready() {
        return Json.object();
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
    public String completeEvent() {
        return "done";
    }

    @Override
    public boolean isComplete() {
        return exchange.isDone();
    }

    /** It stays to answer NAKs, until nothing is asked of it any more. */
    @Override
    public boolean mayEnd() {
        return false;
    }

    @Override
    public long progress() {
        return exchange.published() + exchange.messagingContext().statistics().retransmitsSent();
    }

    @Override
    public Object report() {
        RuntimeException failure = exchange.failure();
        return new ExchangeReport(
                exchange.published(),
                exchange.digest(),
                exchange.blockedSends(),
                exchange.isDone(),
                failure == null ? null : String.valueOf(failure.getMessage()),
                TransportReport.of(exchange.messagingContext().statistics()));
    }

    @Override
    public void close() {
        exchange.close();
    }
}
