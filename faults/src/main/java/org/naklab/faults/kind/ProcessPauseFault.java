package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.ProofLog;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.guard.Guard;
import org.naklab.faults.host.Libc;

/** Process pause: SIGSTOP, and SIGCONT when the fault is disarmed. How long it lasts is how long the fault is armed. */
@AutoService(FaultKind.class)
public final class ProcessPauseFault implements FaultKind {
    private static final long MAX_FOR_MS = 60_000;
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    /** Has none: the process is the one that the fault is on, the length is the plan's {@code forMs}, at most 60,000. */
    public record Parameters() {}

    @Override
    public String name() {
        return "process-pause";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("SIGSTOP, and SIGCONT when its time (for, at most 60s) is over")
                .proof("the kernel showed the process as stopped")
                .example("process-pause:for=150ms@+3s");
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
        Limits.within("forMs of a process pause", spec.forMs(), 1, MAX_FOR_MS);
        return new Pause(site.seam(TargetProcess.class, spec.on()), site.guard(), spec.on());
    }

    private static final class Pause implements Fault {
        private final TargetProcess target;
        private final Guard guard;
        private final String name;
        private final ProofLog log = new ProofLog();
        private Guard.@Nullable Promise promise;
        private long beginNs;

        Pause(TargetProcess target, Guard guard, String name) {
            this.target = target;
            this.guard = guard;
            this.name = name;
        }

        @Override
        public void arm() {
            if (!target.isAlive()) {
                throw new FaultException("process " + name + " does not run any more");
            }
            promise = guard.toContinue(target);
            // A command, not a call: the guard must be able to wait for its end when this process is killed meanwhile.
            Commands.run(guard.act(List.of("kill", "-STOP", Long.toString(target.pid()))));
            beginNs = System.nanoTime();
            awaitStopped();
        }

        private void awaitStopped() {
            while (target.state() != 'T' && System.nanoTime() - beginNs < STOP_TIMEOUT_NS) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            if (target.state() == 'T') {
                log.fired(beginNs, System.nanoTime(), name + " was stopped");
            }
        }

        @Override
        public void disarm() {
            if (promise == null) {
                return;
            }
            boolean wasStopped = target.isAlive() && target.state() == 'T';
            if (target.isAlive()) {
                resume();
            }
            if (wasStopped) {
                log.set("pausedNs", System.nanoTime() - beginNs);
            }
            promise.kept();
            promise = null;
        }

        private void resume() {
            try {
                Libc.signal(target, Libc.SIGCONT);
            } catch (FaultException e) {
                if (target.isAlive()) {
                    throw e;
                }
                // It died while it was stopped: there is nothing to continue.
            }
        }

        @Override
        public FaultProof proof() {
            return log.proof(
                    "the kernel showed " + name + " as stopped", "the kernel never showed " + name + " as stopped");
        }
    }
}
