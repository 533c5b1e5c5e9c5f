package org.naklab.lab.cases;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.stacks.KernelWait;
import org.naklab.lab.records.memory.PageFaultRecord;

/**
 * Makes the table of the page faults of the receipt threads, with the stacks of the absences in which the threads waited for their pages. The kernel may miss to count
 * a fault; the absence in it is then all that is known.
 */
final class PageFaults {
    /** Of more, the longest are kept. */
    private static final int MAX_FAULTS = 1_000;

    private static final long LEAST_NS = 1_000_000;
    private static final Set<AccountKind> FOR_PAGES = EnumSet.of(AccountKind.PAGE_FAULT, AccountKind.SWAP);

    /** By the begin: absences of one thread do not overlap. */
    private final Map<ThreadKey, NavigableMap<Long, ThreadAbsence>> absences = new HashMap<>();

    private record ThreadKey(String process, String thread) {
        static ThreadKey of(TimelineEvent event) {
            return new ThreadKey(event.process(), event.thread());
        }
    }

    private PageFaults() {}

    /**
     * Returns the faults of 1 ms and more, by their begin.
     *
     * @param counted faults outside of it are left out
     */
    static List<PageFaultRecord> of(Collection<TimelineEvent> events, Interval counted) {
        PageFaults table = new PageFaults();
        events.stream()
                .filter(event -> event.type() == TimelineEventType.THREAD_ABSENT)
                .filter(event -> counted.overlaps(event.interval()))
                .map(ThreadAbsence::of)
                .forEach(absence -> table.absences
                        .computeIfAbsent(ThreadKey.of(absence), key -> new TreeMap<>())
                        .put(absence.timeNs(), absence));
        List<PageFault> recorded = events.stream()
                .flatMap(TimelineEvent.only(PageFault.class))
                .filter(fault -> counted.overlaps(fault.interval()))
                .toList();
        return Stream.concat(recorded.stream(), table.uncounted(recorded))
                .filter(fault -> fault.interval().lengthNs() >= LEAST_NS)
                .sorted(Comparator.comparingLong(
                                (PageFault fault) -> fault.interval().lengthNs())
                        .reversed())
                .limit(MAX_FAULTS)
                .sorted(Comparator.comparingLong(PageFault::timeNs))
                .map(table::row)
                .toList();
    }

    /** Returns the waits for a page that are in no fault that was recorded. */
    private Stream<PageFault> uncounted(List<PageFault> recorded) {
        Map<ThreadKey, NavigableMap<Long, PageFault>> faults = new HashMap<>();
        recorded.forEach(fault -> faults.computeIfAbsent(ThreadKey.of(fault), key -> new TreeMap<>())
                .put(fault.timeNs(), fault));
        return absences.values().stream()
                .flatMap(ofThread -> ofThread.values().stream())
                .filter(absence -> !absence.state().isWithoutCpu()
                        && KernelWait.isInFault(absence.kernelStack())
                        && FOR_PAGES.contains(KernelWait.of(absence.kernelStack())))
                .filter(absence -> {
                    Map.Entry<Long, PageFault> before = faults.getOrDefault(ThreadKey.of(absence), new TreeMap<>())
                            .lowerEntry(absence.endNs());
                    return before == null || !before.getValue().interval().overlaps(absence.blocked());
                })
                .map(PageFaults::faultOf);
    }

    private static PageFault faultOf(ThreadAbsence absence) {
        ThreadAbsence.Fault fault = absence.fault();
        return new PageFault(
                absence.process(),
                absence.thread(),
                absence.blocked(),
                true,
                fault == null ? "" : fault.place(),
                "",
                fault == null ? null : fault.page());
    }

    private PageFaultRecord row(PageFault fault) {
        PageFault.Page page = fault.page();
        return new PageFaultRecord(
                fault.timeNs(),
                fault.interval().lengthNs() / Units.NS_PER_MS,
                fault.process(),
                fault.thread(),
                fault.isMajor(),
                fault.place(),
                page == null ? null : page.address(),
                page == null ? null : page.file(),
                page == null ? null : page.section(),
                longestAbsenceIn(fault).map(ThreadAbsence::userStack).orElse(List.of()));
    }

    private Optional<ThreadAbsence> longestAbsenceIn(PageFault fault) {
        NavigableMap<Long, ThreadAbsence> ofThread = absences.getOrDefault(ThreadKey.of(fault), new TreeMap<>());
        Long first = ofThread.floorKey(fault.timeNs());
        return ofThread.subMap(first == null ? fault.timeNs() : first, true, fault.endNs(), true).values().stream()
                .filter(absence -> absence.interval().overlaps(fault.interval())
                        && !absence.userStack().isEmpty())
                .max(Comparator.comparingLong(TimelineEvent::durationNs));
    }
}
