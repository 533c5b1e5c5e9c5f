package org.naklab.lab.tools.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The arms of an experiment, and those that this machine cannot run, with the reason. */
public final class ExperimentArms {
    private final List<Arm> possible = new ArrayList<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    /**
     * Adds an arm.
     *
     * @param whyNot the reason why this machine cannot run it; empty: it can
     */
    ExperimentArms add(String name, String settings, String whyNot) {
        if (whyNot.isEmpty()) {
            possible.add(Arm.parse(name + "=" + settings));
        } else {
            leftOut.put(name, whyNot);
        }
        return this;
    }

    /**
     * Names something else that this machine cannot do.
     *
     * @param whyNot empty: it can
     */
    ExperimentArms leaveOut(String name, String whyNot) {
        if (!whyNot.isEmpty()) {
            leftOut.put(name, whyNot);
        }
        return this;
    }

    /** Adds an arm that every machine can run. */
    ExperimentArms add(String name, String settings) {
        return add(name, settings, "");
    }

    /** Returns the arms that can be run. */
    public List<Arm> possible() {
        return List.copyOf(possible);
    }

    /** Returns the reasons by the names of the arms that cannot be run. */
    public Map<String, String> leftOut() {
        return Map.copyOf(leftOut);
    }
}
