package org.naklab.lab.containers.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.naklab.faults.ProofLog;

/** Decides what becomes of each datagram, and counts. */
final class Impairment {
    private final RelayConfig config;
    private final Random random;
    private final LossChoice loss;
    private final List<LostDatagram> firstLost = new ArrayList<>();
    private long taken;
    private long given;
    private long duplicated;
    private long corrupted;
    private long heldBack;
    private long overtaken;
    private long minDelayNs = Long.MAX_VALUE;
    private long maxDelayNs;
    private long addedNs;
    private long maxAddedNs;
    private long newestGiven = -1;
    private long lost;
    private long refused;

    Impairment(RelayConfig config) {
        this.config = config;
        random = new Random(config.seed());
        loss = new LossChoice(config.shares().lostShare(), config.seed());
    }

    /** Takes one datagram, and returns the frames to send with their times. */
    synchronized List<DelayedFrame> take(byte[] frame, long nowNs) {
        if (config.shares().lostShare() > 0 && isLost(frame, nowNs)) {
            taken++;
            return List.of();
        }
        UdpFrame.mark(frame);
        if (happens(config.shares().corruptedShare()) && UdpFrame.corrupt(frame, random.nextInt(Integer.MAX_VALUE))) {
            corrupted++;
        }
        boolean isHeldBack = happens(config.held().heldBackShare());
        if (isHeldBack) {
            heldBack++;
        }
        long dueNs =
                nowNs + config.held().delayNs() + (isHeldBack ? config.held().holdNs() : 0);
        DelayedFrame waiting = new DelayedFrame(frame, taken++, nowNs, dueNs, isHeldBack);
        if (happens(config.shares().duplicatedShare())) {
            duplicated++;
            return List.of(waiting, waiting);
        }
        return List.of(waiting);
    }

    private boolean isLost(byte[] frame, long nowNs) {
        LossChoice.Fate fate = loss.decide(frame);
        LossChoice.Destination destination = fate.destination();
        if (fate.isLost() && destination != null) {
            lost++;
            if (firstLost.size() < ProofLog.MAX_FIRINGS) {
                firstLost.add(new LostDatagram(nowNs, destination.text(), fate.number()));
            }
        }
        return fate.isLost();
    }

    /** Counts a frame for which there was no room. */
    synchronized void refuse() {
        refused++;
    }

    synchronized void given(DelayedFrame waiting, long nowNs) {
        given++;
        if (waiting.isHeldBack() && waiting.index() < newestGiven) {
            overtaken++;
        }
        newestGiven = Math.max(newestGiven, waiting.index());
        minDelayNs = Math.min(minDelayNs, nowNs - waiting.arrivedNs());
        maxDelayNs = Math.max(maxDelayNs, nowNs - waiting.arrivedNs());
        addedNs += nowNs - waiting.dueNs();
        maxAddedNs = Math.max(maxAddedNs, nowNs - waiting.dueNs());
    }

    synchronized RelayReport report() {
        return new RelayReport(
                new RelayReport.Passed(taken, given),
                new RelayReport.Changed(duplicated, corrupted, heldBack, overtaken),
                new RelayReport.Delays(
                        given == 0 ? 0 : minDelayNs, maxDelayNs, given == 0 ? 0 : addedNs / given, maxAddedNs),
                new RelayReport.Losses(lost, firstLost),
                refused);
    }

    private boolean happens(double share) {
        return share > 0 && random.nextDouble() < share;
    }
}
