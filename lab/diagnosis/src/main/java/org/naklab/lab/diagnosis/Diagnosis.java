package org.naklab.lab.diagnosis;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEvent;

/**
 * The diagnosis of a run.
 *
 * @param causes all that were found, ordered by harm: datagrams lost, then length; the first is the cause, with the same confidence
 * @param stall the stall that matters; {@code null}: the cause is not that of a stall
 * @param evidence for the cause, by time
 * @param chain from the rate limit to the repair; empty without a stall or a loss
 * @param suspects each with the figure that rules it out, or that does not
 * @param noted what was seen beside it and does not matter, each one line
 * @param wouldSettle measurements that would make it certain, each one line; empty when it is
 */
public record Diagnosis(
        Cause cause,
        Confidence confidence,
        List<NamedCause> causes,
        @Nullable TimelineEvent stall,
        List<Evidence> evidence,
        List<Link> chain,
        List<Suspect> suspects,
        List<String> noted,
        List<String> wouldSettle,
        String remedy) {
    public Diagnosis {
        causes = List.copyOf(causes);
        wouldSettle = List.copyOf(wouldSettle);
        evidence = List.copyOf(evidence);
        chain = List.copyOf(chain);
        suspects = List.copyOf(suspects);
        noted = List.copyOf(noted);
    }

    /** Diagnoses a case file. */
    public static Diagnosis of(CaseFile file) {
        return new Diagnoser(file, new StallAttributions(file)).conclude();
    }

    /**
     * Returns this diagnosis for a run with problems: a clean diagnosis becomes {@link Cause#UNEXPLAINED}.
     *
     * @param atNs when the problems were found, on the clock of the timeline
     * @param problems each one line; with none the diagnosis stays as it is
     */
    public Diagnosis besides(long atNs, List<String> problems) {
        if (cause != Cause.CLEAN || problems.isEmpty()) {
            return this;
        }
        Explanation doubt = Explanation.ofProblems(atNs, problems);
        return new Diagnosis(
                doubt.cause(),
                doubt.confidence(),
                causes,
                stall,
                doubt.findings(),
                chain,
                suspects,
                noted,
                List.of(doubt.cause().settledBy()),
                doubt.cause().remedy());
    }

    /**
     * Returns whether a cause is named, with nothing before it but what the machine did.
     *
     * @return false as well if it is named without any confidence
     */
    public boolean isNamed(Cause wanted) {
        return causes.stream()
                .dropWhile(named -> named.cause() != wanted && named.cause().isMachineNoise())
                .findFirst()
                .filter(named -> named.cause() == wanted && named.confidence() != Confidence.CANNOT_TELL)
                .isPresent();
    }

    /** Returns whether a cause is named at a process with any confidence, whatever else is named. */
    public boolean isNamedAt(Cause wanted, String process) {
        return causes.stream()
                .anyMatch(named -> named.cause() == wanted
                        && named.process().equals(process)
                        && named.confidence() != Confidence.CANNOT_TELL);
    }
}
