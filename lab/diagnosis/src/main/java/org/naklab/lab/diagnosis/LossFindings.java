package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.RING_DEPTH_RISE;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DatagramEvent.Burst;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.events.LossCharges;
import org.naklab.lab.diagnosis.readings.RingFill;

/** Finds the causes of losses that are no stall's: bursts, a slow consumer, what was lost, late or out of order on the way. All are found, whichever is worst. */
final class LossFindings {
    /** The usual rate is a mean; a sender that catches up may send more than that. */
    private static final double MOST_HELD_BACK = 4;

    private final CaseFile file;
    private final LossAnalysis losses;
    private final DatagramDiscards discards;
    private final ArrivalAnalysis arrivals;
    private final List<String> noted = new ArrayList<>();

    LossFindings(CaseFile file, LossAnalysis losses, DatagramDiscards discards) {
        this.file = file;
        this.losses = losses;
        this.discards = discards;
        arrivals = new ArrivalAnalysis(file);
    }

    /** Returns what was seen beside the findings and does not matter, each one line. */
    List<String> noted() {
        return noted;
    }

    /**
     * Returns the findings.
     *
     * @param isAlone whether there is no stall that could have cost what is missing
     * @param charges of the stalls and of the bursts
     */
    List<Diagnoser.Finding> all(boolean isAlone, LossCharges charges) {
        List<Diagnoser.Finding> findings = new ArrayList<>();
        addBursts(findings, charges);
        addSlowConsumer(findings);
        addLossesOnTheWay(findings);
        if (findings.isEmpty() && isAlone) {
            addUnexplained(findings);
        } else if (isAlone && losses.drops() > losses.badChecksums() && !isBurstAmong(findings)) {
            noted.add(String.format(
                    Locale.ROOT, "sockets also dropped %,d datagrams without a stall or a burst", losses.drops()));
        }
        addDisorders(findings);
        noteBadChecksums();
        return findings;
    }

    /** Damaged datagrams that nobody misses were of another sender. */
    private void noteBadChecksums() {
        if (discards.badChecksums() > 0 && file.areNaksCounted(file.suspect()) && losses.naks() == 0) {
            noted.add(String.format(
                    Locale.ROOT,
                    "this host discarded %,d datagrams with a bad checksum, and no receiver missed one of the feed",
                    discards.badChecksums()));
        }
    }

    private static boolean isBurstAmong(List<Diagnoser.Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.cause() == Cause.TRAFFIC_BURST);
    }

    /** Returns the bursts other than those that catch up after a stall of sender or receiver. */
    List<Burst> bursts() {
        return file.of(Burst.class).stream()
                .filter(burst -> file.counted().contains(burst.timeNs()))
                .filter(burst -> !isCatchingUp(burst))
                .toList();
    }

    /** Bursts in or soon after which the socket of a receiver overflowed, each as seen by all that saw it; one of these is charged. */
    private void addBursts(List<Diagnoser.Finding> findings, LossCharges charges) {
        for (CaseFile.Receiver receiver : file.receivers()) {
            List<Burst> charged = bursts().stream()
                    .filter(burst -> lost(burst, receiver.name(), charges) > 0)
                    .toList();
            List<Burst> harmful = bursts().stream()
                    .filter(burst -> charged.stream()
                            .anyMatch(each -> Diagnoser.withAftermath(each).overlaps(Diagnoser.withAftermath(burst))))
                    .toList();
            if (!harmful.isEmpty()) {
                findings.add(burst(receiver.name(), harmful, charges));
            }
        }
    }

    private long lost(Burst burst, String receiver, LossCharges charges) {
        return losses.ofFullSocket(charges.of(burst, receiver), false);
    }

    /** A stall can hold back what comes in while it lasts, and no more. */
    private boolean isCatchingUp(Burst burst) {
        Interval before = Diagnoser.beforeAftermath(new Interval(burst.timeNs(), burst.timeNs()));
        return file.near(before, STALL).stream()
                .filter(stall -> !Diagnoser.isOverflow(stall))
                .filter(stall -> Diagnoser.withAftermath(stall).contains(burst.timeNs()))
                .anyMatch(stall -> bytes(burst) <= MOST_HELD_BACK * heldBackBytes(burst, stall));
    }

    private static double bytes(Burst burst) {
        double seconds = burst.interval().lengthMs() / Units.MS_PER_S;
        Long known = burst.arrivals();
        return (known == null ? burst.peakPerSecond() * seconds : known) - burst.baselinePerSecond() * seconds;
    }

    private static double heldBackBytes(Burst burst, TimelineEvent stall) {
        return burst.baselinePerSecond() * stall.interval().lengthMs() / Units.MS_PER_S;
    }

    /** Each receiver of a burst reports it. */
    private Diagnoser.Finding burst(String receiver, List<Burst> bursts, LossCharges charges) {
        List<Evidence> evidence = new ArrayList<>();
        bursts.forEach(burst -> evidence.add(new Evidence(
                burst.timeNs(),
                "the rate rose at " + burst.process(),
                String.format(
                        Locale.ROOT, "%,d bytes/s, before %,d", burst.peakPerSecond(), burst.baselinePerSecond()))));
        evidence.addAll(foreign(bursts));
        Set<String> witnesses = bursts.stream().map(TimelineEvent::process).collect(Collectors.toSet());
        long lost = bursts.stream()
                .mapToLong(burst -> lost(burst, receiver, charges))
                .sum();
        boolean isWitnessed = witnesses.size() > 1;
        return new Diagnoser.Finding(
                new Explanation(Cause.TRAFFIC_BURST, isWitnessed ? 1 : Explanation.LEAST_SHARE, evidence),
                receiver,
                bursts.get(0),
                lost,
                isWitnessed
                        ? List.of()
                        : List.of("a second observer of the rate: only " + witnesses + " saw the burst"));
    }

    /** Names the senders of most of a burst, if they are others than that of the feed. */
    private List<Evidence> foreign(List<Burst> bursts) {
        return Interval.union(bursts.stream().map(TimelineEvent::interval).toList()).stream()
                .flatMap(span -> file.near(span, DatagramEvent.Foreign.class).stream())
                .filter(event -> event.port() == file.feedPort())
                .filter(event -> bursts.stream()
                        .anyMatch(burst -> burst.interval().overlaps(event.interval())
                                && event.bytes() >= Explanation.LEAST_SHARE * bytes(burst)))
                .distinct()
                .map(event -> new Evidence(
                        event.timeNs(),
                        "most of the burst was not of the feed: " + event.flow().source() + " sent to "
                                + event.flow().destination(),
                        String.format(
                                Locale.ROOT,
                                "%,d datagrams in %.0f ms",
                                event.count(),
                                event.interval().lengthMs())))
                .toList();
    }

    /** The ring fills up because of its consumers only while the thread that fills it runs. */
    private void addSlowConsumer(List<Diagnoser.Finding> findings) {
        long refused = file.receiver(file.suspect()).losses().ringFull();
        if (refused <= 0) {
            return;
        }
        List<Interval> full = new RingFill(file.readings(), file.suspect()).full(file.counted());
        double stood = stoodStill(full);
        if (full.isEmpty()) {
            findings.add(slowConsumer(
                    new Evidence(firstRiseNs(), "the ring was full; when, was not observed", refusals(refused)),
                    new Interval(firstRiseNs(), firstRiseNs()),
                    Explanation.LEAST_SHARE,
                    List.of("the depth of the ring over time, and whether the context thread ran while it was full")));
        } else if (1 - stood < Explanation.LEAST_SHARE) {
            noted.add(String.format(
                    Locale.ROOT,
                    "the ring was full while the context thread stood still: %s, %.0f ms",
                    refusals(refused),
                    lengthMs(full)));
        } else {
            Interval first = full.get(0);
            findings.add(slowConsumer(
                    new Evidence(
                            first.beginNs(),
                            "the ring was full while the context thread kept running",
                            String.format(
                                    Locale.ROOT,
                                    "%s, %.0f ms; the thread stood still in %.0f ms of it",
                                    refusals(refused),
                                    lengthMs(full),
                                    stood * lengthMs(full))),
                    new Interval(first.beginNs(), first.beginNs() + lengthNs(full)),
                    1 - stood,
                    List.of()));
        }
    }

    private Diagnoser.Finding slowConsumer(Evidence evidence, Interval span, double share, List<String> missing) {
        return new Diagnoser.Finding(
                new Explanation(Cause.SLOW_CONSUMER, share, List.of(evidence)), file.suspect(), null, span, 0, missing);
    }

    private static String refusals(long refused) {
        return String.format(Locale.ROOT, "%,d times refused", refused);
    }

    /** Returns the share of those times in which the suspect's threads stood still. */
    private double stoodStill(List<Interval> spans) {
        List<Interval> stalls = file.spans(file.suspect(), STALL);
        double stoodMs = spans.stream()
                .mapToDouble(span -> span.coveredBy(stalls) * span.lengthMs())
                .sum();
        return spans.isEmpty() ? 0 : stoodMs / lengthMs(spans);
    }

    private static long lengthNs(List<Interval> spans) {
        return spans.stream().mapToLong(Interval::lengthNs).sum();
    }

    private static double lengthMs(List<Interval> spans) {
        return spans.stream().mapToDouble(Interval::lengthMs).sum();
    }

    /** Returns when the ring was first seen to fill; the end of the counted window, when the refusals were counted, if nobody saw it. */
    private long firstRiseNs() {
        return file.of(file.suspect(), RING_DEPTH_RISE).stream()
                .mapToLong(TimelineEvent::timeNs)
                .filter(file.counted()::contains)
                .findFirst()
                .orElse(file.counted().endNs());
    }

    private void addLossesOnTheWay(List<Diagnoser.Finding> findings) {
        Set<String> told = new LinkedHashSet<>(losses.lossyReceivers());
        told.forEach(receiver -> findings.add(onTheWay(receiver, nakWithoutDrop(receiver))));
        losses.shortReceivers().stream()
                .filter(told::add)
                .forEach(receiver -> findings.add(onTheWay(receiver, missingBesideDrops(receiver))));
        if (told.isEmpty() && !file.areNaksCounted(file.suspect())) {
            addLossesWithoutNaks(findings);
        }
    }

    /** Of a receiver that sends no NAKs, this host's own discards tell. Without membership, a switch may send nothing that could be discarded. */
    private void addLossesWithoutNaks(List<Diagnoser.Finding> findings) {
        if (discards.beforeSockets() > 0) {
            Evidence discarded = new Evidence(
                    file.counted().beginNs(),
                    "this host discarded datagrams before they reached a socket",
                    String.format(Locale.ROOT, "%,d datagrams", discards.beforeSockets()));
            findings.add(loss(file.suspect(), discarded, discards.beforeSockets()));
        } else if (!discards.taken().isEmpty()) {
            findings.add(taken(discards.taken()));
        } else {
            discards.interruptedMemberships().stream().findFirst().ifPresent(lost -> {
                Explanation explanation = new Explanation(
                        Cause.NETWORK_LOSS, Explanation.LEAST_SHARE, discards.evidence(lost.timeNs(), losses.drops()));
                String missing = "whether anybody sent to the group meanwhile: a capture at another receiver";
                findings.add(
                        new Diagnoser.Finding(explanation, file.suspect(), null, lost.interval(), 0, List.of(missing)));
            });
        }
    }

    /** Which of the programs should have the datagrams, only their owner knows. */
    private Diagnoser.Finding taken(List<DatagramEvent.Taken> taken) {
        long atNs = taken.get(0).timeNs();
        long lost = taken.stream().mapToLong(DatagramEvent.Taken::count).sum();
        String owners =
                taken.stream().map(DatagramEvent.Taken::taker).distinct().collect(Collectors.joining(", "));
        List<Evidence> evidence = new ArrayList<>(List.of(new Evidence(
                atNs,
                "another socket that was bound to the port meanwhile got the datagrams",
                String.format(Locale.ROOT, "%,d datagrams, %s", lost, owners))));
        evidence.addAll(discards.evidence(atNs, losses.drops()));
        return new Diagnoser.Finding(
                new Explanation(Cause.NETWORK_LOSS, Explanation.LEAST_SHARE, evidence),
                file.suspect(),
                atNs,
                lost,
                List.of("whether the other process should have the datagrams: " + owners));
    }

    /** Explains a NAK for a datagram that never reached the socket: it was lost, or only late. */
    private Diagnoser.Finding onTheWay(String receiver, Evidence asked) {
        if (arrivals.isDelayed(receiver)) {
            Evidence late = arrivals.delay(receiver, asked.atNs());
            Explanation delay =
                    new Explanation(Cause.NETWORK_DELAY, arrivals.delayedShare(receiver), List.of(asked, late));
            return new Diagnoser.Finding(delay, receiver, asked.atNs(), 0, arrivals.missing(receiver));
        }
        return loss(receiver, asked, losses.datagramsLostOnTheWay(receiver));
    }

    private Diagnoser.Finding loss(String receiver, Evidence loss, long lost) {
        List<Evidence> evidence = new ArrayList<>(List.of(loss));
        evidence.addAll(discards.evidence(loss.atNs(), losses.drops()));
        return new Diagnoser.Finding(
                new Explanation(Cause.NETWORK_LOSS, 1, evidence), receiver, loss.atNs(), lost, discards.missing());
    }

    private Evidence nakWithoutDrop(String receiver) {
        return new Evidence(
                losses.firstLossNs(receiver),
                losses.drops() == 0
                        ? "NAKs for datagrams that no socket dropped"
                        : "NAKs for datagrams that their socket did not drop for want of room",
                losses.naks(receiver) + " NAKs of " + receiver + ", " + losses.drops() + " drops in total");
    }

    private Evidence missingBesideDrops(String receiver) {
        return new Evidence(
                losses.firstNakNs(),
                "more bytes were missing than the dropped datagrams can have contained",
                String.format(
                        Locale.ROOT,
                        "%,d bytes more at %s than in %,d drops",
                        file.receiver(receiver).losses().lostOnTheWayBytes(),
                        receiver,
                        file.receiver(receiver).losses().datagramsDropped()));
    }

    /** Drops or NAKs that no stall and no cause of a loss explains. */
    private void addUnexplained(List<Diagnoser.Finding> findings) {
        boolean isNothingMissing =
                file.areNaksCounted(file.suspect()) && losses.naks() == 0 && losses.drops() == losses.badChecksums();
        if (isNothingMissing) {
            return;
        }
        if (losses.drops() > 0) {
            SocketDrops drops = discards.drops(losses.drops());
            String why = drops.isOverflowOnly()
                    ? "a socket overflowed without a stall"
                    : "no thread stalled, and a socket's datagrams were " + drops.why();
            findings.add(unexplained(
                    new Evidence(losses.firstDropNs(), why, losses.drops() + " datagrams"), losses.drops()));
        } else if (losses.naks() > 0) {
            findings.add(unexplained(
                    new Evidence(
                            losses.firstNakNs(),
                            "NAKs for data dropped in the warm-up or outside of the driver's window",
                            losses.naks() + " NAKs"),
                    0));
        }
    }

    private Diagnoser.Finding unexplained(Evidence evidence, long lost) {
        return new Diagnoser.Finding(
                new Explanation(Cause.UNEXPLAINED, 0, List.of(evidence)),
                file.suspect(),
                evidence.atNs(),
                lost,
                List.of());
    }

    /** What came out of order or twice on the way, at each receiver. */
    private void addDisorders(List<Diagnoser.Finding> findings) {
        for (CaseFile.Receiver receiver : file.receivers()) {
            addDisorder(findings, receiver.name(), Cause.NETWORK_REORDERING, arrivals.reordering(receiver.name()));
            addDisorder(findings, receiver.name(), Cause.NETWORK_DUPLICATION, arrivals.duplication(receiver.name()));
        }
    }

    private static void addDisorder(
            List<Diagnoser.Finding> findings, String receiver, Cause cause, List<Evidence> evidence) {
        evidence.stream()
                .map(Evidence::atNs)
                .min(Comparator.naturalOrder())
                .ifPresent(atNs -> findings.add(
                        new Diagnoser.Finding(new Explanation(cause, 1, evidence), receiver, atNs, 0, List.of())));
    }
}
