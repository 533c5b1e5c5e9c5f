package org.naklab.lab.scenarios.mystery;

import com.google.auto.service.AutoService;
import org.naklab.faults.binding.AuditedLaunch;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Remedy;

/** Sets {@code LD_BIND_NOW=1}, so that the dynamic linker binds every symbol when it loads a library. */
@AutoService(RemedyStrategy.class)
public final class BindNow implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.BIND_NOW;
    }

    @Override
    public ProcessSpec<ServiceConfig> applyTo(ProcessSpec<ServiceConfig> service) {
        return MysteryFaults.with(service, AuditedLaunch.bindNow());
    }

    @Override
    public boolean isBoundEarly() {
        return true;
    }

    @Override
    public String price() {
        return "a longer start, in which every symbol of every library is bound";
    }

    @Override
    public String text(boolean isCured) {
        return "LD_BIND_NOW=1 binds at start-up, when no thread waits" + (isCured ? ": the cause is removed" : "");
    }
}
