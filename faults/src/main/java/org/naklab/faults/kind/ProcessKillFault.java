package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.ProofLog;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.host.Libc;

/** Process kill: SIGKILL. There is nothing to undo, and nothing to be undone. */
@AutoService(FaultKind.class)
public final class ProcessKillFault implements FaultKind {
    private static final long DEATH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    /** Has none: the process is the one that the fault is on. */
    public record Parameters() {}

    @Override
    public String name() {
        return "process-kill";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("SIGKILL")
                .proof("the process existed before and not after")
                .example("process-kill:on=gateway-1@+3s");
    }

    @Override
    public String privileges() {
        return "to signal the process: same user, or CAP_KILL";
    }

    @Override
    public boolean actsFromOutside() {
        return true;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        spec.parametersAs(Parameters.class);
        return new Kill(site.seam(TargetProcess.class, spec.on()), spec.on());
    }

    private static final class Kill implements Fault {
        private final TargetProcess target;
        private final String name;
        private final ProofLog log = new ProofLog();

        Kill(TargetProcess target, String name) {
            this.target = target;
            this.name = name;
        }

        @Override
        public void arm() {
            if (!target.isAlive()) {
                throw new FaultException("process " + name + " does not run any more");
            }
            long beginNs = System.nanoTime();
            Libc.signal(target, Libc.SIGKILL);
            while (target.isAlive() && System.nanoTime() - beginNs < DEATH_TIMEOUT_NS) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            if (!target.isAlive()) {
                log.fired(beginNs, System.nanoTime(), name + " was killed");
            }
        }

        @Override
        public void disarm() {
            // The dead stay dead.
        }

        @Override
        public FaultProof proof() {
            return log.proof(name + " ran before and was gone after", name + " still runs");
        }
    }
}
