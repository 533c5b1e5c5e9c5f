package org.naklab.lab.studies.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.naklab.lab.core.Units;

/**
 * Simulates a feed to a group of receivers with Aeron's rules of repair: a receiver asks for its first gap after a back-off, the sender answers
 * to the whole group, and ignores NAKs for what it has just sent again. Sockets hold a limited number of datagrams.
 *
 * <p>Simplified: datagrams have one size, terms have no ends, and all receivers with one speed take the same datagrams at the same time.
 */
final class RepairSimulation {
    private static final long STALL_BEGIN_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long HEARTBEAT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Aeron gives up an image that it hears nothing of for 10 s. */
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(10);
    /** Repeated datagrams that travel as one event. */
    private static final int CHUNK = 16;

    private static final long MAX_RECOVERY_US = TimeUnit.SECONDS.toMicros(60);

    private final GroupLoad load;
    private final GroupNetwork network;
    private final RepairSettings settings;
    private final EventLoop events = new EventLoop();
    private final RepairTraffic traffic = new RepairTraffic();
    private final Histogram recoveryUs = new Histogram(MAX_RECOVERY_US, 3);
    private final SimulatedSender sender;
    /** The sender's one thread: it sends, and reads NAKs from a socket. */
    private final ReceiveQueue senderThread;

    private final List<ReceiverGroup> groups = new ArrayList<>();
    private final boolean[] isLostBehindSwitch;
    private final SplittableRandom backOffs;
    private final SplittableRandom wakeUps;
    private final int datagrams;
    private final int windowDatagrams;

    private int sent;
    private long naksSent;
    private long naksSuppressed;
    private final Map<SimulatedSender.Answer, Long> answers = new EnumMap<>(SimulatedSender.Answer.class);
    private long retransmittedDatagrams;
    private long blockedNs;

    private RepairSimulation(
            GroupLoad load, GroupNetwork network, RepairSettings settings, long lossSeed, long timeSeed) {
        this.load = load;
        this.network = network;
        this.settings = settings;
        datagrams = load.datagrams();
        // Each subject has random numbers of its own: other settings meet the same losses.
        isLostBehindSwitch = drawCorrelated(new SplittableRandom(lossSeed).split());
        SplittableRandom root = new SplittableRandom(timeSeed);
        root.split();
        backOffs = root.split();
        wakeUps = root.split();
        sender = new SimulatedSender(settings, load.traffic().datagramBytes());
        int capacity =
                2 * settings.buffers().receiveBufferBytes() / load.traffic().memoryBytes();
        senderThread = new ReceiveQueue(root.split(), capacity, SleepCycles.NONE, network.nakNs(), 0, 0, 0);
        windowDatagrams = Math.toIntExact(
                settings.buffers().windowBytes() / load.traffic().datagramBytes());
        int healthy = load.traffic().receivers() - load.slow().slowReceivers();
        addGroup(
                lossSeed,
                new ReceiveQueue(root.split(), capacity, network.sleeps(), network.receiveNs(), 0, 0, 0),
                0,
                healthy);
        addGroup(
                lossSeed,
                new ReceiveQueue(
                        root.split(),
                        capacity,
                        network.sleeps(),
                        load.slow().slowServiceNs(),
                        STALL_BEGIN_NS,
                        load.slow().stallNs(),
                        load.slow().stallEveryNs()),
                healthy,
                load.slow().slowReceivers());
    }

    /** Simulates until every receiver has everything, or ten seconds have passed since the end of the feed. */
    static RepairFigures run(GroupLoad load, GroupNetwork network, RepairSettings settings, long seed) {
        return run(load, network, settings, seed, seed);
    }

    /**
     * Simulates the same losses with other back-offs and wake-ups.
     *
     * @param lossSeed of the losses
     * @param timeSeed of back-offs and wake-ups
     */
    static RepairFigures run(
            GroupLoad load, GroupNetwork network, RepairSettings settings, long lossSeed, long timeSeed) {
        return new RepairSimulation(load, network, settings, lossSeed, timeSeed).run();
    }

    private void addGroup(long seed, ReceiveQueue socket, int firstNumber, int size) {
        if (size > 0) {
            groups.add(new ReceiverGroup(
                    load,
                    seed,
                    firstNumber > 0
                            || load.slow().slowReceivers() == load.traffic().receivers(),
                    socket,
                    firstNumber,
                    size,
                    windowDatagrams,
                    this::onRepair));
        }
    }

    private boolean[] drawCorrelated(SplittableRandom random) {
        boolean[] isLost = new boolean[datagrams];
        for (int i = 0; i < datagrams; i++) {
            if (load.loss().correlatedProbability() > 0
                    && random.nextDouble() < load.loss().correlatedProbability()) {
                for (int j = i; j < Math.min(datagrams, i + load.loss().correlatedDatagrams()); j++) {
                    isLost[j] = true;
                }
            }
        }
        return isLost;
    }

    private RepairFigures run() {
        events.at(0, this::sendNext);
        events.run(load.traffic().durationNs() + DRAIN_NS + blockedNs, this::isWhole);
        return figures();
    }

    private boolean isWhole() {
        return sent == datagrams && groups.stream().allMatch(group -> group.isWholeUpTo(sent));
    }

    private void sendNext() {
        long nowNs = events.nowNs();
        if (isBlocked()) {
            blockedNs += network.sleeps().usualNs();
            events.at(nowNs + network.sleeps().usualNs(), this::sendNext);
            return;
        }
        int datagram = sent++;
        events.at(senderThread.occupy(nowNs, network.sendNs()), () -> leave(datagram));
        if (sent < datagrams) {
            events.at(Math.max(nowNs, Math.round(sent * load.intervalNs()) + blockedNs), this::sendNext);
        } else {
            events.at(nowNs + HEARTBEAT_NS, this::heartbeat);
        }
    }

    private void leave(int datagram) {
        traffic.addData(events.nowNs());
        for (ReceiverGroup group : groups) {
            long takenNs = group.socket().admit(events.nowNs() + network.delayNs());
            if (takenNs != ReceiveQueue.DROPPED) {
                events.at(takenNs, () -> takeNew(group, datagram));
            }
        }
    }

    /** Returns whether the window of the fastest receiver is used up. */
    private boolean isBlocked() {
        if (!settings.buffers().isSenderLimited()) {
            return false;
        }
        int fastest = 0;
        for (ReceiverGroup group : groups) {
            if (group.behind().size() < group.size()) {
                return false;
            }
            for (SimulatedReceiver receiver : group.behind()) {
                fastest = Math.max(fastest, receiver.position());
            }
        }
        return sent >= fastest + windowDatagrams;
    }

    private void takeNew(ReceiverGroup group, int datagram) {
        group.takeNew(datagram, isLostBehindSwitch[datagram], events.nowNs());
        look(group);
    }

    private void takeRepeated(ReceiverGroup group, int begin, int end) {
        group.takeRepeated(begin, end, events.nowNs());
        look(group);
    }

    private void heartbeat() {
        for (ReceiverGroup group : groups) {
            long takenNs = group.socket().admit(events.nowNs() + network.delayNs());
            if (takenNs != ReceiveQueue.DROPPED) {
                events.at(takenNs, () -> takeHeartbeat(group));
            }
        }
        events.at(events.nowNs() + HEARTBEAT_NS, this::heartbeat);
    }

    /** A heartbeat waits in the socket behind the datagrams that came before it. */
    private void takeHeartbeat(ReceiverGroup group) {
        group.hear(sent, events.nowNs());
        look(group);
    }

    /** Looks whether the first gap of a receiver has become another, as a driver does in each of its cycles. */
    private void look(ReceiverGroup group) {
        group.drainChanged(receiver -> {
            naksSuppressed += receiver.isNakPending() ? 1 : 0;
            receiver.activate();
            receiver.asked(false);
            int timer = receiver.newTimer();
            if (receiver.hasGap()) {
                schedule(group, receiver, timer, settings.asking().backOff().firstNs(backOffs));
            }
        });
    }

    private void schedule(ReceiverGroup group, SimulatedReceiver receiver, int timer, long backOffNs) {
        long dueNs = Math.max(events.nowNs() + backOffNs, receiver.suppressedUntilNs());
        events.at(group.socket().awakeNs(dueNs + wakeUpNs()), () -> askIfDue(group, receiver, timer));
    }

    private void askIfDue(ReceiverGroup group, SimulatedReceiver receiver, int timer) {
        if (timer != receiver.timer()) {
            return;
        }
        if (receiver.suppressedUntilNs() > events.nowNs()) {
            schedule(group, receiver, timer, 0);
            return;
        }
        naksSent++;
        traffic.addNak(events.nowNs());
        receiver.asked(true);
        int begin = receiver.gapBegin();
        int end = receiver.gapEnd();
        events.at(events.nowNs() + network.delayNs() + wakeUpNs(), () -> admitNak(receiver, begin, end));
        schedule(
                group,
                receiver,
                receiver.newTimer(),
                settings.asking().backOff().repeatedNs(backOffs));
    }

    private void admitNak(SimulatedReceiver receiver, int begin, int end) {
        long takenNs = senderThread.admit(events.nowNs());
        if (takenNs != ReceiveQueue.DROPPED) {
            events.at(takenNs, () -> answer(receiver, begin, end));
        }
    }

    private void answer(SimulatedReceiver receiver, int begin, int end) {
        SimulatedSender.Answer answer = sender.onNak(begin, end, sent, events.nowNs());
        answers.merge(answer, 1L, Long::sum);
        if (answer == SimulatedSender.Answer.SENT) {
            sendAgain(begin, sender.answerEnd());
        } else if (answer == SimulatedSender.Answer.IGNORED && settings.asking().suppressNs() > 0) {
            events.at(
                    events.nowNs() + network.delayNs() + wakeUpNs(),
                    () -> receiver.suppressUntil(
                            events.nowNs() + settings.asking().suppressNs()));
        }
    }

    private void sendAgain(int begin, int end) {
        long beginNs = senderThread.occupy(events.nowNs(), (end - begin) * network.sendNs());
        retransmittedDatagrams += end - begin;
        traffic.addRepeated(beginNs, end - begin);
        for (int from = begin; from < end; from += CHUNK) {
            int first = from;
            int last = Math.min(end, from + CHUNK);
            long leavesNs = beginNs + (from - begin) * network.sendNs();
            events.at(leavesNs, () -> groups.forEach(group -> deliver(group, first, last, leavesNs)));
        }
    }

    /** Puts a chunk into the sockets; what finds room is taken out together, in runs without a hole. */
    private void deliver(ReceiverGroup group, int begin, int end, long leavesNs) {
        int from = begin;
        long takenNs = leavesNs;
        for (int i = begin; i < end; i++) {
            long nextTakenNs = group.socket().admit(leavesNs + (i - begin) * network.sendNs() + network.delayNs());
            if (nextTakenNs == ReceiveQueue.DROPPED) {
                take(group, from, i, takenNs);
                from = i + 1;
            } else {
                takenNs = nextTakenNs;
            }
        }
        take(group, from, end, takenNs);
    }

    private void take(ReceiverGroup group, int begin, int end, long takenNs) {
        if (begin < end) {
            events.at(takenNs, () -> takeRepeated(group, begin, end));
        }
    }

    private void onRepair(SimulatedReceiver receiver, long sinceNs, int repaired) {
        long us = TimeUnit.NANOSECONDS.toMicros(events.nowNs() - sinceNs);
        recoveryUs.recordValueWithCount(Math.min(us, MAX_RECOVERY_US), repaired);
    }

    /** A thread that sleeps notices at the end of its sleep. */
    private long wakeUpNs() {
        return network.sleeps().waitNs(wakeUps);
    }

    private long answered(SimulatedSender.Answer answer) {
        return answers.getOrDefault(answer, 0L);
    }

    private RepairFigures figures() {
        long onTheWay = 0;
        long overruns = 0;
        long lostHealthy = 0;
        long lostSlow = 0;
        long unrecovered = 0;
        long dropsHealthy = 0;
        int incomplete = 0;
        for (ReceiverGroup group : groups) {
            onTheWay += group.lostOnTheWay();
            overruns += group.overruns();
            lostHealthy += group.isSlow() ? 0 : group.lostAtSockets();
            lostSlow += group.isSlow() ? group.lostAtSockets() : 0;
            dropsHealthy += group.isSlow() ? 0 : group.socket().dropped();
            for (SimulatedReceiver receiver : group.behind()) {
                int missing = receiver.missing(sent);
                unrecovered += missing;
                incomplete += missing > 0 ? 1 : 0;
            }
        }
        return new RepairFigures(
                sent,
                new RepairFigures.Losses(onTheWay, lostSlow, lostHealthy, overruns),
                new RepairFigures.Naks(
                        naksSent,
                        naksSuppressed,
                        answered(SimulatedSender.Answer.IGNORED) + answered(SimulatedSender.Answer.OVERFLOWED),
                        answered(SimulatedSender.Answer.LIMITED),
                        senderThread.dropped()),
                new RepairFigures.Answers(
                        answered(SimulatedSender.Answer.SENT),
                        retransmittedDatagrams,
                        traffic.peakNaksPerSecond(),
                        traffic.peakRepeatedPerSecond()),
                new RepairFigures.Outcome(
                        RecoveryLatency.of(recoveryUs),
                        unrecovered,
                        incomplete,
                        blockedNs / Units.NS_PER_MS,
                        StormSign.of(dropsHealthy, senderThread.dropped(), traffic.exceedsData())));
    }
}
