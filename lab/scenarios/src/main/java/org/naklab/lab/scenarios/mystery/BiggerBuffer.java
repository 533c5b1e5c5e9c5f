package org.naklab.lab.scenarios.mystery;

import com.google.auto.service.AutoService;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Remedy;

/** Enlarges the receive buffer so that it holds the datagrams of the stall. The symptom is hidden; the thread still stalls. */
@AutoService(RemedyStrategy.class)
public final class BiggerBuffer implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.BIGGER_BUFFER;
    }

    @Override
    public boolean isStallBuffered() {
        return true;
    }

    @Override
    public void predict(MysteryPrediction prediction) {
        prediction.expectStall();
        prediction.expectBufferHolds();
        prediction.expectNoLoss(Deployment.SERVICE);
    }

    @Override
    public String price() {
        return "memory of the kernel, and events that are as late as without it";
    }

    @Override
    public String text(boolean isCured) {
        return "the buffer holds the datagrams of the stall: the symptom is hidden, not cured; the stall remains in "
                + "the latency";
    }
}
