package org.naklab.messaging;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.ControlledFragmentHandler;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.NanoClock;
import org.naklab.messaging.publication.ManagedPublication;

/** Tells what the context's thread does: driver, client, receipt, timers; and how long each cycle took. */
final class ContextAgent implements Agent {
    /** Bounds receipt within one cycle, so that timers and the socket get their turn. */
    private static final int FRAGMENT_LIMIT = 64;

    /** Bounds the wait for the last messages to leave when the context closes. */
    private static final int MAX_DRAIN_CYCLES = 100_000;

    private final String roleName;
    private final MediaDriver driver;
    private final AgentInvoker driverInvoker;
    private final Aeron client;
    private final AgentInvoker clientInvoker;
    private final NanoClock clock;
    private final ContextListener listener;
    private final StallDetector stallDetector;
    private final DutyCycleListener dutyCycleListener;
    private final ErrorHandler errorHandler;
    private final TransportCounters counters;
    private final List<PolledSubscription> subscriptions = new ArrayList<>();
    private final List<ManagedPublication> publications = new ArrayList<>();
    private final List<ExclusivePublication> aeronPublications = new ArrayList<>();
    private final List<ContextTimer> timers = new ArrayList<>();

    ContextAgent(
            MessagingContext.Context context,
            MediaDriver driver,
            Aeron client,
            TransportCounters counters,
            ErrorHandler errorHandler) {
        this.roleName = MessagingContext.threadName(context.name());
        this.driver = driver;
        this.driverInvoker = driver.sharedAgentInvoker();
        this.client = client;
        this.clientInvoker = client.conductorAgentInvoker();
        this.clock = context.nanoClock();
        this.listener = context.listener();
        this.stallDetector = new StallDetector(context.stallThresholdNs(), listener);
        this.dutyCycleListener = context.dutyCycleListener();
        this.counters = counters;
        this.errorHandler = errorHandler;
    }

    void add(Subscription subscription, ControlledFragmentHandler handler) {
        subscriptions.add(new PolledSubscription(subscription, handler));
    }

    void add(ExclusivePublication aeronPublication, ManagedPublication publication) {
        aeronPublications.add(aeronPublication);
        publications.add(publication);
    }

    void add(ContextTimer timer) {
        timers.add(timer);
    }

    @Override
    public void onStart() {
        listener.onThreadStart();
    }

    @Override
    public int doWork() {
        long beginNs = clock.nanoTime();
        stallDetector.onCycleBegin(beginNs);
        if (driverInvoker.isClosed() || clientInvoker.isClosed()) {
            throw new AgentTerminationException("the transport has ended; the context cannot go on");
        }
        int workCount = driverInvoker.invoke();
        workCount += clientInvoker.invoke();
        workCount += pollSubscriptions();
        workCount += fireTimers();
        long endNs = clock.nanoTime();
        stallDetector.onCycleEnd(endNs);
        dutyCycleListener.onCycleEnd(endNs);
        return workCount;
    }

    @Override
    public void onClose() {
        for (ManagedPublication publication : publications) {
            if (!publication.disconnect()) {
                errorHandler.onError(new MessagingException("a queued message is lost: nobody takes it at close"));
            }
        }
        drain();
        CloseHelper.closeAll(errorHandler, client, driver, () -> AeronDirectories.delete(driver.aeronDirectoryName()));
    }

    @Override
    public String roleName() {
        return roleName;
    }

    private int pollSubscriptions() {
        int fragments = 0;
        for (int i = 0; i < subscriptions.size(); i++) {
            PolledSubscription polled = subscriptions.get(i);
            fragments += polled.subscription.controlledPoll(polled.handler, FRAGMENT_LIMIT);
        }
        return fragments;
    }

    private int fireTimers() {
        long nowNs = clock.nanoTime();
        dutyCycleListener.onPolled(nowNs);
        int fired = 0;
        for (int i = 0; i < publications.size(); i++) {
            fired += publications.get(i).poll(nowNs);
        }
        for (int i = 0; i < timers.size(); i++) {
            fired += timers.get(i).poll(nowNs);
        }
        return fired;
    }

    private void drain() {
        for (ExclusivePublication publication : aeronPublications) {
            int cycles = 0;
            while (publication.isConnected()
                    && counters.senderPosition(publication.registrationId()) < publication.position()
                    && cycles++ < MAX_DRAIN_CYCLES) {
                driverInvoker.invoke();
            }
        }
    }

    private record PolledSubscription(Subscription subscription, ControlledFragmentHandler handler) {}
}
