package org.naklab.faults;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.naklab.faults.guard.Guard;

/**
 * Tells where faults strike: a process, and by name the seams that it offers them. Thread-safe; a seam may be offered at any time
 * before a fault asks for it.
 */
public final class FaultSite {
    private record Key(Class<?> type, String name) {}

    private final String process;
    private final Guard guard;
    private final Map<Key, Object> seams = new ConcurrentHashMap<>();

    /** A site whose faults are undone by a guard process of its own if this process is killed. */
    public FaultSite(String process) {
        this(process, new Guard());
    }

    public FaultSite(String process, Guard guard) {
        this.process = process;
        this.guard = guard;
    }

    public String process() {
        return process;
    }

    /** Returns what undoes if this process cannot. */
    public Guard guard() {
        return guard;
    }

    /**
     * Makes a seam available to faults. A seam that was offered already may be offered again.
     *
     * @return the seam
     * @throws FaultException if another seam of that type has the name: faults would act on one, and the process use the other
     */
    public <T> T offer(String name, T seam) {
        Object present = seams.putIfAbsent(new Key(seam.getClass(), name), seam);
        if (present != null && !present.equals(seam)) {
            throw new FaultException(
                    process + " has another " + seam.getClass().getSimpleName() + " named " + name + " already");
        }
        return seam;
    }

    public boolean offers(Class<?> type, String name) {
        return seams.containsKey(new Key(type, name));
    }

    /**
     * The seam of that type and name.
     *
     * @throws FaultException if it was not offered; lists those of the type that were
     */
    public <T> T seam(Class<T> type, String name) {
        Object seam = seams.get(new Key(type, name));
        if (seam == null) {
            throw new FaultException(
                    process + " offers no " + type.getSimpleName() + " named " + name + "; it offers " + namesOf(type));
        }
        return type.cast(seam);
    }

    private Set<String> namesOf(Class<?> type) {
        Set<String> names = new TreeSet<>();
        for (Key key : seams.keySet()) {
            if (key.type() == type) {
                names.add(key.name());
            }
        }
        return names;
    }
}
