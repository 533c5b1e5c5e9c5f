package org.naklab.lab.replica.service;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSite;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.seam.Checkpoint;
import org.naklab.faults.seam.WakeUpLocks;
import org.naklab.faults.seam.Yielder;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.replica.child.ContextEventReporter;
import org.naklab.lab.replica.transport.FaultyLink;
import org.naklab.messaging.DutyCycleListener;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;

/** Composes the faults of a plan with the seams of one subscriber. Not thread-safe: the process's main thread owns it. */
public final class ServiceFaults implements AutoCloseable {
    /** The {@link Yielder} that the context thread yields by. */
    public static final String CONTEXT_YIELDER = "context";
    /** The {@link Checkpoint} in the duty cycle of the context thread, after its polls. */
    public static final String DUTY_CYCLE = "context";

    /** The {@link Checkpoint} that the context thread passes before it yields. */
    public static final String BEFORE_YIELD = "context-yield";
    /** The {@link WakeUpLocks} of the snapshots' rate limiter. */
    public static final String SNAPSHOT_LOCKS = "snapshots";
    /** The {@link Checkpoint} in front of the handler of the feed's messages. */
    public static final String FEED_CALLBACK = "OrderBookEvents";
    /** The {@link Checkpoint} before each append to the journal. */
    public static final String JOURNAL = "journal";

    private final Yielder yielder = new Yielder();
    private final Checkpoint dutyCycle = new Checkpoint();
    private final Checkpoint beforeYield = new Checkpoint();
    private final Checkpoint feedCallback = new Checkpoint();
    private final Checkpoint journal = new Checkpoint();
    private final WakeUpLocks locks = new WakeUpLocks();
    private final DatagramSeam datagrams = new DatagramSeam();
    private final ProcessFaults faults;

    private ServiceFaults(FaultSite site, FaultPlan plan) {
        site.offer(CONTEXT_YIELDER, yielder);
        site.offer(DUTY_CYCLE, dutyCycle);
        site.offer(BEFORE_YIELD, beforeYield);
        site.offer(SNAPSHOT_LOCKS, locks);
        site.offer(FEED_CALLBACK, feedCallback);
        site.offer(JOURNAL, journal);
        site.offer(DatagramSeam.NAME, datagrams);
        faults = ProcessFaults.launch(site, plan);
    }

    /**
     * Takes the plan in and begins its time; the seams are there for faults that are added later as well.
     *
     * @param plan {@code null}: no fault so far
     * @throws org.naklab.faults.FaultException when one of its faults cannot be had here
     */
    static ServiceFaults launch(String process, @Nullable FaultPlan plan) {
        return new ServiceFaults(new FaultSite(process), plan == null ? new FaultPlan(0, List.of()) : plan);
    }

    /**
     * Puts the seams into contexts that have not been launched; the feed's handler remains to be had by {@link #obstruct}.
     *
     * @param snapshots the context that sends the snapshots, which may be the other one
     */
    void install(
            MessagingContext.Context messaging,
            MessagingContext.Context snapshots,
            MarketDataService.Context service,
            ContextEventReporter watch) {
        watch.inform(locks);
        watch.inform(faults::onEvent);
        messaging
                .receiveLinks(FaultyLink.of(datagrams, messaging.nanoClock()))
                .sendChannelEndpointSupplier(datagrams.sendEndpoints());
        snapshots.wakeUpLockSupplier(locks).yieldStrategy(() -> {
            beforeYield.pass();
            yielder.yieldOnce();
        });
        service.beforeAppend(journal::pass);
    }

    /** Returns a listener of the duty cycle that passes the checkpoint of the duty cycle after each poll. */
    DutyCycleListener obstruct(DutyCycleListener listener) {
        return new DutyCycleListener() {
            @Override
            public void onPolled(long timeNs) {
                listener.onPolled(timeNs);
                dutyCycle.pass();
            }

            @Override
            public void onCycleEnd(long timeNs) {
                listener.onCycleEnd(timeNs);
            }
        };
    }

    /** Returns the feed's handler with the faults of the callback in front of it. */
    ControlledFragmentHandler obstruct(ControlledFragmentHandler handler) {
        return feedCallback.beforeControlled(handler);
    }

    /** Records which faults are armed, and informs the plan when the flow has begun; called often. */
    void poll(long eventsReceived) {
        LazyYield.passBy();
        faults.poll(eventsReceived > 0);
    }

    /** Obeys a command of {@link org.naklab.faults.FaultCommands}, and returns the answer. */
    String execute(String command) {
        return faults.execute(command);
    }

    /** Returns the reports by the ids of the faults. */
    Map<String, FaultRecord> reports() {
        return faults.reports();
    }

    /** Disarms everything; proofs can still be read. */
    @Override
    public void close() {
        faults.close();
    }
}
