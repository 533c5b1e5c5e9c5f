package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.PAGE_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Finds the time of a stall in which the dynamic linker bound a symbol, from stacks and from page faults of its code. It needs no audit library
 * in the process.
 */
final class LinkerWork {
    /** Functions of glibc and musl that bind a symbol at its first call. */
    private static final List<String> BINDING =
            List.of("_dl_runtime_resolve", "_dl_fixup", "_dl_bind", "_dl_profile_fixup");
    /** Functions that load a library: their relocations are no late bind. */
    private static final List<String> LOADING =
            List.of("dlopen", "_dl_open", "dl_open_worker", "_dl_map_object", "_dl_start");

    private static final List<String> LINKERS = List.of("ld-linux", "ld.so", "ld-musl", "ld64.so", "ld-2.");

    private final TimelineEvent event;
    private final List<ThreadAbsence> absences;
    private final List<PageFault> faults;

    LinkerWork(CaseFile file, TimelineEvent event) {
        this.event = event;
        absences = near(file, THREAD_ABSENT)
                .filter(this::isInStall)
                .map(file.index()::absence)
                .toList();
        faults = near(file, PAGE_FAULT)
                .filter(this::isInStall)
                .flatMap(TimelineEvent.only(PageFault.class))
                .toList();
    }

    private Stream<TimelineEvent> near(CaseFile file, TimelineEventType type) {
        return file.index().group(type, event.process(), event.thread()).near(event.interval()).stream();
    }

    private boolean isInStall(TimelineEvent other) {
        return other.interval().overlaps(event.interval());
    }

    /** Returns when the linker bound a symbol and the thread waited. */
    List<Interval> spans() {
        return Stream.concat(
                        absences.stream().filter(LinkerWork::isBinding).map(ThreadAbsence::interval),
                        faults.stream().filter(this::isOfBinding).map(PageFault::interval))
                .toList();
    }

    /** Returns one finding for each wait. */
    List<Evidence> evidence() {
        List<Evidence> evidence = new ArrayList<>();
        absences.stream()
                .filter(LinkerWork::isBinding)
                .forEach(absence -> evidence.add(new Evidence(
                        absence.interval().beginNs(),
                        "the dynamic linker bound a symbol: " + function(absence) + " is on the stack",
                        Format.milliseconds(absence.interval().lengthMs()))));
        faults.stream()
                .filter(this::isOfBinding)
                .forEach(fault -> evidence.add(new Evidence(
                        fault.interval().beginNs(),
                        "the dynamic linker waited for a page of " + fault.place(),
                        Format.milliseconds(fault.interval().lengthMs()))));
        return evidence;
    }

    private static boolean isBinding(ThreadAbsence absence) {
        return contains(absence.userStack(), BINDING) && !contains(absence.userStack(), LOADING);
    }

    /** A fault has no stack of its own; that of the absence in it tells a bind from the loading of a library. */
    private boolean isOfBinding(PageFault fault) {
        return LINKERS.stream().anyMatch(fault.code()::startsWith)
                && absences.stream()
                        .filter(absence -> absence.interval().overlaps(fault.interval()))
                        .noneMatch(absence -> contains(absence.userStack(), LOADING));
    }

    private static String function(ThreadAbsence absence) {
        return absence.userStack().stream()
                .filter(function -> contains(List.of(function), BINDING))
                .findFirst()
                .orElse("");
    }

    private static boolean contains(List<String> stack, List<String> functions) {
        return stack.stream().anyMatch(function -> functions.stream().anyMatch(function::startsWith));
    }
}
