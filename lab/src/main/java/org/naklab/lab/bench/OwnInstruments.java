package org.naklab.lab.bench;

import io.aeron.logbuffer.ControlledFragmentHandler;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.lab.detect.Heartbeat;
import org.naklab.lab.detect.TimedFragmentHandler;
import org.naklab.lab.process.BeatingIdle;
import org.naklab.lab.process.HeartbeatFile;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;

/**
 * What a service of the replica does for those who look at it: a heartbeat each duty cycle, and the time of each callback. Off until it is
 * turned on; while it is off, the service does what it would do without.
 */
final class OwnInstruments implements AutoCloseable {
    private final Heartbeat heartbeat;
    private final SwitchedIdle idle;
    private final CachedNanoClock callbackClock = new CachedNanoClock();
    private volatile boolean on;

    private OwnInstruments(Heartbeat heartbeat, IdleStrategy idle) {
        this.heartbeat = heartbeat;
        this.idle = new SwitchedIdle(idle, new BeatingIdle(idle, heartbeat));
    }

    /** Puts them in, before the service is launched. */
    static OwnInstruments prepare(
            MarketDataService.Context service, MessagingContext.Context messaging, String aeronDirectory) {
        Heartbeat heartbeat = Heartbeat.create(HeartbeatFile.of(aeronDirectory), Heartbeat.DEFAULT_THRESHOLD_NS);
        OwnInstruments instruments = new OwnInstruments(heartbeat, messaging.idleStrategy());
        messaging.idleStrategy(instruments.idle);
        service.receiptClock(instruments::receiptNs).feedHandlerDecorator(instruments::around);
        return instruments;
    }

    void tell(MarketDataService service) {
        idle.beating.tell(service.counters());
    }

    /** On or off, from the next duty cycle on. */
    void turn(boolean nowOn) {
        on = nowOn;
    }

    /** After the service. */
    @Override
    public void close() {
        heartbeat.close();
    }

    private long receiptNs() {
        return idle.beats ? callbackClock.nanoTime() : System.nanoTime();
    }

    private ControlledFragmentHandler around(ControlledFragmentHandler handler) {
        TimedFragmentHandler timed =
                new TimedFragmentHandler(handler, SystemNanoClock.INSTANCE, heartbeat, callbackClock);
        return (buffer, offset, length, header) ->
                (idle.beats ? timed : handler).onFragment(buffer, offset, length, header);
    }

    /** Of the context thread. */
    private final class SwitchedIdle implements IdleStrategy {
        private final IdleStrategy plain;
        private final BeatingIdle beating;
        private boolean beats;

        SwitchedIdle(IdleStrategy plain, BeatingIdle beating) {
            this.plain = plain;
            this.beating = beating;
        }

        @Override
        public void idle(int workCount) {
            chosen().idle(workCount);
        }

        @Override
        public void idle() {
            chosen().idle();
        }

        @Override
        public void reset() {
            plain.reset();
        }

        /** Silence while it is off is no stall. */
        private IdleStrategy chosen() {
            if (beats && !on) {
                heartbeat.rest();
            }
            beats = on;
            return beats ? beating : plain;
        }
    }
}
