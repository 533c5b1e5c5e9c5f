package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.SLOW_CALLBACK;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.readings.RingFill;
import org.naklab.lab.diagnosis.readings.StreamArrivals;

/**
 * The suspects of the incident's investigators and of a sceptic, each with a figure of its own over the span of the stall that matters; without
 * one, over the counted window. The figure rules it out, or does not; no other cause does. What no instrument observed is not ruled out, and the
 * figure says so. The diagnosed cause comes first.
 */
final class Suspects {
    private static final String NOT_SEEN = "not looked at";
    /** A burst may fill a queue before the stall that makes it overflow. */
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A rate that is larger by less was survived at other times. */
    private static final double LEAST_BURST = 2;
    /** A ring that was never fuller than that in a stall did not hold up its producer. */
    private static final double FULL_RING = 0.5;

    private static final String CALLBACK = "callbackNs";
    private static final String MEAN_CALLBACK = "meanCallbackNs";
    private static final Set<String> CALLBACKS = Set.of(CALLBACK, MEAN_CALLBACK, "longestCallbackNs");
    private static final String GAP = "gapNs";
    private static final Set<String> GAPS = Set.of(GAP, "longestGapNs");
    private static final Set<String> LATENESS = Set.of("latenessNs", "longestLatenessNs");

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
    private final StallAttributions attributions;
    private final @Nullable TimelineEvent stall;
    private final Cause cause;
    private final StallAccount account;

    /** A suspect, and the causes of which it is the name. */
    private record Row(Suspect suspect, Set<Cause> causes) {}

    /** @param stall {@code null}: there was none */
    Suspects(CaseFile file, StallAttributions attributions, @Nullable TimelineEvent stall, Explanation explanation) {
        this.file = file;
        this.attributions = attributions;
        this.stall = stall;
        cause = explanation.cause();
        account = stall == null ? StallAccount.NONE : attributions.of(stall).account();
    }

    List<Suspect> all() {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row(burst(), EnumSet.of(Cause.TRAFFIC_BURST)));
        rows.add(kinds(
                "pre-emption of the receipt thread",
                "runnable without a CPU",
                EnumSet.of(Cause.CPU_PREEMPTION),
                AccountKind.PREEMPTED));
        rows.add(kinds(
                "interrupts on the CPU of the receipt thread",
                "interrupted",
                EnumSet.of(Cause.KERNEL_INTERFERENCE),
                AccountKind.INTERRUPTED));
        rows.add(kinds("CPU quota of the cgroup", "throttled", EnumSet.of(Cause.CPU_THROTTLED), AccountKind.THROTTLED));
        rows.add(new Row(callbacks(), EnumSet.of(Cause.SLOW_CALLBACK)));
        rows.add(kinds(
                "blocking in poll",
                "in poll or on a socket",
                EnumSet.of(Cause.BLOCKING_CALL, Cause.NOT_NOTIFIED),
                AccountKind.SOCKET,
                AccountKind.NOT_NOTIFIED));
        rows.add(kinds(
                "lock or file lock",
                "waiting for a lock",
                EnumSet.of(Cause.LOCK_WAIT, Cause.FILE_LOCK_WAIT),
                AccountKind.LOCK,
                AccountKind.FILE_LOCK));
        rows.add(kinds(
                "page fault or memory reclaim",
                "waiting for pages",
                EnumSet.of(Cause.MAJOR_FAULT, Cause.MEMORY_PRESSURE, Cause.LATE_BINDING_MAJOR_FAULT),
                AccountKind.PAGE_FAULT,
                AccountKind.SWAP,
                AccountKind.RECLAIM));
        rows.add(kinds("disk or file system", "waiting for a disk", EnumSet.of(Cause.DISK_WAIT), AccountKind.DISK));
        rows.add(new Row(slowJournal(), EnumSet.of(Cause.SLOW_CONSUMER)));
        rows.add(kinds(
                "garbage collection or safepoint",
                "with all threads of the JVM stopped",
                EnumSet.of(Cause.GC_OR_SAFEPOINT, Cause.VM_OPERATION, Cause.TIME_TO_SAFEPOINT),
                AccountKind.GC,
                AccountKind.VM_OPERATION,
                AccountKind.TIME_TO_SAFEPOINT));
        rows.add(kinds(
                "process paused",
                "stopped, frozen or traced",
                EnumSet.of(Cause.PROCESS_PAUSED, Cause.PROCESS_FROZEN, Cause.PROCESS_TRACED),
                AccountKind.STOPPED,
                AccountKind.FROZEN,
                AccountKind.TRACED));
        rows.add(new Row(machine(), EnumSet.of(Cause.MACHINE_STALLED)));
        rows.add(new Row(network(), EnumSet.of(Cause.NETWORK_LOSS, Cause.NETWORK_DELAY)));
        rows.sort((left, right) -> Boolean.compare(isCulprit(right), isCulprit(left)));
        return rows.stream().map(Row::suspect).toList();
    }

    /** A suspect that is named by the cause; for causes that are no suspect of the list, none is. */
    private boolean isCulprit(Row row) {
        return !row.suspect().ruledOut() && row.causes().contains(cause);
    }

    /**
     * A rate that the receiver survived at other times is no burst: at all times in which it neither stood still nor lost anything. Streams that
     * it does not receive cannot fill its socket. Without a stall, the rule for bursts tells.
     */
    private Suspect burst() {
        TimelineEvent ofStall = stall;
        String receiver = ofStall == null ? file.suspect() : ofStall.process();
        Interval span = ofStall == null
                ? file.counted()
                : new Interval(ofStall.timeNs() - LEAD_NS, ofStall.interval().endNs());
        List<Interval> unusual = Stream.concat(
                        file.of(receiver, STALL).stream().map(Diagnoser::withAftermath),
                        file.of(receiver, DATAGRAMS_DROPPED).stream().map(Suspects::withLead))
                .toList();
        List<StreamArrivals.Arrivals> streams = new StreamArrivals(file.readings()).in(receiver, span, unusual);
        if (streams.isEmpty()) {
            return new Suspect("traffic burst", false, NOT_SEEN);
        }
        List<TimelineEvent> bursts = file.of(TRAFFIC_BURST).stream()
                .filter(burst -> burst.interval().overlaps(span) || span.contains(burst.timeNs()))
                .toList();
        long costly =
                bursts.stream().filter(burst -> costsDatagrams(burst, receiver)).count();
        boolean isUsual = ofStall == null
                ? costly == 0
                : streams.stream()
                        .allMatch(stream -> stream.peakPerSecond() <= LEAST_BURST * stream.otherwisePerSecond());
        String figure = String.format(
                Locale.ROOT,
                "%d bursts by rule %s, at %d of them its socket overflowed; at most, in bytes/s: %s",
                bursts.size(),
                ofStall == null ? "in the counted window" : "from 100 ms before the stall to its end",
                costly,
                streams.stream().map(Suspects::words).collect(Collectors.joining(", ")));
        return new Suspect("traffic burst", isUsual && cause != Cause.TRAFFIC_BURST, figure);
    }

    /** Returns whether the receiver's own socket overflowed at the burst or soon after it. */
    private boolean costsDatagrams(TimelineEvent burst, String receiver) {
        Interval span = Diagnoser.withAftermath(burst);
        return file.of(receiver, DATAGRAMS_DROPPED).stream()
                .map(TimelineEvent::interval)
                .anyMatch(drops -> drops.overlaps(span) || span.contains(drops.beginNs()));
    }

    private static Interval withLead(TimelineEvent event) {
        return new Interval(event.timeNs() - LEAD_NS, event.endNs());
    }

    private static String words(StreamArrivals.Arrivals stream) {
        String otherwise = stream.otherwisePerSecond() > 0
                ? String.format(Locale.ROOT, " (%,d at other times)", stream.otherwisePerSecond())
                : "";
        return String.format(
                Locale.ROOT,
                "%,d in %.0f ms of %s%s",
                stream.peakPerSecond(),
                stream.windowNs() / Units.NS_PER_MS,
                stream.name(),
                otherwise);
    }

    /** With a stall: its longest callback, and the part of the stall in callbacks, less what kept the thread from outside. Without: the longest of the run. */
    private Suspect callbacks() {
        TimelineEvent ofStall = stall;
        if (ofStall == null) {
            return longestCallback();
        }
        List<Interval> callbacks = file.spans(ofStall.process(), SLOW_CALLBACK);
        if (callbacks.isEmpty() && !file.isRead(SeriesSource.HEARTBEAT, ofStall.process(), CALLBACKS)) {
            return new Suspect("slow callback", false, NOT_SEEN);
        }
        double covered = ofStall.interval().coveredBy(callbacks);
        double own = CLAIMED_BY_CALLBACK.stream().mapToDouble(account::share).sum();
        double share = Math.min(covered, own);
        double lengthMs = ofStall.interval().lengthMs();
        return new Suspect(
                "slow callback",
                share < Explanation.LEAST_SHARE,
                String.format(
                        Locale.ROOT,
                        "%s; %.1f of %.1f ms in callbacks of 20 ms and more, %.1f ms of that by their own doing",
                        longestIn(ofStall, callbacks),
                        covered * lengthMs,
                        lengthMs,
                        share * lengthMs));
    }

    /** A callback is read when it is over. */
    private String longestIn(TimelineEvent ofStall, Collection<Interval> callbacks) {
        Stream<Interval> read = file.readings().entrySet().stream()
                .filter(entry -> entry.getKey().isOf(SeriesSource.HEARTBEAT, ofStall.process())
                        && entry.getKey().quantity().equals(CALLBACK))
                .flatMap(entry -> entry.getValue().stream())
                .map(reading -> new Interval(reading.timeNs() - reading.value(), reading.timeNs()));
        double longestMs = Stream.concat(callbacks.stream(), read)
                .flatMap(callback -> callback.intersection(ofStall.interval()).stream())
                .mapToDouble(Interval::lengthMs)
                .max()
                .orElse(0);
        return longestMs > 0
                ? String.format(Locale.ROOT, "the longest callback in the stall took %.1f ms of it", longestMs)
                : "no callback in the stall took a millisecond";
    }

    /** Those that took a millisecond or more are told one by one, the others by their mean. */
    private Suspect longestCallback() {
        long longestNs = file.maximum(SeriesSource.HEARTBEAT, file.suspect(), CALLBACK);
        long meanNs = file.maximum(SeriesSource.HEARTBEAT, file.suspect(), MEAN_CALLBACK);
        String figure = NOT_SEEN;
        if (longestNs >= 0) {
            figure = String.format(Locale.ROOT, "the longest callback took %.3f ms", longestNs / Units.NS_PER_MS);
        } else if (meanNs >= 0) {
            figure = String.format(
                    Locale.ROOT, "no callback took a millisecond; the maximum mean over 100 ms is %,d ns", meanNs);
        }
        long lengthNs = Math.max(longestNs, meanNs);
        return new Suspect("slow callback", lengthNs >= 0 && lengthNs < Diagnoser.HARMLESS_NS, figure);
    }

    /** A ring that had room in the stall held up nobody, whatever it was at other times. */
    private Suspect slowJournal() {
        TimelineEvent ofStall = stall;
        Interval span = ofStall == null ? file.counted() : ofStall.interval();
        RingFill ring = new RingFill(file.readings(), file.suspect());
        long depth = ring.deepest(span);
        long deepest = ring.deepest(file.counted());
        long full = file.receiver(file.suspect()).losses().ringFull();
        if (depth < 0 && full < 0) {
            return new Suspect("slow journal writes", false, NOT_SEEN);
        }
        if (depth < 0 && full == 0) {
            return new Suspect("slow journal writes", true, "ring full 0 times in the run");
        }
        if (depth < 0) {
            String figure = String.format(Locale.ROOT, "ring full %,d times in the run; its depth: %s", full, NOT_SEEN);
            return new Suspect("slow journal writes", false, figure);
        }
        return new Suspect(
                "slow journal writes",
                full == 0 || depth < FULL_RING * deepest,
                String.format(
                        Locale.ROOT,
                        "at most %,d messages in the ring %s; ring full %,d times in the run, %,d messages at most",
                        depth,
                        ofStall == null ? "in the counted window" : "in the stall",
                        full,
                        deepest));
    }

    /** A loss on the way is one whatever a stall cost beside it. */
    private Suspect network() {
        LossAnalysis losses = new LossAnalysis(file);
        DatagramDiscards discards = new DatagramDiscards(file);
        boolean isSeen =
                file.areNaksCounted(file.suspect()) || discards.missing().isEmpty();
        if (!isSeen) {
            return new Suspect(
                    "loss on the network", false, "no NAKs to count; " + String.join("; ", discards.missing()));
        }
        boolean isNone =
                losses.lossyReceivers().isEmpty() && losses.shortReceivers().isEmpty() && discards.beforeSockets() == 0;
        return new Suspect(
                "loss on the network",
                isNone,
                String.format(
                        Locale.ROOT,
                        "%,d NAKs, of which %d receivers sent some for what their sockets had not dropped; %,d datagrams dropped by"
                                + " sockets, %,d bytes missing beyond those, %,d datagrams discarded before a socket",
                        losses.naks(),
                        losses.lossyReceivers().size(),
                        losses.drops(),
                        losses.lostOnTheWayBytes(),
                        discards.beforeSockets()));
    }

    /** The timer of an idle thread tells of all CPUs, steal time of some. */
    private Suspect machine() {
        TimelineEvent ofStall = stall;
        String name = "machine stalled";
        List<Interval> late =
                file.of(TIMER_LATE).stream().map(TimelineEvent::interval).toList();
        if (ofStall == null) {
            double longestMs = late.stream()
                    .filter(file.counted()::overlaps)
                    .mapToDouble(Interval::lengthMs)
                    .max()
                    .orElse(0);
            boolean isSeen = file.isRead(SeriesSource.TIMER, "", LATENESS) || !late.isEmpty();
            String figure = longestMs == 0
                    ? "no timer of an idle thread was 20 ms late"
                    : String.format(Locale.ROOT, "an idle thread's timer was at most %.1f ms late", longestMs);
            return new Suspect(
                    name, isSeen && longestMs * Units.NS_PER_MS < Diagnoser.HARMLESS_NS, isSeen ? figure : NOT_SEEN);
        }
        double lengthMs = ofStall.interval().lengthMs();
        double lateMs = ofStall.interval().coveredBy(late) * lengthMs;
        return judged(
                name,
                Math.max(lateMs, account.ms(AccountKind.STOLEN)),
                lengthMs,
                "with an idle thread's timer late as well, or CPU steal");
    }

    /** A suspect whose time is in the account; what is unexplained may be its time as well. */
    private Row kinds(String name, String what, Set<Cause> causes, AccountKind... kinds) {
        TimelineEvent ofStall = stall;
        if (ofStall == null) {
            return new Row(withoutStall(name, what, kinds), causes);
        }
        double ms = List.of(kinds).stream().mapToDouble(account::ms).sum();
        return new Row(judged(name, ms, ofStall.interval().lengthMs(), what), causes);
    }

    private Suspect judged(String name, double ms, double lengthMs, String what) {
        double unexplainedMs = account.ms(AccountKind.UNEXPLAINED);
        String figure = String.format(Locale.ROOT, "%.1f of %.1f ms %s", ms, lengthMs, what);
        return new Suspect(
                name,
                ms + unexplainedMs < Explanation.LEAST_SHARE * lengthMs,
                unexplainedMs < Explanation.LEAST_SHARE * lengthMs
                        ? figure
                        : figure + String.format(Locale.ROOT, ", %.1f ms unexplained", unexplainedMs));
    }

    /** Without a stall that matters: the most that it took of any stall of the suspect's threads; if none was seen, somebody must have looked. */
    private Suspect withoutStall(String name, String what, AccountKind... kinds) {
        List<TimelineEvent> stalls = file.of(file.suspect(), STALL).stream()
                .filter(each -> file.counted().contains(each.timeNs()))
                .toList();
        if (!stalls.isEmpty()) {
            double worstMs = stalls.stream()
                    .map(each -> attributions.of(each).account())
                    .mapToDouble(each -> Stream.concat(Stream.of(AccountKind.UNEXPLAINED), Stream.of(kinds))
                            .mapToDouble(each::ms)
                            .sum())
                    .max()
                    .orElse(0);
            String figure = String.format(
                    Locale.ROOT,
                    "at most %.1f ms %s, or unexplained, in %d stalls that cost no datagram",
                    worstMs,
                    what,
                    stalls.size());
            return new Suspect(name, worstMs * Units.NS_PER_MS < Diagnoser.HARMLESS_NS, figure);
        }
        if (file.isRead(SeriesSource.HEARTBEAT, file.suspect(), GAPS)) {
            long gapNs = file.maximum(SeriesSource.HEARTBEAT, file.suspect(), GAP);
            String longest = gapNs < 0
                    ? "no duty cycle took a millisecond"
                    : String.format(Locale.ROOT, "the longest duty cycle took %.1f ms", gapNs / Units.NS_PER_MS);
            return new Suspect(name, true, "no stall; " + longest);
        }
        double recorded = file.counted().coveredBy(file.spans(file.suspect(), KERNEL_RECORDED));
        String figure =
                String.format(Locale.ROOT, "no stall; the kernel recorder covered %.0f %% of the time", recorded * 100);
        return recorded >= Explanation.CERTAIN_SHARE
                ? new Suspect(name, true, figure)
                : new Suspect(name, false, NOT_SEEN);
    }
}
