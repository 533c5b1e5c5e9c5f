package org.naklab.lab.scenarios.mystery.memory;

import com.google.auto.service.AutoService;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.mystery.RemedyStrategy;

/**
 * Locks the pages that a bind needs in memory ({@code mlock}), so that nothing evicts them. The symbol is still bound late, and its pages are in memory.
 * Unlike {@code pre-touch} it moves nothing to another thread, and it needs no control group of version 2 as {@code memory.low} does.
 */
@AutoService(RemedyStrategy.class)
public final class LockedPages implements RemedyStrategy {
    public static final Remedy REMEDY = new Remedy("locked-pages");

    @Override
    public Remedy remedy() {
        return REMEDY;
    }

    @Override
    public ProcessSpec<ServiceConfig> applyTo(ProcessSpec<ServiceConfig> service) {
        return service.withConfig(
                service.config().with(service.config().tuning().withLockedPages()));
    }

    @Override
    public boolean isLockedInMemory() {
        return true;
    }

    @Override
    public boolean isAgainstEviction() {
        return true;
    }

    @Override
    public String price() {
        return "locked memory, which nothing else can use";
    }

    @Override
    public String text(boolean isCured) {
        return "the pages that the bind needs are locked in memory" + (isCured ? ": the cause is removed" : "");
    }
}
