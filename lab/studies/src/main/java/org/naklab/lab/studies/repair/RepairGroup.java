package org.naklab.lab.studies.repair;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.Units;
import org.naklab.lab.studies.simulation.LossDraw;
import org.naklab.lab.studies.simulation.RecoveryLatency;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Ports;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportStatistics;
import org.naklab.messaging.publication.ContextPublication;

/** A sender and receivers on this machine's loopback, each with a thread of its own, all in this process. */
final class RepairGroup {
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(12);
    private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long MAX_US = TimeUnit.SECONDS.toMicros(60);

    private final RepairArm arm;
    private final RepairLoad load;
    private final long seed;
    private final TopicChannels channels = TopicChannels.onLoopback(Ports.findFreeBase());

    RepairGroup(RepairArm arm, RepairLoad load, long seed) {
        this.arm = arm;
        this.load = load;
        this.seed = seed;
    }

    /**
     * Sends the whole feed, and waits until every receiver has it, or for twelve seconds.
     *
     * @throws IllegalStateException if the receivers do not join
     */
    MeasuredRepair run() {
        arm.apply();
        List<RepairReceiver> receivers = new ArrayList<>();
        SleepRecorder senderSleeps = new SleepRecorder();
        TransportStatistics statistics;
        try (MessagingContext sender =
                MessagingContext.launch(transport("sender").dutyCycleListener(senderSleeps))) {
            ContextPublication publication = sender.addPublication(Topic.ORDER_BOOK_EVENTS, null);
            sender.start();
            BitSet[] losses = losses();
            for (int i = 0; i < load.receivers(); i++) {
                long stallNs = i == load.receivers() - 1 ? load.stallNs() : 0;
                receivers.add(new RepairReceiver(transport("receiver-" + i), load, losses[i], seed + i, stallNs));
            }
            boolean isJoined = awaitUntil(
                    System.nanoTime() + JOIN_NS,
                    () -> publication.isConnected() && receivers.stream().allMatch(RepairReceiver::hasImage));
            if (!isJoined) {
                throw new IllegalStateException("the receivers have not joined the feed");
            }
            send(publication);
            int last = load.datagrams();
            awaitUntil(System.nanoTime() + DRAIN_NS, () -> receivers.stream()
                    .allMatch(receiver -> receiver.received() == last));
            statistics = sender.statistics();
            receivers.forEach(RepairReceiver::close);
        } finally {
            CloseHelper.quietCloseAll(receivers);
            arm.withdraw();
        }
        // The threads have ended, so that what they recorded can be read.
        return measured(receivers, statistics, senderSleeps.sleepsNs());
    }

    private BitSet[] losses() {
        BitSet[] byReceiver = new BitSet[load.receivers()];
        for (int i = 0; i < byReceiver.length; i++) {
            byReceiver[i] = new BitSet();
        }
        LossDraw draw = new LossDraw(seed, load.lossProbability());
        BitSet losers = new BitSet();
        for (int datagram = 0; datagram < load.datagrams(); datagram++) {
            losers.clear();
            draw.addLosers(datagram, load.receivers(), losers);
            int number = datagram;
            losers.stream().forEach(receiver -> byReceiver[receiver].set(number));
        }
        return byReceiver;
    }

    private MessagingContext.Context transport(String name) {
        return new MessagingContext.Context()
                .name(name)
                .channels(channels)
                .profile(arm.profile())
                .seed(seed)
                .receiveBufferBytes(load.receiveBufferBytes())
                .mtuBytes(Topic.ORDER_BOOK_EVENTS, RepairLoad.DATAGRAM_BYTES);
    }

    /** Offers each message when it is due; its first bytes are that time. */
    private void send(ContextPublication publication) {
        UnsafeBuffer message = new UnsafeBuffer(new byte[RepairLoad.PAYLOAD_BYTES]);
        long beginNs = System.nanoTime();
        for (int i = 0; i < load.datagrams(); i++) {
            long dueNs = beginNs + Math.round(i * Units.NS_PER_S / load.datagramsPerSecond());
            for (long leftNs = dueNs - System.nanoTime(); leftNs > 0; leftNs = dueNs - System.nanoTime()) {
                LockSupport.parkNanos(leftNs);
            }
            message.putLong(0, dueNs);
            while (!publication.offer(message, 0, RepairLoad.PAYLOAD_BYTES).accepted()) {
                LockSupport.parkNanos(WAIT_NS);
            }
        }
    }

    private static boolean awaitUntil(long endNs, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return true;
    }

    private MeasuredRepair measured(
            List<RepairReceiver> receivers, TransportStatistics sender, Histogram senderSleepsNs) {
        Histogram sleepsNs = SleepRecorder.empty();
        sleepsNs.add(senderSleepsNs);
        // The last one stalls.
        receivers.stream()
                .limit(load.stallNs() > 0 ? receivers.size() - 1 : receivers.size())
                .forEach(receiver -> sleepsNs.add(receiver.sleepsNs()));
        Histogram recoveryUs = new Histogram(MAX_US, 3);
        Histogram deliveryUs = new Histogram(MAX_US, 3);
        long lost = 0;
        long naks = 0;
        long unrecovered = 0;
        for (RepairReceiver receiver : receivers) {
            recoveryUs.add(receiver.recoveryUs());
            deliveryUs.add(receiver.deliveryUs());
            lost += receiver.lostOnTheWay();
            naks += receiver.naksSent();
            unrecovered += load.datagrams() - receiver.received();
        }
        return new MeasuredRepair(
                new MeasuredRepair.Counts(
                        lost,
                        naks,
                        sender.repair().retransmitsSent(),
                        sender.repair().retransmittedBytes() / RepairLoad.DATAGRAM_BYTES),
                new MeasuredRepair.Latencies(
                        RecoveryLatency.of(recoveryUs), RecoveryLatency.of(deliveryUs), RecoveryLatency.ofNs(sleepsNs)),
                sleepsNs,
                unrecovered);
    }
}
