package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.Required;
import org.naklab.faults.binding.AuditPage;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.seam.Yielder;

/**
 * Lazy binding: the context thread's first yield binds {@code sched_yield}, and that takes long: because an audit library holds
 * it up, or because the pages it needs have been evicted.
 */
@AutoService(FaultKind.class)
public final class LazyBindingFault implements FaultKind {
    /** Tells a process that was started with an audit library where its page is. */
    public static final String PAGE_VARIABLE = "NAKLAB_AUDIT_PAGE";

    /**
     * As in a plan.
     *
     * @param yielder name of the {@link Yielder}
     * @param delayMs how long the audit library holds the bind up, at most 10,000; 0 or left out: not at all
     */
    public record Parameters(String yielder, long delayMs) {
        public Parameters {
            Required.text("yielder", yielder);
            Limits.within("delayMs", delayMs, 0, 10_000);
        }
    }

    @Override
    public String name() {
        return "lazy-binding";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("The first yield of the context thread binds sched_yield late")
                .with(
                        FaultParameter.text("yielder", "the thread that yields").inReplica("context"),
                        FaultParameter.duration(
                                        "delayMs",
                                        0,
                                        10_000,
                                        "delay by the audit library; needs a process started with it")
                                .orElse("0"))
                .proof(
                        "the symbol was unbound before and is bound after the first yield; with a delay, the audit library reports it")
                .example("lazy-binding:yielder=context");
    }

    @Override
    public String privileges() {
        return "none; Linux with glibc and the native libraries; for a delay, a process started with LD_AUDIT";
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Yielder yielder = site.seam(Yielder.class, parameters.yielder());
        AuditPage page = parameters.delayMs() == 0 ? null : page();
        try (NativeLibraries libraries = NativeLibraries.open()) {
            return new LazyBinding(parameters, yielder, LazyYield.load(libraries), page);
        }
    }

    private static AuditPage page() {
        @Nullable String path = System.getenv(PAGE_VARIABLE);
        if (path == null) {
            throw new FaultException("a delayed bind needs a process started with an audit page: " + PAGE_VARIABLE
                    + " is not set (AuditedLaunch makes the environment)");
        }
        return AuditPage.open(Path.of(path));
    }
}
