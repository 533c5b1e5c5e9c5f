package org.naklab.faults.kind;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;
import org.naklab.faults.binding.AuditPage;
import org.naklab.faults.binding.AuditedLaunch;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.SymbolBind;
import org.naklab.faults.binding.YieldMeasurement;
import org.naklab.faults.seam.Yielder;

/** The library behind the yielder, and the delay on the audit page if there is one. */
final class LazyBinding implements Fault {
    private final LazyBindingFault.Parameters parameters;
    private final Yielder yielder;
    private final LazyYield lazyYield;
    private final @Nullable AuditPage page;
    private boolean boundWhenArmed;

    LazyBinding(
            LazyBindingFault.Parameters parameters, Yielder yielder, LazyYield lazyYield, @Nullable AuditPage page) {
        this.parameters = parameters;
        this.yielder = yielder;
        this.lazyYield = lazyYield;
        this.page = page;
    }

    @Override
    public void arm() {
        boundWhenArmed = LazyYield.isSlotBound() || ownBind().isPresent();
        if (page != null) {
            page.delayNs(TimeUnit.MILLISECONDS.toNanos(parameters.delayMs()));
        }
        yielder.useLazy(lazyYield);
    }

    @Override
    public void disarm() {
        yielder.useLazy(null);
        if (page != null) {
            page.delayNs(0);
        }
    }

    private Optional<SymbolBind> ownBind() {
        int processId = (int) ProcessHandle.current().pid();
        return page == null
                ? Optional.empty()
                : page.binds().stream()
                        .filter(bind ->
                                bind.processId() == processId && bind.symbol().equals(AuditedLaunch.SYMBOL))
                        .findFirst();
    }

    @Override
    public FaultProof proof() {
        ProofLog log = new ProofLog();
        log.set("boundWhenArmed", boundWhenArmed ? 1 : 0);
        ownBind().ifPresent(bind -> log.set("bindNs", bind.durationNs()));
        YieldMeasurement first = yielder.firstLazy();
        if (first == null) {
            return log.proof(false, "", "the thread never yielded");
        }
        log.set("firstYieldNs", first.durationNs());
        log.set("firstYieldMajorFaults", first.majorFaults());
        log.set("threadId", first.threadId());
        return boundWhenArmed
                ? log.proof(false, "", "sched_yield was bound before anybody yielded, as LD_BIND_NOW=1 does")
                : proofOfLateBind(log, first);
    }

    private FaultProof proofOfLateBind(ProofLog log, YieldMeasurement first) {
        if (page == null) {
            log.fired(first.beginNs(), first.endNs(), "first yield");
            return log.proof(
                    LazyYield.isSlotBound(), "the first yield bound sched_yield", "sched_yield is still unbound");
        }
        if (page.loads() == 0) {
            return log.proof(false, "", "the audit library is not loaded: was the process started with LD_AUDIT?");
        }
        Optional<SymbolBind> bind = ownBind()
                .filter(SymbolBind::delayed)
                .filter(each -> each.beginNs() >= first.beginNs() && each.endNs() <= first.endNs());
        bind.ifPresent(each -> log.fired(each.beginNs(), each.endNs(), "bind of " + each.symbol()));
        return log.proof(
                "the first yield bound sched_yield, and was held up", "no bind was held up in the first yield");
    }
}
