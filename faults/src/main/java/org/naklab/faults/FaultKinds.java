package org.naklab.faults;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.naklab.faults.description.Spelling;

/** The kinds of faults on the class path, by name. */
public final class FaultKinds {
    private final Map<String, FaultKind> byName;

    private FaultKinds(Iterable<FaultKind> kinds) {
        Map<String, FaultKind> byName = new TreeMap<>();
        for (FaultKind kind : kinds) {
            if (byName.put(kind.name(), kind) != null) {
                throw new FaultException("two kinds of fault are named " + kind.name());
            }
        }
        this.byName = Collections.unmodifiableMap(byName);
    }

    /** Holds what was loaded at the first use. */
    private static final class Loaded {
        private static final FaultKinds KINDS =
                new FaultKinds(ServiceLoader.load(FaultKind.class, FaultKind.class.getClassLoader()));
    }

    /** Returns all kinds that {@link ServiceLoader} finds; it looks once. */
    public static FaultKinds onClassPath() {
        return Loaded.KINDS;
    }

    static FaultKinds of(Collection<FaultKind> kinds) {
        return new FaultKinds(kinds);
    }

    /** In alphabetical order. */
    public Collection<FaultKind> all() {
        return byName.values();
    }

    /**
     * The kind of that name.
     *
     * @throws FaultException if there is none; lists those that there are
     */
    public FaultKind named(String name) {
        FaultKind kind = byName.get(name);
        if (kind == null) {
            throw new FaultException("no kind of fault is named " + name + Spelling.hint(name, byName.keySet()));
        }
        return kind;
    }

    /**
     * Checks a plan before anything is started.
     *
     * @throws FaultException naming the first fault that is wrong, and why
     */
    public void check(FaultPlan plan) {
        for (FaultSpec spec : plan.faults()) {
            spec.parametersAs(named(spec.kind()).parameterType());
        }
    }
}
