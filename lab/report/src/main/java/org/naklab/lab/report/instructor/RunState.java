package org.naklab.lab.report.instructor;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;

/**
 * The run of an instructor. What is not known, or not told, is empty.
 *
 * @param number of runs that were started
 * @param isHidden whether the audience is not told what is run, and why it stalls
 * @param title for people
 * @param command that runs the same again
 * @param query of the page that asks for the same again
 * @param path of the directory of the run on the dashboard, such as {@code mystery/2026-11-28T03-12-00.000Z-42}
 * @param text what happens, or how it has ended, in one sentence
 */
public record RunState(
        int number,
        Phase phase,
        boolean isHidden,
        String title,
        String scenario,
        String command,
        String query,
        String path,
        String text,
        List<Injected> faults) {
    /** Tells how far a run has come. */
    public enum Phase {
        /** No run was started yet. */
        NONE,
        /** Its processes start. */
        STARTING,
        /** The order flow goes on; it takes faults. */
        RUNNING,
        /** It was asked to end, or its flow has ended. */
        ENDING,
        /** It has ended, or could not begin. */
        OVER;

        @JsonValue
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A fault that was injected.
     *
     * @param fault in the words in which it was asked for
     * @param process that it is on
     * @param proof by what one can tell that it fired, or why it did not
     */
    public record Injected(int number, String fault, String process, Step step, String proof) {
        /** Tells how far a fault has come. */
        public enum Step {
            /** It was asked for. */
            ASKED,
            /** Its time, or its event, has not come. */
            WAITING,
            /** It may fire. */
            ARMED,
            /** It has fired, and is still armed. */
            FIRED,
            /** It is undone, and it has fired. */
            REMOVED,
            /** It is undone, and it has not fired. */
            NOT_FIRED,
            /** The run did not take it, or has ended before. */
            REFUSED;

            /** Returns true if nothing more happens to the fault. */
            public boolean isOver() {
                return compareTo(REMOVED) >= 0;
            }

            @JsonValue
            String word() {
                return name().toLowerCase(Locale.ROOT).replace('_', '-');
            }
        }
    }

    public RunState {
        faults = List.copyOf(faults);
    }

    /** Returns what the audience is told. */
    RunState forAudience() {
        return isHidden ? new RunState(number, phase, true, title, "", "", "", "", publicText(), List.of()) : this;
    }

    /** A sentence of the lab could name the scenario. */
    private String publicText() {
        return switch (phase) {
            case NONE -> "The instructor has started no run yet.";
            case STARTING -> "The processes of the run are starting.";
            case RUNNING -> "The run goes on.";
            case ENDING -> "The run is ending.";
            case OVER -> "The run has ended. The instructor will reveal the cause.";
        };
    }
}
