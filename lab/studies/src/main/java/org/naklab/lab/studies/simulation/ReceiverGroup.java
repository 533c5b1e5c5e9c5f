package org.naklab.lab.studies.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.naklab.lab.studies.simulation.SimulatedReceiver.RepairListener;

/** Receivers with one speed, which get the same datagrams at the same time. Only those that miss something are looked at. */
final class ReceiverGroup {
    private final GroupLoad load;
    private final LossDraw losses;
    private final boolean isSlow;
    private final ReceiveQueue socket;
    private final SimulatedReceiver[] members;
    /** Those that miss something or have not taken all that the others have. */
    private final List<SimulatedReceiver> behind = new ArrayList<>();

    /** Those whose first gap has become another since they were last looked at, in the order of their changes. */
    private final List<SimulatedReceiver> changed = new ArrayList<>();

    private final BitSet isBehind;
    private final BitSet losers;
    private final SplittableRandom repeatedLosses;
    /** The number after the highest datagram that the group took from its socket. */
    private int next;

    private long lostOnTheWay;
    private long lostAtSockets;
    private long overruns;

    ReceiverGroup(
            GroupLoad load,
            long seed,
            boolean isSlow,
            ReceiveQueue socket,
            int firstNumber,
            int size,
            int windowDatagrams,
            RepairListener listener) {
        this.load = load;
        losses = new LossDraw(seed + firstNumber, load.loss().lossProbability());
        this.isSlow = isSlow;
        this.socket = socket;
        members = new SimulatedReceiver[size];
        for (int i = 0; i < size; i++) {
            members[i] = new SimulatedReceiver(firstNumber + i, windowDatagrams, listener);
        }
        isBehind = new BitSet(size);
        losers = new BitSet(size);
        repeatedLosses = losses.repeated();
    }

    ReceiveQueue socket() {
        return socket;
    }

    boolean isSlow() {
        return isSlow;
    }

    int size() {
        return members.length;
    }

    /** Returns those that miss something; the caller must not keep the list. */
    List<SimulatedReceiver> behind() {
        return behind;
    }

    /** Returns whether all have everything before that number. */
    boolean isWholeUpTo(int end) {
        return next >= end && behind.isEmpty();
    }

    /** Datagrams that the network lost, each time at each receiver counted. */
    long lostOnTheWay() {
        return lostOnTheWay;
    }

    /** Datagrams of the feed that found no room in a socket's buffer, at each receiver counted. */
    long lostAtSockets() {
        return lostAtSockets;
    }

    /** Datagrams that lay beyond a receiver's window. */
    long overruns() {
        return overruns;
    }

    /** Takes a new datagram out of the sockets; the losses of one datagram are the same, whatever has happened before. */
    void takeNew(int datagram, boolean isLostBehindSwitch, long nowNs) {
        if (datagram > next) {
            lostAtSockets += (long) (datagram - next) * members.length;
            for (int i = 0; i < members.length; i++) {
                fallBehind(i);
            }
        }
        drawLosers(datagram, isLostBehindSwitch);
        for (int i = losers.nextSetBit(0); i >= 0; i = losers.nextSetBit(i + 1)) {
            lostOnTheWay++;
            fallBehind(i);
        }
        next = datagram + 1;
        for (SimulatedReceiver receiver : behind) {
            if (!losers.get(indexOf(receiver))) {
                overruns += receiver.accept(datagram, next, nowNs);
                noteChange(receiver);
            }
        }
    }

    /** Takes what was sent again; the network may lose it again. */
    void takeRepeated(int begin, int end, long nowNs) {
        for (SimulatedReceiver receiver : behind) {
            if (receiver.needs(begin, end)) {
                takeRepeated(receiver, begin, end, nowNs);
                noteChange(receiver);
            }
        }
    }

    private void takeRepeated(SimulatedReceiver receiver, int begin, int end, long nowNs) {
        int from = begin;
        if (losses.isLossy()) {
            for (int lost = begin + losses.skip(repeatedLosses); lost < end; lost += 1 + losses.skip(repeatedLosses)) {
                lostOnTheWay++;
                take(receiver, from, lost, nowNs);
                from = lost + 1;
            }
        }
        take(receiver, from, end, nowNs);
    }

    /** Hears by a heartbeat that datagrams up to that number were sent. */
    void hear(int end, long nowNs) {
        if (end > next) {
            lostAtSockets += (long) (end - next) * members.length;
            for (int i = 0; i < members.length; i++) {
                fallBehind(i);
            }
            next = end;
        }
        for (SimulatedReceiver receiver : behind) {
            receiver.hear(end, nowNs);
            noteChange(receiver);
        }
    }

    /** Hands over those whose first gap has become another, and forgets those that have caught up. */
    void drainChanged(Consumer<SimulatedReceiver> listener) {
        if (!changed.isEmpty()) {
            changed.forEach(listener);
            changed.clear();
            forgetWhole();
        }
    }

    private void noteChange(SimulatedReceiver receiver) {
        if (receiver.isChanged()) {
            changed.add(receiver);
        }
    }

    private void forgetWhole() {
        behind.removeIf(receiver -> {
            boolean isWhole = receiver.isWholeUpTo(next);
            if (isWhole) {
                isBehind.clear(indexOf(receiver));
            }
            return isWhole;
        });
    }

    private void take(SimulatedReceiver receiver, int begin, int end, long nowNs) {
        if (begin < end) {
            receiver.accept(begin, Math.min(end, next), nowNs);
        }
    }

    private void fallBehind(int index) {
        if (!isBehind.get(index)) {
            isBehind.set(index);
            members[index].begin(next);
            behind.add(members[index]);
        }
    }

    private int indexOf(SimulatedReceiver receiver) {
        return receiver.number() - members[0].number();
    }

    private void drawLosers(int datagram, boolean isLostBehindSwitch) {
        losers.clear();
        if (isLostBehindSwitch) {
            int behindSwitch =
                    (int) Math.round(load.loss().share() * load.traffic().receivers());
            losers.set(0, Math.max(0, Math.min(members.length, behindSwitch - members[0].number())));
        }
        losses.addLosers(datagram, members.length, losers);
    }
}
