package org.naklab.lab.replica.exchange;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.pacing.Pacer;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSite;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.seam.PacingSeam;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.replica.transport.FaultyLink;
import org.naklab.messaging.MessagingContext;

/** Composes the faults of a plan with the seams of the mock exchange. Not thread-safe: the process's main thread owns it. */
public final class ExchangeFaults implements AutoCloseable {
    /** The {@link PacingSeam} between the feed's pacer and its sender. */
    public static final String FEED_PACER = "feed";

    private final PacingSeam pacing = new PacingSeam();
    private final DatagramSeam datagrams = new DatagramSeam();
    private final ProcessFaults faults;

    private ExchangeFaults(FaultSite site, FaultPlan plan) {
        site.offer(FEED_PACER, pacing);
        site.offer(DatagramSeam.NAME, datagrams);
        faults = ProcessFaults.launch(site, plan);
    }

    /**
     * Takes the plan in and begins its time; the seams are there for faults that are added later as well.
     *
     * @param plan {@code null}: no fault so far
     * @throws org.naklab.faults.FaultException when one of its faults cannot be had here
     */
    static ExchangeFaults launch(String process, @Nullable FaultPlan plan) {
        return new ExchangeFaults(new FaultSite(process), plan == null ? new FaultPlan(0, List.of()) : plan);
    }

    /** Puts the seams into a context that has not been launched. */
    void install(MessagingContext.Context messaging) {
        messaging
                .receiveLinks(FaultyLink.of(datagrams, messaging.nanoClock()))
                .sendChannelEndpointSupplier(datagrams.sendEndpoints());
    }

    /** Returns the pacer with its faults; a pacer without a schedule cannot run ahead of it. */
    Pacer around(Pacer pacer) {
        return (next, index) -> {
            long dueNs = pacer.dueNs(next, index);
            return dueNs == Pacer.NOW ? dueNs : pacing.dueNs(dueNs);
        };
    }

    /** Records which faults are armed, and informs the plan when the flow has begun; called often. */
    void poll(long eventsPublished) {
        faults.poll(eventsPublished > 0);
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
