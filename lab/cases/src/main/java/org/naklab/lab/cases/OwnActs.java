package org.naklab.lab.cases;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.Stall;

/**
 * Tells the stalls that the lab itself has caused from those of the watched program. A stall is the lab's if it began while the lab acted on the process, and for most of it a
 * thread of the lab had the CPU of the stalled one, or the JVM held that at a safepoint: an act of the lab does no more than that. One in which datagrams were lost counts nevertheless.
 *
 * @param acts of the lab on the process, by time
 * @param stalls that the lab has caused
 * @param lostDatagrams in those of them that count nevertheless
 */
public record OwnActs(List<HostEvent.Acted> acts, List<Stall> stalls, long lostDatagrams) {
    /** The lab did nothing. */
    public static final OwnActs NONE = new OwnActs(List.of(), List.of(), 0);

    /** JFR and {@code jcmd} hold the threads of the program at safepoints. */
    private static final Set<AccountKind> HELD = EnumSet.of(AccountKind.VM_OPERATION, AccountKind.TIME_TO_SAFEPOINT);

    /** Drops are counted every few milliseconds. */
    private static final long COUNTED_LATE_NS = 50_000_000;

    public OwnActs {
        acts = List.copyOf(acts);
        stalls = List.copyOf(stalls);
    }

    /**
     * Finds the stalls that the lab has caused.
     *
     * @param events of the watch
     * @param stalls of the process, with their accounts
     */
    static OwnActs of(String process, List<TimelineEvent> events, List<Stall> stalls) {
        List<HostEvent.Acted> acts = events.stream()
                .flatMap(TimelineEvent.only(HostEvent.Acted.class))
                .filter(act -> act.process().equals(process))
                .toList();
        List<ThreadAbsence> ofLab = events.stream()
                .filter(event -> event.type() == TimelineEventType.THREAD_ABSENT
                        && event.process().equals(process))
                .map(ThreadAbsence::of)
                .filter(ThreadAbsence::isForLab)
                .toList();
        List<Stall> caused = stalls.stream()
                .filter(stall -> acts.stream().anyMatch(act -> act.interval().contains(stall.atNs())))
                .filter(stall -> share(stall, ofLab) > 0.5)
                .toList();
        long lost = events.stream()
                .flatMap(TimelineEvent.only(SocketEvent.Dropped.class))
                .filter(drop -> drop.process().equals(process))
                .filter(drop -> caused.stream().anyMatch(stall -> isIn(stall, drop.timeNs())))
                .mapToLong(SocketEvent.Dropped::datagrams)
                .sum();
        return new OwnActs(acts, caused, lost);
    }

    /**
     * Returns the share of a stall that the lab can have caused.
     *
     * @param ofLab times in which a thread of the lab had the CPU of another one
     */
    private static double share(Stall stall, List<ThreadAbsence> ofLab) {
        double byLab = new Interval(stall.atNs(), stall.endNs())
                .coveredBy(ofLab.stream()
                        .filter(absence -> absence.thread().equals(stall.thread()))
                        .map(absence -> absence.state().isWithoutCpu() ? absence.interval() : absence.runnable())
                        .toList());
        return Math.min(byLab, stall.account().share(AccountKind.PREEMPTED))
                + HELD.stream().mapToDouble(stall.account()::share).sum();
    }

    private static boolean isIn(Stall stall, long timeNs) {
        return new Interval(stall.atNs(), stall.endNs() + COUNTED_LATE_NS).contains(timeNs);
    }

    /** Returns the events without the stalls that the lab has caused, and in which nothing was lost. */
    List<TimelineEvent> without(List<TimelineEvent> events) {
        List<Stall> harmless = stalls.stream()
                .filter(stall -> events.stream()
                        .noneMatch(event ->
                                event.type() == TimelineEventType.DATAGRAMS_DROPPED && isIn(stall, event.timeNs())))
                .toList();
        Set<Key> excluded = new HashSet<>();
        harmless.forEach(stall -> excluded.add(new Key(stall.process(), stall.thread(), stall.atNs())));
        return events.stream()
                .filter(event -> event.type() != TimelineEventType.STALL
                        || !excluded.contains(new Key(event.process(), event.thread(), event.timeNs())))
                .toList();
    }

    private record Key(String process, String thread, long atNs) {}

    /** Returns these acts with those of the time that follows. */
    public OwnActs and(OwnActs later) {
        return new OwnActs(
                Stream.concat(acts.stream(), later.acts.stream()).distinct().toList(),
                Stream.concat(stalls.stream(), later.stalls.stream()).distinct().toList(),
                lostDatagrams + later.lostDatagrams);
    }

    /** Returns what the lab did and what that has cost the process, each one line; nothing if it has cost nothing. */
    public List<String> lines() {
        if (stalls.isEmpty()) {
            return List.of();
        }
        double longestMs = stalls.stream().mapToDouble(Stall::durationMs).max().orElse(0);
        List<String> lines = new ArrayList<>();
        lines.add("the lab's own acts: " + lengths());
        lines.add("  they caused " + Format.counted(stalls.size(), "stall") + ", "
                + Format.milliseconds(longestMs) + " at most, "
                + (lostDatagrams == 0
                        ? "which the program is not blamed for"
                        : "in which " + Format.counted(lostDatagrams, "datagram") + " were lost"));
        return lines;
    }

    private String lengths() {
        Map<String, Long> lengthsNs = new LinkedHashMap<>();
        acts.forEach(each -> lengthsNs.merge(each.act(), each.durationNs(), Long::sum));
        return lengthsNs.entrySet().stream()
                .map(entry -> entry.getKey() + " " + Format.milliseconds(entry.getValue() / Units.NS_PER_MS))
                .collect(Collectors.joining(", "));
    }
}
