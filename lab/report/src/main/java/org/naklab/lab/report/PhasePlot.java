package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.records.Stall;
import org.naklab.lab.runs.history.StallRow;

/**
 * The beginnings of stalls relative to the second boundary.
 *
 * @param note whose stalls they are
 * @param own this run's, each {@code [ms after a second boundary, length in ms]}
 * @param others the same of runs that were alike
 */
record PhasePlot(String note, List<List<Double>> own, List<List<Double>> others) {
    /** @param alike stalls of all runs like this one, its own perhaps among them */
    static PhasePlot of(RunFiles files, TimeAxis axis, List<StallRow> alike) {
        List<List<Double>> own = new ArrayList<>();
        for (Stall stall : files.document().longestStalls()) {
            Double phaseMs = axis.phaseMs(stall.atNs());
            if (phaseMs != null && stall.thread().equals(ProcessNames.SERVICE_THREAD)) {
                own.add(List.of(phaseMs, stall.durationMs()));
            }
        }
        List<List<Double>> others = new ArrayList<>();
        for (StallRow stall : alike) {
            Long beganEpochNs = stall.beganEpochNs();
            if (beganEpochNs != null
                    && stall.thread().equals(ProcessNames.SERVICE_THREAD)
                    && !isOwn(files, axis, stall)) {
                others.add(List.of(Math.floorMod(beganEpochNs, Units.SECOND_NS) / Units.NS_PER_MS, stall.durationMs()));
            }
        }
        return new PhasePlot(note(axis, own, others), own, others);
    }

    private static boolean isOwn(RunFiles files, TimeAxis axis, StallRow stall) {
        return files.document().stalls().stream().anyMatch(own -> {
            Long offsetNs = axis.epochOffsetNs();
            return offsetNs != null && Long.valueOf(own.atNs() + offsetNs).equals(stall.beganEpochNs());
        });
    }

    private static String note(TimeAxis axis, List<List<Double>> own, List<List<Double>> others) {
        if (!axis.hasSeconds()) {
            return "The run contains no wall-clock time, so its second boundaries are unknown.";
        }
        if (own.isEmpty() && others.isEmpty()) {
            return "The service had no stall.";
        }
        return "The service's stalls: " + own.size() + " of this run"
                + (others.isEmpty()
                        ? "; the history has no stalls of comparable runs."
                        : ", " + others.size()
                                + " of earlier runs of the same scenario, fidelity, remedy and profile.");
    }

    boolean isEmpty() {
        return own.isEmpty() && others.isEmpty();
    }
}
