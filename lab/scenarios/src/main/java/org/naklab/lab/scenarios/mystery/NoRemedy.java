package org.naklab.lab.scenarios.mystery;

import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.core.Program;
import org.naklab.lab.scenarios.Remedy;

/** Changes nothing: the incident. */
final class NoRemedy implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.NONE;
    }

    @Override
    public void predict(MysteryPrediction prediction) {
        prediction.expectStall();
        prediction.expectLoss();
    }

    @Override
    public String text(boolean isCured) {
        return "none yet; bind-now removes the cause, bigger-buffer only hides the symptom";
    }

    @Override
    public List<String> next() {
        return Stream.concat(
                        Stream.of(Program.name() + " run mystery --remedy bind-now"),
                        RemedyStrategy.super.next().stream())
                .toList();
    }
}
