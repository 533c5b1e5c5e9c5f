package org.naklab.lab.cli.doctor.tuning;

import java.util.Map;

/**
 * Tells what this machine is set to, where one of the experiments could change it.
 *
 * @param experiment of {@code naklab tune}
 * @param found the settings as they are
 * @param reason why they may matter here
 * @param command which measures whether they do
 * @param leftOut the arms that this machine cannot run, with the reason
 */
public record TuningFinding(
        String experiment, String found, String reason, String command, Map<String, String> leftOut) {
    /** Copies the map. */
    public TuningFinding {
        leftOut = Map.copyOf(leftOut);
    }
}
