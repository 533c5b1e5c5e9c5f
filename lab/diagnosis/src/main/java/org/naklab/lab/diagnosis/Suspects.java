package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.SLOW_CALLBACK;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;

/**
 * The suspects of the incident's investigators and of a sceptic, each with a figure of its own that rules it out, or that does not. What no
 * instrument observed is not ruled out, and the figure says so. The diagnosed cause comes first.
 */
final class Suspects {
    private static final double NS_PER_MS = 1e6;
    private static final String NOT_SEEN = "not looked at";
    /** A burst may fill a queue before the stall that makes it overflow. */
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Set<AccountKind> CLAIMED_BY_CALLBACK = EnumSet.of(
            AccountKind.ON_CPU,
            AccountKind.LOCK,
            AccountKind.SLEEP,
            AccountKind.PIPE,
            AccountKind.TERMINAL,
            AccountKind.SOCKET,
            AccountKind.OTHER_WAIT,
            AccountKind.UNEXPLAINED);

    private final CaseFile file;
    private final @Nullable TimelineEvent stall;
    private final Explanation explanation;
    private final StallAccount account;

    /** @param stall {@code null}: there was none */
    Suspects(CaseFile file, @Nullable TimelineEvent stall, Explanation explanation) {
        this.file = file;
        this.stall = stall;
        this.explanation = explanation;
        account = stall == null ? StallAccount.NONE : new StallAttribution(file, stall).account();
    }

    List<Suspect> all() {
        List<Suspect> suspects = new ArrayList<>();
        suspects.add(burst());
        suspects.add(kinds("pre-emption of the receipt thread", "runnable without a CPU", AccountKind.PREEMPTED));
        suspects.add(kinds("CPU quota of the cgroup", "throttled", AccountKind.THROTTLED));
        suspects.add(callbacks());
        suspects.add(kinds("blocking in poll", "in poll or on a socket", AccountKind.SOCKET));
        suspects.add(kinds("lock or file lock", "waiting for a lock", AccountKind.LOCK, AccountKind.FILE_LOCK));
        suspects.add(kinds(
                "page fault or memory reclaim",
                "waiting for pages",
                AccountKind.PAGE_FAULT,
                AccountKind.SWAP,
                AccountKind.RECLAIM));
        suspects.add(kinds("disk or file system", "waiting for a disk", AccountKind.DISK));
        suspects.add(slowJournal());
        suspects.add(kinds(
                "garbage collection or safepoint",
                "with all threads of the JVM stopped",
                AccountKind.GC,
                AccountKind.VM_OPERATION,
                AccountKind.TIME_TO_SAFEPOINT));
        suspects.add(kinds(
                "process paused",
                "stopped, frozen or traced",
                AccountKind.STOPPED,
                AccountKind.FROZEN,
                AccountKind.TRACED));
        suspects.add(
                kinds("machine stalled", "with an idle thread's timer late as well, or CPU steal", AccountKind.STOLEN));
        suspects.add(network());
        suspects.sort((left, right) -> Boolean.compare(isCulprit(right), isCulprit(left)));
        return suspects;
    }

    /** A suspect that is named by the cause; for causes that are no suspect of the list, none is. */
    private boolean isCulprit(Suspect suspect) {
        return !suspect.ruledOut() && !suspect.figure().equals(NOT_SEEN) && explanation.cause() != Cause.UNEXPLAINED;
    }

    private Suspect burst() {
        long peak = file.maximum("rate.", "PerSecond");
        List<TimelineEvent> bursts = file.of(TRAFFIC_BURST);
        TimelineEvent ofStall = stall;
        Interval lead = ofStall == null
                ? file.counted()
                : new Interval(ofStall.timeNs() - LEAD_NS, ofStall.interval().endNs());
        long near =
                bursts.stream().filter(burst -> lead.contains(burst.timeNs())).count();
        String where = ofStall == null ? "in the counted window" : "from 100 ms before the stall to its end";
        String figure = peak < 0
                ? NOT_SEEN
                : String.format(
                        Locale.ROOT,
                        "%d bursts by rule %s, %d in the run; at most %,d bytes/s in 10 ms",
                        near,
                        where,
                        bursts.size(),
                        peak);
        boolean isCause = explanation.cause() == Cause.TRAFFIC_BURST;
        return new Suspect("traffic burst", peak >= 0 && !isCause && (near == 0 || isExplained()), figure);
    }

    /** A burst in a stall that the account explains met a thread that stood still. */
    private boolean isExplained() {
        return stall != null && account.share(AccountKind.UNEXPLAINED) < 1 - Explanation.CERTAIN_SHARE;
    }

    /** With a stall: the part of it that one callback took, less what kept the thread from outside. Without: the longest of the run. */
    private Suspect callbacks() {
        TimelineEvent ofStall = stall;
        if (ofStall == null) {
            return longestCallback();
        }
        double covered = ofStall.interval().coveredBy(file.spans(ofStall.process(), SLOW_CALLBACK));
        double own = CLAIMED_BY_CALLBACK.stream().mapToDouble(account::share).sum();
        double share = Math.min(covered, own);
        return new Suspect(
                "slow callback",
                share < Explanation.LEAST_SHARE,
                String.format(
                        Locale.ROOT,
                        "%.1f of %.1f ms in one callback, %.1f ms of that by its own doing",
                        covered * ofStall.interval().lengthMs(),
                        ofStall.interval().lengthMs(),
                        share * ofStall.interval().lengthMs()));
    }

    /** Those that took a millisecond or more are told one by one, the others by their mean. */
    private Suspect longestCallback() {
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
        boolean isCause = explanation.cause() == Cause.SLOW_CALLBACK;
        return new Suspect("slow callback", Math.max(longestNs, meanNs) >= 0 && !isCause, figure);
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
                explanation.cause() != Cause.NETWORK_LOSS
                        && explanation.cause() != Cause.NETWORK_DELAY
                        && losses.lostOnTheWayBytes() == 0
                        && (losses.naks() == 0 || losses.drops() > 0),
                String.format(
                        Locale.ROOT,
                        "%,d NAKs; %,d datagrams dropped by the hosts' own sockets, %,d bytes missing beyond those",
                        losses.naks(),
                        losses.drops(),
                        losses.lostOnTheWayBytes()));
    }

    /** A suspect whose time is in the account; what is unexplained may be its time as well. */
    private Suspect kinds(String name, String what, AccountKind... kinds) {
        TimelineEvent ofStall = stall;
        if (ofStall == null) {
            return new Suspect(name, true, "no stall that matters");
        }
        double ms = List.of(kinds).stream().mapToDouble(account::ms).sum();
        double unexplainedMs = account.ms(AccountKind.UNEXPLAINED);
        double lengthMs = ofStall.interval().lengthMs();
        String figure = String.format(Locale.ROOT, "%.1f of %.1f ms %s", ms, lengthMs, what);
        return new Suspect(
                name,
                ms + unexplainedMs < Explanation.LEAST_SHARE * lengthMs,
                unexplainedMs < Explanation.LEAST_SHARE * lengthMs
                        ? figure
                        : figure + String.format(Locale.ROOT, ", %.1f ms unexplained", unexplainedMs));
    }
}
