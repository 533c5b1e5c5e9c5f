package org.naklab.lab.studies.repair;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.studies.simulation.GapTracker;
import org.naklab.messaging.ContextListener;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;

/** One receiver of the group: a transport with a thread of its own, to which datagrams are lost. */
final class RepairReceiver implements ControlledFragmentHandler, AutoCloseable {
    private static final long MAX_US = TimeUnit.SECONDS.toMicros(60);

    private final MessagingContext context;
    private final GapTracker gaps = new GapTracker();
    private final Histogram deliveryUs = new Histogram(MAX_US, 3);
    private final long stallNs;
    private final int stallEvery;
    private final SleepRecorder sleeps = new SleepRecorder();
    private volatile @Nullable LossyLink link;
    private volatile boolean hasImage;
    private volatile int received;

    /**
     * Launches a receiver.
     *
     * @param toLose numbers of the datagrams to lose
     * @param stallNs length of its stalls; 0: none
     */
    RepairReceiver(MessagingContext.Context transport, RepairLoad load, BitSet toLose, long seed, long stallNs) {
        this.stallNs = stallNs;
        stallEvery = Math.max(1, (int) (load.stallEveryNs() / Units.NS_PER_S * load.datagramsPerSecond()));
        context = MessagingContext.launch(transport
                .receiveLinks(socket -> {
                    LossyLink made = new LossyLink(
                            socket, RepairLoad.DATAGRAM_BYTES, toLose, load.lossProbability(), seed, gaps);
                    link = made;
                    return made;
                })
                .dutyCycleListener(sleeps)
                .listener(new ContextListener() {
                    @Override
                    public void onImageAvailable(Topic topic, int sessionId, long timeNs) {
                        hasImage = true;
                    }
                }));
        context.addSubscription(Topic.ORDER_BOOK_EVENTS, this);
        context.start();
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        long us = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - buffer.getLong(offset));
        deliveryUs.recordValue(Math.min(Math.max(0, us), MAX_US));
        int number = received + 1;
        received = number;
        if (stallNs > 0 && number % stallEvery == stallEvery / 2) {
            stall();
        }
        return Action.CONTINUE;
    }

    private void stall() {
        long endNs = System.nanoTime() + stallNs;
        for (long leftNs = stallNs; leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }

    boolean hasImage() {
        return hasImage;
    }

    /** Messages that the receiver has handed on, in order. Any thread. */
    int received() {
        return received;
    }

    long naksSent() {
        return context.statistics().repair().naksSent();
    }

    long lostOnTheWay() {
        LossyLink known = link;
        return known == null ? 0 : known.lost();
    }

    /** Once this is closed. */
    Histogram recoveryUs() {
        return gaps.recoveryUs();
    }

    /** Returns how long its thread slept, ns; once this is closed. */
    Histogram sleepsNs() {
        return sleeps.sleepsNs();
    }

    /** From the time at which a message was due to its receipt in order; once this is closed. */
    Histogram deliveryUs() {
        return deliveryUs;
    }

    @Override
    public void close() {
        context.close();
    }
}
