package org.naklab.lab.scenarios.mystery;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;

/** Changes nothing: the incident. */
@AutoService(RemedyStrategy.class)
public final class NoRemedy implements RemedyStrategy {
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
    public String price() {
        return "nothing";
    }

    @Override
    public String text(boolean isCured) {
        return "nothing yet; bind-now removes the cause, bigger-buffer only hides the symptom";
    }

    @Override
    public List<String> next(RunPlan plan) {
        return Stream.concat(
                        Stream.of(MysterySummary.nextCommand(plan, Remedy.BIND_NOW.label())),
                        RemedyStrategy.super.next(plan).stream())
                .toList();
    }
}
