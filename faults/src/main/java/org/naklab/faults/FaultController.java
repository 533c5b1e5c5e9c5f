package org.naklab.faults;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Arms and disarms the faults of one process as the plan says, and as they are added and removed while traffic flows. Has no
 * thread of its own: somebody polls, a {@link FaultRunner} as a rule. Thread-safe; a fault that takes seconds to be armed or undone holds up nobody but who polls and
 * who disarms it.
 */
public final class FaultController implements AutoCloseable {
    private final FaultSite site;
    private final FaultKinds kinds;
    private final FaultClock clock;
    private final Map<String, ScheduledFault> faults = new LinkedHashMap<>();
    private long seed;
    private boolean started;
    private volatile @Nullable Thread poller;

    /** With the kinds of faults that are on the class path. */
    public FaultController(FaultSite site) {
        this(site, FaultKinds.onClassPath(), FaultClock.system());
    }

    FaultController(FaultSite site, FaultKinds kinds, FaultClock clock) {
        this.site = site;
        this.kinds = kinds;
        this.clock = clock;
    }

    public FaultSite site() {
        return site;
    }

    /**
     * Takes in those faults of the plan that concern this process; their seams must have been offered.
     *
     * @throws FaultException if one of them cannot be had; none is armed then
     */
    public synchronized void load(FaultPlan plan) {
        seed = plan.seed();
        plan.faults().forEach(this::add);
    }

    /**
     * Takes in one fault if it concerns this process. If the plan is running, times count from now.
     *
     * @return whether it concerns this process
     * @throws FaultException if it cannot be had, or there is one of its id
     */
    public synchronized boolean add(FaultSpec spec) {
        FaultKind kind = kinds.named(spec.kind());
        boolean concerned =
                kind.actsFromOutside() ? site.offers(TargetProcess.class, spec.on()) : spec.strikes(site.process());
        if (!concerned) {
            return false;
        }
        requireFree(spec.id());
        add(spec, kind.create(spec, site, FaultPlan.seedOf(seed, spec.id(), site.process())));
        return true;
    }

    private void requireFree(String id) {
        if (faults.containsKey(id)) {
            throw new FaultException(site.process() + " has a fault of the id " + id + " already");
        }
    }

    /**
     * Takes in a fault that was created by others, whatever it is on. If the plan is running, times count from now.
     *
     * @throws FaultException if there is one of its id
     */
    public synchronized void add(FaultSpec spec, Fault fault) {
        requireFree(spec.id());
        ScheduledFault scheduled = new ScheduledFault(spec, fault);
        faults.put(spec.id(), scheduled);
        if (started) {
            scheduled.onStart(clock);
            wakePoller();
        }
    }

    /** The plan's time begins. */
    public synchronized void start() {
        if (!started) {
            started = true;
            faults.values().forEach(fault -> fault.onStart(clock));
            wakePoller();
        }
    }

    /** Something that faults may wait for has happened. */
    public synchronized void trigger(String name) {
        faults.values().forEach(fault -> fault.onTrigger(name, clock));
        wakePoller();
    }

    /**
     * Disarms a fault, now. Its proof stays.
     *
     * @throws FaultException if there is none of that id
     */
    public FaultProof disarm(String id) {
        ScheduledFault fault = fault(id);
        fault.disarm();
        return fault.proof();
    }

    /** Disarms a fault and forgets it, so that one of the same id can be added. */
    public FaultProof remove(String id) {
        FaultProof proof = disarm(id);
        synchronized (this) {
            faults.remove(id);
        }
        return proof;
    }

    /** Arms and disarms what is due; nanoseconds until something else will be. */
    public long poll() {
        all().forEach(fault -> fault.poll(clock));
        // Something may have been triggered or added while a fault was armed.
        long nextNs = all().stream()
                .mapToLong(ScheduledFault::nextNs)
                .filter(each -> each != Long.MAX_VALUE)
                .min()
                .orElse(Long.MAX_VALUE);
        return nextNs == Long.MAX_VALUE ? nextNs : Math.max(0, nextNs - clock.monotonicNs());
    }

    private synchronized List<ScheduledFault> all() {
        return List.copyOf(faults.values());
    }

    public synchronized boolean isArmed(String id) {
        ScheduledFault fault = faults.get(id);
        return fault != null && fault.isArmed();
    }

    /** Returns true if a fault is armed or was; one that could not be armed was not. */
    public synchronized boolean wasArmed(String id) {
        ScheduledFault fault = faults.get(id);
        return fault != null && fault.wasArmed();
    }

    /**
     * Returns the faults of which something is left, by id, each with the reason: it could not be undone, or it is armed although its
     * time is over.
     */
    public synchronized Map<String, String> left() {
        long nowNs = clock.monotonicNs();
        Map<String, String> left = new LinkedHashMap<>();
        faults.forEach((id, fault) -> fault.left(nowNs).ifPresent(reason -> left.put(id, reason)));
        return left;
    }

    /** The proof of every fault that concerns this process, by id, in the plan's order. */
    public synchronized Map<String, FaultProof> proofs() {
        Map<String, FaultProof> proofs = new LinkedHashMap<>();
        faults.forEach((id, fault) -> proofs.put(id, fault.proof()));
        return proofs;
    }

    /**
     * The proof of one fault.
     *
     * @throws FaultException if there is none of that id
     */
    public FaultProof proof(String id) {
        return fault(id).proof();
    }

    /**
     * Returns how far one fault has come.
     *
     * @throws FaultException if there is none of that id
     */
    public FaultState state(String id) {
        return fault(id).state();
    }

    private synchronized ScheduledFault fault(String id) {
        ScheduledFault fault = faults.get(id);
        if (fault == null) {
            throw new FaultException(site.process() + " has no fault of the id " + id + "; it has " + faults.keySet());
        }
        return fault;
    }

    void poller(Thread thread) {
        poller = thread;
    }

    private void wakePoller() {
        Thread thread = poller;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Disarms everything. Proofs can still be read. */
    @Override
    public void close() {
        RuntimeException failure = null;
        for (ScheduledFault fault : all()) {
            try {
                fault.disarm();
            } catch (RuntimeException e) {
                // The others must be undone all the same.
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        site.guard().close();
        if (failure != null) {
            throw failure;
        }
    }
}
