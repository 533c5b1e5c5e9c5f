package org.naklab.lab.instruments.sampling;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Tells the processes that observe: this one, the programs that instruments have started, and what these have started. Other children of this process do what the lab studies, and are
 * none of them. One thread.
 */
public final class ObserverProcesses {
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);
    /** What a process did may be told some time after its end. */
    private static final long KEPT_S = 10;

    private static final int MAX_KNOWN = 1_024;
    private static final long OWN = ProcessHandle.current().pid();
    private static final Set<Long> STARTED = ConcurrentHashMap.newKeySet();

    private final Map<Long, Known> known = new HashMap<>();

    private record Known(long readNs, boolean isObserver) {}

    /** Adds a program that an instrument has started. Any thread. */
    public static void add(ProcessHandle program) {
        long pid = program.pid();
        STARTED.add(pid);
        CompletableFuture<Void> unused = program.onExit()
                .thenRunAsync(() -> STARTED.remove(pid), CompletableFuture.delayedExecutor(KEPT_S, TimeUnit.SECONDS));
    }

    /** Returns whether a process is one of them; what was found out about a process holds for a second. */
    public boolean contains(long pid) {
        if (pid == OWN || STARTED.contains(pid)) {
            return true;
        }
        long nowNs = System.nanoTime();
        Known last = known.get(pid);
        if (last == null || nowNs - last.readNs() > FRESH_NS) {
            if (known.size() >= MAX_KNOWN) {
                known.clear();
            }
            last = new Known(nowNs, hasStartedObserver(pid));
            known.put(pid, last);
        }
        return last.isObserver();
    }

    private static boolean hasStartedObserver(long pid) {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        while (process.isPresent() && !STARTED.contains(process.orElseThrow().pid())) {
            process = process.flatMap(ProcessHandle::parent);
        }
        return process.isPresent();
    }
}
