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
    /** Ramp-up of the rate, ns: at first, the JVMs of the receivers still compile. */
    private static final long GENTLE_START_NS = TimeUnit.SECONDS.toNanos(1);

    private final long eventsPerSecond;
    private final Duration duration;

    /**
     * Creates a container that is not started.
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

    /** Returns the newest report of the exchange. */
    public ExchangeReport report() {
        return report(ExchangeReport.class);
    }
}
