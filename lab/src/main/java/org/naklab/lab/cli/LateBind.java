package org.naklab.lab.cli;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.Figures;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.scenario.RunOutcome;
import org.naklab.lab.scenario.Stall;

/**
 * A symbol that was bound within a stall. What ties the two is that they begin together.
 *
 * @param distanceNs when it began, after the stall; negative: before it
 */
record LateBind(String symbol, long distanceNs, double durationMs) {
    /** The duty cycle that stalls is timed by another than the bind. */
    private static final long COARSENESS_NS = TimeUnit.MILLISECONDS.toNanos(2);

    static Optional<LateBind> of(RunOutcome outcome, Stall stall) {
        return outcome.events(stall.process(), "SYMBOL_BOUND").stream()
                .map(bind -> of(bind, stall))
                .filter(bind -> bind.distanceNs >= -COARSENESS_NS && bind.distanceNs <= stall.durationMs() * 1e6)
                .findFirst();
    }

    private static LateBind of(ChildEvent bind, Stall stall) {
        return new LateBind(
                bind.details().path("symbol").asText(),
                bind.atNs() - stall.atNs(),
                bind.details().path("durationMs").asDouble());
    }

    @Override
    public String toString() {
        return symbol + ", begun " + Figures.distance(distanceNs) + " the stall, " + Figures.milliseconds(durationMs)
                + " long";
    }
}
