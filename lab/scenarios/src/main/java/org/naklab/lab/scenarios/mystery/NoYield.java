package org.naklab.lab.scenarios.mystery;

import com.google.auto.service.AutoService;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Remedy;

/**
 * Lets the context thread go on with its duty cycle when a wake-up fails: the function that binds late is never called. The price: the thread
 * keeps its CPU, so that a holder of the lock on the same CPU runs only when the scheduler says so.
 */
@AutoService(RemedyStrategy.class)
public final class NoYield implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.NO_YIELD;
    }

    @Override
    public ProcessSpec<ServiceConfig> applyTo(ProcessSpec<ServiceConfig> service) {
        return service.withConfig(
                service.config().with(service.config().tuning().neverYielding()));
    }

    @Override
    public boolean isWithoutYield() {
        return true;
    }

    @Override
    public String price() {
        return "the thread keeps its CPU, so that a holder of the lock on the same CPU has to wait";
    }

    @Override
    public String text(boolean isCured) {
        return "the context thread tries again in its next duty cycle and keeps its CPU, for which a holder of the lock may have to wait"
                + (isCured ? ": the cause is removed" : "");
    }
}
