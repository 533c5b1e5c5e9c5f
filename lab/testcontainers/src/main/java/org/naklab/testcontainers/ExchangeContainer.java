package org.naklab.testcontainers;

import java.time.Duration;
import org.naklab.lab.core.ProcessNames;
import org.testcontainers.utility.DockerImageName;

/** The mock exchange, which multicasts a synthetic order flow: 2,000 events per second for five seconds, unless set otherwise. */
public final class ExchangeContainer extends ReplicaContainer<ExchangeContainer> {
    static final String MAIN_CLASS = "org.naklab.lab.replica.exchange.ExchangeProcess";

    private long eventsPerSecond = 2_000;
    private Duration duration = Duration.ofSeconds(5);

    /** Creates a container that is not started. */
    public ExchangeContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /**
     * Creates a container that is not started.
     *
     * @param image NAK Lab's image, or {@link DockerImageName#asCompatibleSubstituteFor a substitute} for it
     */
    public ExchangeContainer(DockerImageName image) {
        super(image, ProcessNames.EXCHANGE, MAIN_CLASS);
    }

    /**
     * Sets the rate of the flow.
     *
     * @param rate events per second, above 0
     */
    public ExchangeContainer withEventsPerSecond(long rate) {
        if (rate <= 0) {
            throw new IllegalArgumentException("events per second must be above 0: " + rate);
        }
        eventsPerSecond = rate;
        return this;
    }

    /**
     * Sets the duration of the flow; its first second is slower.
     *
     * @param length a second at least
     */
    public ExchangeContainer withDuration(Duration length) {
        if (length.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("the flow must last a second at least: " + length);
        }
        duration = length;
        return this;
    }

    /** Returns the duration of the flow. */
    Duration duration() {
        return duration;
    }

    @Override
    Object config() {
        return ReplicaDocuments.Exchange.of(processName(), seed(), eventsPerSecond, duration);
    }

    /** Returns the newest report of the exchange. */
    public ExchangeReport report() {
        return figures(ExchangeReport.class);
    }
}
