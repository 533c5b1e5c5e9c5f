package org.naklab.lab.scenarios.mystery;

import com.google.auto.service.AutoService;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Remedy;

/** Locks the pages in memory and binds the symbol on another thread at start-up. */
@AutoService(RemedyStrategy.class)
public final class PreTouch implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.PRE_TOUCH;
    }

    @Override
    public ProcessSpec<ServiceConfig> applyTo(ProcessSpec<ServiceConfig> service) {
        return service.withConfig(
                service.config().with(service.config().tuning().preTouched()));
    }

    @Override
    public boolean isBoundEarly() {
        return true;
    }

    @Override
    public boolean isLockedInMemory() {
        return true;
    }

    @Override
    public String price() {
        return "locked memory, and a yield at the start";
    }

    @Override
    public String text(boolean isCured) {
        return "pages locked and the symbol bound on another thread at start-up"
                + (isCured ? ": the cause is removed" : "");
    }
}
