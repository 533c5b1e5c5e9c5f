package org.naklab.lab.tools.tune.observer;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.tools.linking.LibraryProfiler;

/** Tells what observes any program while it runs; later levels cost it more, as a rule. */
public enum ObservationLevel {
    /** Nothing observes it. */
    NONE,
    /** The states of its threads are polled from {@code /proc}. */
    PROC,
    /** The kernel records its absences, page faults and interrupts, without stacks. */
    RECORDS,
    /** The same with the kernel's and the user's stack at each switch. */
    STACKS,
    /** The kernel's trace of all CPUs: switches, wake-ups, interrupts, timers, page faults. */
    TRACE,
    /** Each of its calls of library functions is counted and timed in the program itself. */
    CALLS,
    /** JFR, with its settings for profiles, from the start of the JVM. */
    JFR;

    /** The levels of a program in any language. */
    public static final Set<ObservationLevel> OF_ANY_PROGRAM = EnumSet.complementOf(EnumSet.of(JFR));

    /**
     * Returns the level of a word.
     *
     * @throws IllegalArgumentException there is none; the message names those that there are
     */
    public static ObservationLevel of(String word) {
        return Stream.of(values())
                .filter(level -> level.label().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing observes a program at the level '" + word
                        + "'; there are: "
                        + Stream.of(values()).map(ObservationLevel::label).collect(Collectors.joining(", "))));
    }

    /** Returns the word of the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns why this machine or this user does not have the level; empty: it does. */
    public String whyNot() {
        return switch (this) {
            case NONE, PROC, JFR -> "";
            case RECORDS, STACKS -> KernelRecorder.whyNot(RecorderSource.BPF);
            case TRACE -> whyNoTrace();
            case CALLS -> LibraryProfiler.isAvailable() ? "" : "the profiler of library calls is not built";
        };
    }

    private static String whyNoTrace() {
        try (Observation tried = Observation.begin(TRACE)) {
            return tried.end(ProcessHandle.current().pid()).isEmpty() ? "the kernel traces nothing" : "";
        } catch (DetectException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
