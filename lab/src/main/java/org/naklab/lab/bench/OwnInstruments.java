package org.naklab.lab.bench;

import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.detect.Heartbeat;
import org.naklab.lab.detect.TimedFragmentHandler;
import org.naklab.lab.process.BeatingIdle;
import org.naklab.lab.process.HeartbeatFile;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;

/** What a service of the replica does for those who look at it: a heartbeat each duty cycle, and the time of each callback. */
final class OwnInstruments implements AutoCloseable {
    private final Heartbeat heartbeat;
    private final BeatingIdle idle;

    private OwnInstruments(Heartbeat heartbeat, BeatingIdle idle) {
        this.heartbeat = heartbeat;
        this.idle = idle;
    }

    /** Puts them in, before the service is launched. */
    static OwnInstruments prepare(
            MarketDataService.Context service, MessagingContext.Context messaging, String aeronDirectory) {
        Heartbeat heartbeat = Heartbeat.create(HeartbeatFile.of(aeronDirectory), Heartbeat.DEFAULT_THRESHOLD_NS);
        BeatingIdle idle = new BeatingIdle(messaging.idleStrategy(), heartbeat);
        messaging.idleStrategy(idle);
        CachedNanoClock receiptClock = new CachedNanoClock();
        service.receiptClock(receiptClock)
                .feedHandlerDecorator(handler ->
                        new TimedFragmentHandler(handler, SystemNanoClock.INSTANCE, heartbeat, receiptClock));
        return new OwnInstruments(heartbeat, idle);
    }

    void tell(MarketDataService service) {
        idle.tell(service.counters());
    }

    /** After the service; {@code null} is none. */
    static void closeAny(@Nullable OwnInstruments instruments) {
        if (instruments != null) {
            instruments.close();
        }
    }

    @Override
    public void close() {
        heartbeat.close();
    }
}
