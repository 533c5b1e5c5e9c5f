package org.naklab.lab.records;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.timeline.Interval;

/**
 * The parts of {@code diagnosis.json} that say which stall matters and which further causes there were. Versions before 0.2 wrote neither.
 *
 * @param stall the stall that matters; {@code null}: the file names none
 * @param causes all causes by harm, the first is that of the run
 */
public record DiagnosedStalls(@Nullable Stall stall, List<DiagnosedCause> causes) {
    /** A diagnosis that names neither. */
    public static final DiagnosedStalls NONE = new DiagnosedStalls(null, List.of());

    /**
     * One of the causes of a run.
     *
     * @param atNs when its harm began, on the clock of the timeline
     * @param remedy what to do about this cause
     */
    public record DiagnosedCause(
            String cause,
            @Nullable String confidence,
            String process,
            String thread,
            long atNs,
            double durationMs,
            long lostDatagrams,
            String remedy) {
        public DiagnosedCause {
            cause = Absent.orUnknown(cause);
            process = Absent.orEmpty(process);
            thread = Absent.orEmpty(thread);
            remedy = Absent.orEmpty(remedy);
        }
    }

    public DiagnosedStalls {
        causes = Absent.orNone(causes);
    }

    /**
     * Returns the stall that matters: that of the diagnosis; or else, of the service's stalls, the longest one with the diagnosed cause; or
     * else its longest one; or else the longest of all.
     */
    public Optional<Stall> main(RunDocument document) {
        return main(document.finding().diagnosis(), document.stalls());
    }

    /**
     * Returns the stall that matters, as above.
     *
     * @param diagnosis the diagnosed cause of the run
     * @param stalls the counted stalls of the run
     */
    public Optional<Stall> main(String diagnosis, List<Stall> stalls) {
        Stall named = stall;
        if (named != null) {
            return Optional.of(stalls.stream()
                    .filter(each -> each.process().equals(named.process()) && each.atNs() == named.atNs())
                    .findFirst()
                    .map(each -> each.as(named.cause()))
                    .orElse(named));
        }
        return stalls.stream()
                .filter(each -> each.process().equals(ProcessNames.SERVICE)
                        && each.cause().equals(diagnosis))
                .max(Comparator.comparingDouble(Stall::durationMs))
                .or(() -> RunDocument.mainOf(stalls));
    }

    /**
     * Returns the time of the run that its diagnosis is about: the stall that matters, if the diagnosis named it or gave it its own cause; or
     * else the time of the evidence; or else the longest stall. Empty if there is none of them.
     *
     * @param diagnosis {@code null}: the run kept none
     */
    public Optional<Interval> focus(RunDocument document, @Nullable DiagnosisRecord diagnosis) {
        Optional<Stall> main = main(document);
        boolean isOfTheCause = stall != null
                || main.filter(each -> each.cause().equals(document.finding().diagnosis()))
                        .isPresent();
        return (isOfTheCause ? Optional.<Interval>empty() : ofEvidence(diagnosis))
                .or(() -> main.map(each -> new Interval(each.atNs(), each.endNs())));
    }

    private static Optional<Interval> ofEvidence(@Nullable DiagnosisRecord diagnosis) {
        if (diagnosis == null || diagnosis.named().cause().equals("clean")) {
            return Optional.empty();
        }
        List<Long> times = diagnosis.grounds().evidence().stream()
                .map(DiagnosisRecord.Evidence::atNs)
                .filter(atNs -> atNs > 0)
                .sorted()
                .toList();
        return times.isEmpty()
                ? Optional.empty()
                : Optional.of(new Interval(times.get(0), times.get(times.size() - 1)));
    }
}
