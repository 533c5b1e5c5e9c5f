package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadEvent.JavaStack;
import org.naklab.lab.core.timeline.ThreadEvent.JavaWait;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.FaultStackRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.report.flame.FlameGraph;

/** Prepares the stacks of the receipt thread for the template, innermost frame first. */
final class Stacks {
    private final RunFiles files;
    private final TimeAxis axis;

    Stacks(RunFiles files, TimeAxis axis) {
        this.files = files;
        this.axis = axis;
    }

    /** Returns the stacks of major faults, as the kernel recorder unwound them, or else as perf did; equal stacks are grouped. */
    List<Map<String, Object>> ofFaults() {
        Map<String, List<String>> recorded = ofRecordedFaults();
        return (recorded.isEmpty() ? ofPerf() : recorded)
                .entrySet().stream()
                        .map(stack -> Map.<String, Object>of(
                                "frames", stack.getKey(),
                                "times", String.join(", ", stack.getValue()),
                                "count", Format.counted(stack.getValue().size(), "major fault")))
                        .toList();
    }

    /** Perf unwinds by frame pointers, which the dynamic linker and libc do not keep. */
    private Map<String, List<String>> ofPerf() {
        Map<String, List<String>> timesByStack = new TreeMap<>();
        for (FaultStackRecord stack : files.further().faultStacks()) {
            add(timesByStack, String.join("\n", stack.frames()), stack.timeNs());
        }
        return timesByStack;
    }

    /** The thread of the stall that matters left the CPU in the fault: that absence has its stack. */
    private Map<String, List<String>> ofRecordedFaults() {
        Map<String, List<String>> timesByStack = new TreeMap<>();
        files.mainStall().ifPresent(stall -> files.events(TimelineEventType.PAGE_FAULT).stream()
                .flatMap(TimelineEvent.only(PageFault.class))
                .filter(fault -> fault.isMajor() && touches(fault, stall))
                .forEach(fault -> longestAbsenceIn(fault)
                        .map(absence -> String.join("\n", absence.userStack()))
                        .ifPresent(frames -> add(timesByStack, frames, fault.timeNs()))));
        return timesByStack;
    }

    private Stream<ThreadAbsence> absences() {
        return files.events(TimelineEventType.THREAD_ABSENT).stream().map(ThreadAbsence::of);
    }

    private void add(Map<String, List<String>> timesByStack, String frames, long timeNs) {
        timesByStack.computeIfAbsent(frames, key -> new ArrayList<>()).add(axis.clock(timeNs));
    }

    /** Returns the longest absence of a thread in an event of the same thread, among those with a user stack. */
    private Optional<ThreadAbsence> longestAbsenceIn(TimelineEvent event) {
        return absences()
                .filter(absence -> absence.thread().equals(event.thread())
                        && absence.interval().overlaps(event.interval())
                        && !absence.userStack().isEmpty())
                .max(Comparator.comparingLong(TimelineEvent::durationNs));
    }

    /** Returns the waits of the thread in the stall that matters, as reported by its JVM, in order of time. */
    List<Map<String, Object>> ofWaits() {
        return files.mainStall().stream()
                .flatMap(stall -> files.events(TimelineEventType.JAVA_WAIT).stream()
                        .flatMap(TimelineEvent.only(JavaWait.class))
                        .filter(wait -> touches(wait, stall)))
                .map(wait -> Map.<String, Object>of(
                        "what", wait.call().what(),
                        "duration", Format.milliseconds(wait.durationNs() / Units.NS_PER_MS),
                        "time", axis.clock(wait.timeNs()),
                        "frames", String.join("\n", wait.call().stack())))
                .toList();
    }

    /** Returns the Java stacks of the thread in the stall that matters, below the native functions that they called, in order of time. */
    List<Map<String, Object>> ofJava() {
        return files.mainStall().stream()
                .flatMap(stall -> files.events(TimelineEventType.JAVA_STACK).stream()
                        .flatMap(TimelineEvent.only(JavaStack.class))
                        .filter(stack -> touches(stack, stall)))
                .map(stack -> Map.<String, Object>of(
                        "what", stack.code().isNative() ? "was in native code" : "executed Java code",
                        "duration", Format.milliseconds(stack.durationNs() / Units.NS_PER_MS),
                        "time", axis.clock(stack.timeNs()),
                        "frames", String.join("\n", frames(stack))))
                .toList();
    }

    /** Returns the stack of the longest absence of the thread in the stall that matters: of a program in C, and of a JVM that recorded no stack. */
    List<Map<String, Object>> ofAbsence() {
        return files.mainStall().stream()
                .flatMap(stall -> absences()
                        .filter(absence ->
                                touches(absence, stall) && !absence.userStack().isEmpty())
                        .max(Comparator.comparingLong(TimelineEvent::durationNs))
                        .stream())
                .map(absence -> Map.<String, Object>of(
                        "what", "was off the CPU (" + absence.state().label() + ")",
                        "duration", Format.milliseconds(absence.durationNs() / Units.NS_PER_MS),
                        "time", axis.clock(absence.timeNs()),
                        "frames", String.join("\n", absence.userStack())))
                .toList();
    }

    /** Returns the stacks on which the thread waited in the stall that matters, the outermost function first: those of the program, then those of the kernel. */
    List<FlameGraph.Stack> offCpu() {
        return files.mainStall().stream()
                .flatMap(stall -> absences()
                        .filter(absence -> touches(absence, stall))
                        .map(absence -> new FlameGraph.Stack(
                                outermostFirst(absence),
                                Math.min(absence.endNs(), stall.endNs()) - Math.max(absence.timeNs(), stall.atNs()))))
                .filter(stack -> !stack.frames().isEmpty())
                .toList();
    }

    private static List<String> outermostFirst(ThreadAbsence absence) {
        List<String> frames = new ArrayList<>(absence.kernelStack());
        frames.addAll(absence.userStack());
        Collections.reverse(frames);
        return frames;
    }

    /** The kernel's record of the longest absence meanwhile has the native frames, up to the code that the JVM made. */
    private List<String> frames(JavaStack stack) {
        List<String> frames = new ArrayList<>();
        if (stack.code().isNative()) {
            longestAbsenceIn(stack).ifPresent(absence -> absence.userStack().stream()
                    .takeWhile(frame -> !frame.startsWith("["))
                    .forEach(frames::add));
        }
        frames.addAll(stack.code().stack());
        return frames;
    }

    private static boolean touches(TimelineEvent wait, Stall stall) {
        return wait.thread().equals(stall.thread()) && wait.timeNs() < stall.endNs() && wait.endNs() > stall.atNs();
    }
}
