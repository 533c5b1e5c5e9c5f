package org.naklab.lab.workshop;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.diagnosis.Cause;

/**
 * Tells what lies sealed beside a trainee's case.
 *
 * @param caseName in the corpus
 * @param about what was done
 * @param causes the right ones, the first is asked for
 */
public record AnswerKey(
        String caseName,
        String about,
        List<Cause> causes,
        @JsonUnwrapped Signs signs,
        @JsonUnwrapped Suspects suspects,
        @JsonUnwrapped Words words) {
    /**
     * Tells where the cause is seen.
     *
     * @param chain from the first sign to the repair; a time in it shows that the effect was seen
     * @param links where the cause took effect; a time in one of them is located. Empty: nothing happened
     * @param facts ids of events and names of statistics that tell for the cause
     */
    public record Signs(List<Interval> chain, List<Interval> links, Set<String> facts) {
        public Signs {
            chain = List.copyOf(chain);
            links = List.copyOf(links);
            facts = Set.copyOf(facts);
        }
    }

    /**
     * Contains the figures of the suspects.
     *
     * @param measurements figures by the labels of the measurements
     * @param ruledOut labels of the measurements whose figure rules their suspect out
     */
    public record Suspects(Map<String, String> measurements, Set<String> ruledOut) {
        public Suspects {
            measurements = Map.copyOf(measurements);
            ruledOut = Set.copyOf(ruledOut);
        }
    }

    /**
     * Tells in words what was done, and what the lab says of it.
     *
     * @param injected the injector's own events, each one line; none if the case has no record of them
     * @param diagnosis the lab's own words, each one line
     */
    public record Words(List<String> injected, List<String> diagnosis) {
        public Words {
            injected = List.copyOf(injected);
            diagnosis = List.copyOf(diagnosis);
        }
    }

    public AnswerKey {
        causes = List.copyOf(causes);
    }

    boolean isClean() {
        return causes.get(0) == Cause.CLEAN;
    }
}
