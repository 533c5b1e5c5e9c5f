package org.naklab.lab.diagnosis;

import java.util.ArrayList;
import java.util.List;

/**
 * A cause for one symptom, with what speaks for it.
 *
 * @param share of the symptom that it accounts for, from 0 to 1
 */
record Explanation(Cause cause, double share, List<Evidence> findings) {
    /** A cause with a smaller share is a coincidence. */
    static final double LEAST_SHARE = 0.5;
    /** A cause with a larger share excludes others. */
    static final double CERTAIN_SHARE = 0.8;

    Explanation {
        findings = List.copyOf(findings);
    }

    /** Returns the explanation of a run whose problems have no known cause; its share is 0. */
    static Explanation ofProblems(long atNs, List<String> problems) {
        return new Explanation(
                Cause.UNEXPLAINED,
                0,
                problems.stream()
                        .map(problem -> new Evidence(atNs, "no cause was found, and the run is not clean", problem))
                        .toList());
    }

    /** Returns this explanation with one more finding. */
    Explanation with(Evidence more) {
        List<Evidence> all = new ArrayList<>(findings);
        all.add(more);
        return new Explanation(cause, share, all);
    }

    Confidence confidence() {
        if (share >= CERTAIN_SHARE) {
            return Confidence.CERTAIN;
        }
        return share >= LEAST_SHARE ? Confidence.LIKELY : Confidence.CANNOT_TELL;
    }
}
