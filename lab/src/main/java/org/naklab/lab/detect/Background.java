package org.naklab.lab.detect;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.NanoClock;

/** The thread that may take its time: refreshes the instruments, and hands samples and events on to whoever keeps them. */
final class Background implements Agent, TimelineListener {
    static final long REFRESH_PERIOD_NS = 100 * Instrument.MILLISECOND_NS;
    private static final int MAX_EVENTS_PER_CYCLE = 1_000;

    /** One part in so many of the time goes into refreshing at most: a process with very many files is looked at less often. */
    private static final int REFRESH_SHARE = 200;

    private final NanoClock clock;
    private final SampleRing ring;
    private final TimelineListener listener;
    private final List<SampleConsumer> consumers;
    private final List<Instrument> instruments = new CopyOnWriteArrayList<>();
    private final ManyToOneConcurrentLinkedQueue<TimelineEvent> events = new ManyToOneConcurrentLinkedQueue<>();
    private long nextRefreshNs;

    Background(NanoClock clock, SampleRing ring, TimelineListener listener, List<? extends SampleConsumer> consumers) {
        this.clock = clock;
        this.ring = ring;
        this.listener = listener;
        this.consumers = List.copyOf(consumers);
        nextRefreshNs = clock.nanoTime() + REFRESH_PERIOD_NS;
    }

    /** Takes an event from any thread, without waiting. */
    @Override
    public void onEvent(TimelineEvent event) {
        events.offer(event);
    }

    void add(Instrument instrument) {
        instruments.add(instrument);
    }

    void remove(Instrument instrument) {
        instruments.remove(instrument);
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        int work = deliver();
        if (nowNs - nextRefreshNs >= 0) {
            instruments.forEach(instrument -> refresh(instrument, nowNs));
            long tookNs = clock.nanoTime() - nowNs;
            nextRefreshNs = nowNs + Math.max(REFRESH_PERIOD_NS, tookNs * REFRESH_SHARE);
            work++;
        }
        return work;
    }

    @Override
    public String roleName() {
        return "detect-backgrnd";
    }

    /** Hands everything on that has come so far. */
    int deliver() {
        long nowNs = clock.nanoTime();
        int work = ring.drain(consumers);
        for (int i = 0; i < MAX_EVENTS_PER_CYCLE; i++) {
            TimelineEvent event = events.poll();
            if (event == null) {
                break;
            }
            listener.onEvent(event);
            consumers.forEach(consumer -> consumer.onEvent(event));
            work++;
        }
        consumers.forEach(consumer -> consumer.onProgress(nowNs));
        return work;
    }

    private void refresh(Instrument instrument, long nowNs) {
        try {
            instrument.refresh(nowNs);
        } catch (DetectException blind) {
            instruments.remove(instrument);
            reportBlind(instrument, blind);
        }
    }

    /** Any thread. */
    void reportBlind(Instrument instrument, DetectException blind) {
        Map<String, Object> details =
                Map.of("instrument", instrument.describe(), "reason", String.valueOf(blind.getMessage()));
        onEvent(TimelineEvent.of(clock.nanoTime(), TimelineEventType.INSTRUMENT_BLIND, "lab", details));
    }
}
