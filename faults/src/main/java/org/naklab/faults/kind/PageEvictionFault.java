package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.ProofLog;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.faults.description.FaultDescription;

/**
 * Page eviction: when armed, the pages that a late bind needs are sent out of memory, once. The kernel keeps those that other
 * processes map too, and does not say so; the proof that pages were missing is the next yield's major faults.
 */
@AutoService(FaultKind.class)
public final class PageEvictionFault implements FaultKind {
    /** As in a plan: there is nothing to choose. */
    public record Parameters() {}

    @Override
    public String name() {
        return "page-eviction";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("The pages that a late bind reads are evicted from memory, once")
                .proof("the kernel accepted the advice to evict them")
                .example("page-eviction");
    }

    @Override
    public String privileges() {
        return "none; Linux 5.4 with glibc and the native libraries";
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        try (NativeLibraries libraries = NativeLibraries.open()) {
            LazyYield.load(libraries);
        }
        return new Eviction();
    }

    private static final class Eviction implements Fault {
        private final ProofLog log = new ProofLog();

        @Override
        public void arm() {
            long beginNs = System.nanoTime();
            log.set("advisedBytes", LazyYield.evict());
            log.fired(beginNs, System.nanoTime(), "pages sent out");
        }

        @Override
        public void disarm() {
            // Whoever needs the pages brings them back.
        }

        @Override
        public FaultProof proof() {
            return log.proof("the kernel took the advice", "it was never armed");
        }
    }
}
