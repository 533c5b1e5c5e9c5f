package org.naklab.lab.cli.run;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.ThreadEvent.SymbolBound;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.records.Stall;
import org.naklab.lab.scenarios.RunOutcome;

/**
 * A symbol that was bound within a stall. What ties the two is that they begin together.
 *
 * @param distanceNs when it began, after the stall; negative: before it
 */
public record BindMatch(String symbol, long distanceNs, double durationMs) {
    /** The duty cycle that stalls is timed by another than the bind. */
    private static final long COARSENESS_NS = TimeUnit.MILLISECONDS.toNanos(2);

    static Optional<BindMatch> of(RunOutcome outcome, Stall stall) {
        return first(
                outcome.events(stall.process(), ProcessEvent.SymbolBound.class).stream()
                        .map(bind -> of(bind, stall)),
                stall);
    }

    /**
     * Finds the bind of a stall among the events of a timeline.
     *
     * @return empty if none was within the stall
     */
    public static Optional<BindMatch> of(List<TimelineEvent> events, Stall stall) {
        return first(
                events.stream()
                        .flatMap(TimelineEvent.only(SymbolBound.class))
                        .filter(bind -> bind.process().equals(stall.process()))
                        .map(bind -> new BindMatch(
                                bind.symbol(),
                                bind.timeNs() - stall.atNs(),
                                bind.interval().lengthMs())),
                stall);
    }

    private static Optional<BindMatch> first(Stream<BindMatch> binds, Stall stall) {
        return binds.filter(bind ->
                        bind.distanceNs >= -COARSENESS_NS && bind.distanceNs <= stall.durationMs() * Units.NS_PER_MS)
                .findFirst();
    }

    private static BindMatch of(ProcessEvent.SymbolBound bind, Stall stall) {
        return new BindMatch(bind.symbol(), bind.atNs() - stall.atNs(), bind.durationMs());
    }

    @Override
    public String toString() {
        return symbol + ", begun " + Format.distance(distanceNs) + " the stall, " + Format.milliseconds(durationMs)
                + " long";
    }
}
