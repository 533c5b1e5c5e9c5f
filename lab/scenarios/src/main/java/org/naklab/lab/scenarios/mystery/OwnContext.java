package org.naklab.lab.scenarios.mystery;

import com.google.auto.service.AutoService;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Remedy;

/**
 * Sends the snapshots through a context of their own: the thread that receives the feed never waits for the rate limiter. The function still binds late, on the
 * other thread. The price: a second media driver and a second context thread, and snapshots that are late once.
 */
@AutoService(RemedyStrategy.class)
public final class OwnContext implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.OWN_CONTEXT;
    }

    @Override
    public ProcessSpec<ServiceConfig> applyTo(ProcessSpec<ServiceConfig> service) {
        return service.withConfig(
                service.config().with(service.config().tuning().withOwnContext()));
    }

    @Override
    public String price() {
        return "a second media driver and context thread, and snapshots that are late once";
    }

    @Override
    public String text(boolean isCured) {
        return "the snapshots have a context thread of their own, which waits for the bind in place of the receipt thread; it takes a second media driver"
                + (isCured ? ": the cause is removed" : "");
    }
}
