package org.naklab.lab.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * The suspects of the incident's investigators and of a sceptic, each with the figure that rules it out. If no
 * instrument looked, it is not ruled out, and the figure says so.
 */
final class Suspects {
    private static final double NS_PER_MS = 1e6;
    private static final String NOT_SEEN = "no instrument observed it";

    private final CaseFile file;
    private final @Nullable TimelineEvent stall;
    private final Cause cause;

    /** @param stall {@code null}: there was none */
    Suspects(CaseFile file, @Nullable TimelineEvent stall, Cause cause) {
        this.file = file;
        this.stall = stall;
        this.cause = cause;
    }

    List<Suspect> all() {
        List<Suspect> suspects = new ArrayList<>();
        suspects.add(burst());
        suspects.add(share("pre-emption of the receipt thread", Cause.CPU_PREEMPTION, "runnable without a CPU"));
        suspects.add(callbacks());
        suspects.add(share("blocking in poll", Cause.UNEXPLAINED, "of the stall unexplained"));
        suspects.add(slowJournal());
        suspects.add(share("garbage collection or safepoint", Cause.GC_OR_SAFEPOINT, "with all threads stopped"));
        suspects.add(share("process paused", Cause.PROCESS_PAUSED, "in state T"));
        suspects.add(share(
                "machine stalled", Cause.MACHINE_STALLED, "with an idle thread's timer late as well, or CPU steal"));
        suspects.add(network());
        return suspects;
    }

    private Suspect burst() {
        List<TimelineEvent> bursts = file.of(TimelineEventType.TRAFFIC_BURST);
        long peak = file.maximum("rate.", "PerSecond");
        String figure = peak < 0
                ? NOT_SEEN
                : String.format(Locale.ROOT, "at most %,d bytes/s in 10 ms; %d bursts by rule", peak, bursts.size());
        return new Suspect("traffic burst", peak >= 0 && cause != Cause.TRAFFIC_BURST, figure);
    }

    /** Those that took a millisecond or more are told one by one, the others by their mean. */
    private Suspect callbacks() {
        String prefix = "heartbeat." + file.suspect() + ".";
        long longestNs = file.maximum(prefix, ".callbackNs");
        long meanNs = file.maximum(prefix, ".meanCallbackNs");
        String figure = NOT_SEEN;
        if (longestNs >= 0) {
            figure = String.format(Locale.ROOT, "the longest callback took %.3f ms", longestNs / NS_PER_MS);
        } else if (meanNs >= 0) {
            figure = String.format(
                    Locale.ROOT, "no callback took a millisecond; the maximum mean over 100 ms is %,d ns", meanNs);
        }
        return new Suspect("slow callback", Math.max(longestNs, meanNs) >= 0 && cause != Cause.SLOW_CALLBACK, figure);
    }

    private Suspect slowJournal() {
        long depth = file.maximum("gauge." + file.suspect() + ".", "ringDepthSlots");
        long full = file.receiver(file.suspect()).ringFull();
        String deepest = depth < 0 ? "" : String.format(Locale.ROOT, "; at most %,d messages in the ring", depth);
        return new Suspect(
                "slow journal writes", full == 0, String.format(Locale.ROOT, "ring full %,d times%s", full, deepest));
    }

    private Suspect network() {
        LossAnalysis losses = new LossAnalysis(file);
        return new Suspect(
                "loss on the network",
                cause != Cause.NETWORK_LOSS
                        && losses.lostOnTheWayBytes() == 0
                        && (losses.naks() == 0 || losses.drops() > 0),
                String.format(
                        Locale.ROOT,
                        "%,d NAKs; %,d datagrams dropped by the hosts' own sockets, %,d bytes missing beyond those",
                        losses.naks(),
                        losses.drops(),
                        losses.lostOnTheWayBytes()));
    }

    private Suspect share(String name, Cause suspected, String what) {
        if (stall == null) {
            return new Suspect(name, true, "no relevant stall");
        }
        double share = Math.min(1, shareOf(stall, suspected));
        double lengthMs = stall.interval().lengthMs();
        return new Suspect(
                name,
                cause != suspected && share < Explanation.LEAST_SHARE,
                String.format(Locale.ROOT, "%.1f of %.1f ms %s", share * lengthMs, lengthMs, what));
    }

    private double shareOf(TimelineEvent event, Cause suspected) {
        StallBreakdown shares = new StallBreakdown(file, event);
        return switch (suspected) {
            case CPU_PREEMPTION -> shares.runQueue();
            case GC_OR_SAFEPOINT -> shares.collected();
            case PROCESS_PAUSED -> shares.paused();
            case MACHINE_STALLED -> Math.max(shares.machine(), shares.stolen());
            default ->
                cause == Cause.UNEXPLAINED
                        ? 1
                        : Math.max(
                                0,
                                1 - new StallAttribution(file, event).explain().share());
        };
    }
}
