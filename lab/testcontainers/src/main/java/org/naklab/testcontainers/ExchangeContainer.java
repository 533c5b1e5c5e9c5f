package org.naklab.testcontainers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.exchange.ExchangeConfig;
import org.naklab.lab.replica.exchange.ExchangeProcess;
import org.naklab.lab.replica.exchange.ExchangeReport;

/** The mock exchange, which multicasts a synthetic order flow. */
public final class ExchangeContainer extends ReplicaContainer<ExchangeContainer> {
    private static final int INSTRUMENTS = 8;
    /** Until then the receivers' JVMs still compile what they run. */
    private static final long GENTLE_START_NS = TimeUnit.SECONDS.toNanos(1);

    private final long eventsPerSecond;
    private final Duration duration;

    /**
     * Not started.
     *
     * @param duration of the flow, of which the first second is slower
     */
    public ExchangeContainer(String name, long seed, long eventsPerSecond, Duration duration) {
        super(name, ExchangeProcess.class, seed);
        this.eventsPerSecond = eventsPerSecond;
        this.duration = duration;
    }

    @Override
    Object config() {
        return new ExchangeConfig(
                transport(),
                null,
                INSTRUMENTS,
                ArrivalPattern.CONSTANT,
                eventsPerSecond,
                0,
                GENTLE_START_NS,
                null,
                duration.toNanos(),
                null);
    }

    /** Its newest figures. */
    public ExchangeReport report() {
        return report(ExchangeReport.class);
    }
}
