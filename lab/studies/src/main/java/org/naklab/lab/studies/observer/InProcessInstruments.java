package org.naklab.lab.studies.observer;

import io.aeron.logbuffer.ControlledFragmentHandler;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.lab.instruments.threads.DutyCycleTracker;
import org.naklab.lab.instruments.threads.TimedFragmentHandler;
import org.naklab.lab.replica.service.DutyCycleFile;
import org.naklab.lab.replica.service.DutyCycleReporter;
import org.naklab.messaging.DutyCycleListener;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;

/**
 * The instrumentation inside a service of the replica: it writes the duty cycle file and times each callback. It is off
 * until it is turned on; while it is off, the service behaves as without it.
 */
final class InProcessInstruments implements DutyCycleListener, AutoCloseable {
    private final DutyCycleTracker heartbeat;
    private final DutyCycleReporter beat;
    private final CachedNanoClock callbackClock = new CachedNanoClock();
    private volatile boolean on;
    /** The context thread's. */
    private boolean beats;

    private InProcessInstruments(DutyCycleTracker heartbeat) {
        this.heartbeat = heartbeat;
        beat = new DutyCycleReporter(heartbeat);
    }

    /** Puts them in, before the service is launched. */
    static InProcessInstruments prepare(
            MarketDataService.Context service, MessagingContext.Context messaging, String aeronDirectory) {
        DutyCycleTracker heartbeat =
                DutyCycleTracker.create(DutyCycleFile.of(aeronDirectory), DutyCycleTracker.DEFAULT_THRESHOLD_NS);
        InProcessInstruments instruments = new InProcessInstruments(heartbeat);
        messaging.dutyCycleListener(instruments);
        service.receiptClock(instruments::receiptNs).feedHandlerDecorator(instruments::around);
        return instruments;
    }

    void observe(MarketDataService service) {
        beat.observe(service.counters());
    }

    /** Turns the instrumentation on or off, from the next duty cycle on. */
    void turn(boolean nowOn) {
        on = nowOn;
    }

    /** Closes the file, after the service. */
    @Override
    public void close() {
        heartbeat.close();
    }

    private long receiptNs() {
        return beats ? callbackClock.nanoTime() : System.nanoTime();
    }

    private ControlledFragmentHandler around(ControlledFragmentHandler handler) {
        TimedFragmentHandler timed =
                new TimedFragmentHandler(handler, SystemNanoClock.INSTANCE, heartbeat, callbackClock);
        return (buffer, offset, length, header) -> (beats ? timed : handler).onFragment(buffer, offset, length, header);
    }

    @Override
    public void onPolled(long timeNs) {
        if (beats) {
            beat.onPolled(timeNs);
        }
    }

    /** Silence while it is off is no stall. */
    @Override
    public void onCycleEnd(long timeNs) {
        if (beats && !on) {
            heartbeat.rest();
        }
        beats = on;
        if (beats) {
            beat.onCycleEnd(timeNs);
        }
    }
}
