package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code diagnosis.json}: the cause with all that speaks for it. Times are CLOCK_MONOTONIC, ns.
 */
public record DiagnosisRecord(
        @JsonUnwrapped Named named,
        @JsonUnwrapped Grounds grounds,
        @JsonUnwrapped Advice advice,
        @JsonUnwrapped Others others) {
    /**
     * Names the cause.
     *
     * @param confidence {@code null}: the file does not tell
     */
    public record Named(String cause, @Nullable String confidence) {
        public Named {
            cause = Absent.orEmpty(cause);
        }
    }

    /**
     * Contains what the diagnosis rests on.
     *
     * @param chain from the rate limit to the repair; empty without a stall or a loss
     * @param suspects what could have done it as well
     */
    public record Grounds(List<Evidence> evidence, List<Link> chain, List<Suspect> suspects) {
        public Grounds {
            evidence = Absent.orNone(evidence);
            chain = Absent.orNone(chain);
            suspects = Absent.orNone(suspects);
        }
    }

    /**
     * Contains what would settle it, and what to do.
     *
     * @param noted what was seen beside it and does not matter, each one line
     * @param wouldSettle what would make the cause certain; empty when it is
     */
    public record Advice(List<String> noted, List<String> wouldSettle, String remedy) {
        public Advice {
            noted = Absent.orNone(noted);
            wouldSettle = Absent.orNone(wouldSettle);
            remedy = Absent.orEmpty(remedy);
        }
    }

    /**
     * Contains the other causes, and the stalls that are explained.
     *
     * @param causes all that were found, ordered by harm; the first is the cause
     * @param stall the stall that matters; {@code null}: the cause is not that of a stall, or the run is of a version that did not write it
     * @param stalls of the counted window, with their accounts
     */
    public record Others(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<DiagnosedStalls.DiagnosedCause> causes,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Stall stall,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Stall> stalls) {
        public Others {
            causes = Absent.orNone(causes);
            stalls = Absent.orNone(stalls);
        }
    }

    /** Name of the file in a run's directory. */
    public static final String NAME = "diagnosis.json";

    /** A piece of evidence with its figure. */
    public record Evidence(long atNs, String text, String figure) {
        public Evidence {
            text = Absent.orEmpty(text);
            figure = Absent.orEmpty(figure);
        }
    }

    /**
     * A link of the causal chain.
     *
     * @param link type of its event
     * @param present whether it was seen
     * @param inOrder not before the link that is seen before it; {@code null}: not known
     * @param atNs {@code null} when it was not seen
     */
    public record Link(
            String link,
            boolean present,
            @Nullable Boolean inOrder,
            @Nullable Long atNs) {
        public Link {
            link = Absent.orEmpty(link);
        }
    }

    /** An alternative cause, and the figure that rules it out or fails to. */
    public record Suspect(String suspect, boolean ruledOut, String figure) {
        public Suspect {
            suspect = Absent.orEmpty(suspect);
            figure = Absent.orEmpty(figure);
        }
    }

    /** Returns which stall matters, and all causes. */
    public DiagnosedStalls diagnosed() {
        return new DiagnosedStalls(others.stall(), others.causes());
    }
}
