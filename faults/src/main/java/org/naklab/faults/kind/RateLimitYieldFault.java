package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.Required;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.seam.OverBudgetSender;
import org.naklab.faults.seam.WakeUpLocks;

/**
 * Rate-limit yield: when a sender goes over its budget just after a second boundary, another thread takes the wake-up lock, so
 * that the limiter's attempt to wake blocked senders fails and the context thread yields.
 */
@AutoService(FaultKind.class)
public final class RateLimitYieldFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param locks name of the {@link WakeUpLocks}
     * @param drive name of a {@link OverBudgetSender} to go over the budget with; left out: the workload does that by itself
     * @param times wake-ups to spoil; 1 if left out, at most 1,000
     * @param windowMs how long after a second boundary a hit counts; 20 if left out, 1,000 for always
     * @param maxHoldMs the longest that the lock is held; 100 if left out, at most 1,000
     */
    public record Parameters(String locks, @Nullable String drive, int times, int windowMs, int maxHoldMs) {
        public Parameters {
            Required.text("locks", locks);
            times = times == 0 ? 1 : Limits.within("times", times, 1, 1_000);
            windowMs = windowMs == 0 ? 20 : Limits.within("windowMs", windowMs, 1, 1_000);
            maxHoldMs = maxHoldMs == 0 ? 100 : Limits.within("maxHoldMs", maxHoldMs, 1, 1_000);
        }

        long windowNs() {
            return TimeUnit.MILLISECONDS.toNanos(windowMs);
        }

        long maxHoldNs() {
            return TimeUnit.MILLISECONDS.toNanos(maxHoldMs);
        }
    }

    @Override
    public String name() {
        return "rate-limit-yield";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("A wake-up of the rate limiter fails, so that the context thread yields")
                .with(
                        FaultParameter.text("locks", "the rate limiter").inReplica("snapshots"),
                        FaultParameter.text(
                                        "drive",
                                        "a sender that exceeds the budget; without it, the workload must do so")
                                .optional(),
                        FaultParameter.count("times", 1, 1_000, "wake-ups that fail")
                                .orElse("1"),
                        FaultParameter.duration("windowMs", 1, 1_000, "how long after a second boundary a hit counts")
                                .orElse("20"),
                        FaultParameter.duration("maxHoldMs", 1, 1_000, "longest time that the lock is held")
                                .orElse("100"))
                .proof("the limiter reports a failed attempt while the fault held the lock")
                .example("rate-limit-yield:times=3,window=20ms");
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        WakeUpLocks locks = site.seam(WakeUpLocks.class, parameters.locks());
        OverBudgetSender drive =
                parameters.drive() == null ? null : site.seam(OverBudgetSender.class, parameters.drive());
        return new LockHolder(parameters, locks, drive);
    }
}
