package org.naklab.testcontainers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.naklab.lab.containers.MulticastPreflight;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startable;
import org.testcontainers.utility.DockerImageName;

/** An exchange, a market data service and gateways on a network of their own. Closing it removes everything. */
public final class MarketDataLab implements Startable {
    private static final Duration IMAGE_TIMEOUT = Duration.ofSeconds(60);
    /** Beyond the flow's own time: the repair of what was lost, under a fault that is still armed. */
    private static final Duration REPAIR_TIMEOUT = Duration.ofSeconds(60);

    private final Network network = Network.newNetwork();
    private final ExchangeContainer exchange;
    private final MarketDataServiceContainer service;
    private final List<MarketDataServiceContainer> gateways;

    private MarketDataLab(Builder builder) {
        exchange = new ExchangeContainer(builder.image)
                .withSeed(builder.seed)
                .withEventsPerSecond(builder.eventsPerSecond)
                .withDuration(builder.duration)
                .withNetwork(network);
        service = new MarketDataServiceContainer(builder.image)
                .withSeed(builder.seed)
                .withNetwork(network);
        builder.serviceCustomizer.accept(service);
        List<MarketDataServiceContainer> all = new ArrayList<>();
        for (int i = 1; i <= builder.gateways; i++) {
            all.add(new MarketDataServiceContainer(builder.image)
                    .withoutJournal()
                    .withProcessName("gateway-" + i)
                    .withSeed(builder.seed + i)
                    .withNetwork(network));
        }
        gateways = Collections.unmodifiableList(all);
    }

    /** Returns the builder of a lab with one gateway and 2,000 events per second for five seconds, unless set otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts the containers, once multicast has been seen to cross their network.
     *
     * @throws IllegalStateException when there is no engine or image, Testcontainers cannot pull the images of its own, or multicast does not cross;
     *     the message is one line with what to do
     */
    @Override
    public void start() {
        TestcontainersPreflight.check(exchange.getDockerImageName());
        try {
            MulticastPreflight.check(network.getId());
        } catch (LabException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        exchange.start();
        receivers().forEach(MarketDataServiceContainer::start);
        for (MarketDataServiceContainer receiver : receivers()) {
            if (receiver.await(ProcessEvent.Image.class, IMAGE_TIMEOUT).isEmpty()) {
                throw new IllegalStateException(receiver.processName() + " does not see the exchange");
            }
        }
    }

    /** Starts the traffic; returns immediately. */
    public MarketDataLab begin() {
        exchange.settle();
        receivers().forEach(ReplicaContainer::settle);
        exchange.send(ControlCommand.START);
        return this;
    }

    /** Waits until the exchange has sent everything and the receivers have it, or cannot get it any more. */
    public MarketDataLab awaitEnd() {
        if (exchange.await(ProcessEvent.Done.class, exchange.duration().plus(REPAIR_TIMEOUT))
                .isEmpty()) {
            throw new IllegalStateException("the exchange did not come to an end: " + exchange.getLogs());
        }
        long deadlineNs = System.nanoTime() + REPAIR_TIMEOUT.toNanos();
        for (MarketDataServiceContainer receiver : receivers()) {
            // One that does not complete is what an assertion finds.
            receiver.await(ProcessEvent.Complete.class, Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
        }
        return this;
    }

    /** Runs all the traffic, from its beginning to its end. */
    public MarketDataLab run() {
        return begin().awaitEnd();
    }

    public ExchangeContainer exchange() {
        return exchange;
    }

    /** Returns the market data service. */
    public MarketDataServiceContainer service() {
        return service;
    }

    /**
     * Returns a gateway.
     *
     * @param number from 1 on
     */
    public MarketDataServiceContainer gateway(int number) {
        if (number < 1 || number > gateways.size()) {
            throw new IllegalArgumentException("there are gateways 1 to " + gateways.size() + ": " + number);
        }
        return gateways.get(number - 1);
    }

    /** Returns the service and the gateways. */
    public List<MarketDataServiceContainer> receivers() {
        List<MarketDataServiceContainer> all = new ArrayList<>(gateways);
        all.add(0, service);
        return all;
    }

    /** Removes containers, volumes and network. */
    @Override
    public void stop() {
        receivers().forEach(MarketDataServiceContainer::stop);
        exchange.stop();
        network.close();
    }

    @Override
    public void close() {
        stop();
    }

    /** Builds a lab. */
    public static final class Builder {
        private static final int MOST_GATEWAYS = 16;

        private DockerImageName image = ReplicaContainer.usualImage();
        private int gateways = 1;
        private long eventsPerSecond = 2_000;
        private Duration duration = Duration.ofSeconds(5);
        private long seed = 42;
        private Consumer<MarketDataServiceContainer> serviceCustomizer = service -> {};

        private Builder() {}

        /**
         * Sets the image; without it, the one that the environment variable {@code NAKLAB_IMAGE} names, or else {@code naklab}.
         *
         * @param name NAK Lab's image, or {@link DockerImageName#asCompatibleSubstituteFor a substitute} for it
         */
        public Builder image(DockerImageName name) {
            image = name;
            return this;
        }

        /** Sets the number of gateways, 1 to 16. */
        public Builder gateways(int number) {
            if (number < 1 || number > MOST_GATEWAYS) {
                throw new IllegalArgumentException("there can be 1 to " + MOST_GATEWAYS + " gateways: " + number);
            }
            gateways = number;
            return this;
        }

        /** Sets the rate of the flow, events per second. */
        public Builder eventsPerSecond(long rate) {
            if (rate <= 0) {
                throw new IllegalArgumentException("events per second must be above 0: " + rate);
            }
            eventsPerSecond = rate;
            return this;
        }

        /** Sets the duration of the flow; its first second is slower. */
        public Builder duration(Duration length) {
            if (length.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("the flow must last a second at least: " + length);
            }
            duration = length;
            return this;
        }

        /** Sets the seed of the flow and of the random choices of the transports. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Customizes the container of the service before it is created: a memory limit, another volume for its journal. */
        public Builder service(Consumer<MarketDataServiceContainer> customizer) {
            serviceCustomizer = customizer;
            return this;
        }

        public MarketDataLab build() {
            return new MarketDataLab(this);
        }
    }
}
