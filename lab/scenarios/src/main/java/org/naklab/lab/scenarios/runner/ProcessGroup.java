package org.naklab.lab.scenarios.runner;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ProcessListener;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.process.Role;
import org.naklab.lab.scenarios.Customers;
import org.naklab.lab.scenarios.Deployment;

/** The processes of one run. However it ends, none of them is left. */
final class ProcessGroup implements AutoCloseable {
    private static final long WAIT_STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<String, ChildProcess> children = new LinkedHashMap<>();
    private final Map<String, Long> pids = new ConcurrentHashMap<>();
    private final Set<String> victims;

    /** Notified after each event. */
    private final Object news = new Object();

    private ProcessGroup(Set<String> victims) {
        this.victims = Set.copyOf(victims);
    }

    static ProcessGroup start(
            Deployment deployment, Path directory, Installation installation, ProcessListener listener) {
        return start(deployment, directory, installation, Set.of(), false, listener);
    }

    /**
     * @param victims subscribers whose end is no trouble
     * @param isSealed whether no file may have the configuration of a process
     */
    static ProcessGroup start(
            Deployment deployment,
            Path directory,
            Installation installation,
            Set<String> victims,
            boolean isSealed,
            ProcessListener listener) {
        ProcessGroup group = new ProcessGroup(victims);
        ProcessListener notifying = group.notifyAfter(listener);
        try {
            for (ProcessSpec<?> spec : deployment.all()) {
                ChildProcess child = isSealed
                        ? ChildProcess.startSealed(spec, directory, installation, notifying)
                        : ChildProcess.start(spec, directory, installation, notifying);
                group.children.put(spec.name(), child);
                group.pids.put(spec.name(), child.pid());
            }
            return group;
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    /** Pid by name; safe for any thread. */
    Map<String, Long> pids() {
        return pids;
    }

    ChildProcess exchange() {
        return child(Deployment.EXCHANGE);
    }

    /** Returns the process of the customers; {@code null}: there is none. */
    @Nullable
    ChildProcess customers() {
        return children.get(Customers.PROCESS);
    }

    List<ChildProcess> subscribers() {
        return children.values().stream()
                .filter(child -> child.role() != Role.EXCHANGE && child.role() != Role.CUSTOMERS)
                .toList();
    }

    /** Returns the subscribers without the victims that have ended. */
    List<ChildProcess> survivors() {
        return subscribers().stream().filter(child -> !isGone(child)).toList();
    }

    private boolean isGone(ChildProcess child) {
        return victims.contains(child.name()) && !child.isAlive();
    }

    List<ChildProcess> all() {
        return List.copyOf(children.values());
    }

    /**
     * Waits until each of them has reported that event.
     *
     * @throws LabException when one reports an error, ends, or takes too long, or {@code cancelled} becomes true
     */
    void awaitAll(List<ChildProcess> who, Class<? extends ProcessEvent> event, long timeoutNs, Cancellation cancelled)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeoutNs;
        for (ChildProcess child : who) {
            while (child.await(event, WAIT_STEP_NS) == null) {
                cancelled.check();
                requireWell(child);
                if (System.nanoTime() - deadlineNs >= 0) {
                    throw new LabException(child.name() + " did not report '" + ProcessEvent.wordOf(event) + "' within "
                            + TimeUnit.NANOSECONDS.toSeconds(timeoutNs) + " s; its log is in the run directory");
                }
            }
        }
    }

    /**
     * Waits until the condition holds or the time is up. It is looked at after each event of any process, and at each one's end.
     *
     * @param timeoutNs longest wait, ns
     */
    void awaitUntil(BooleanSupplier condition, long timeoutNs) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeoutNs;
        synchronized (news) {
            while (!condition.getAsBoolean()) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0) {
                    return;
                }
                news.wait(leftMs);
            }
        }
    }

    private ProcessListener notifyAfter(ProcessListener listener) {
        return new ProcessListener() {
            @Override
            public void onEvent(String process, ProcessEvent event) {
                listener.onEvent(process, event);
                notifyOfNews();
            }

            @Override
            public void onEnd(String process) {
                listener.onEnd(process);
                notifyOfNews();
            }
        };
    }

    private void notifyOfNews() {
        synchronized (news) {
            news.notifyAll();
        }
    }

    /** Returns whether no process has reported an error, or ended. */
    boolean isWell() {
        return children.values().stream()
                .allMatch(
                        child -> (child.isAlive() || isGone(child)) && child.latest(ProcessEvent.Failed.class) == null);
    }

    /** @throws LabException when a process has reported an error, or ended */
    void requireWell() {
        children.values().stream().filter(child -> !isGone(child)).forEach(ProcessGroup::requireWell);
    }

    private static void requireWell(ChildProcess child) {
        ProcessEvent.Failed failed = child.latest(ProcessEvent.Failed.class);
        if (failed != null) {
            throw new LabException(child.name() + ": " + failed.message());
        }
        if (!child.isAlive()) {
            throw new LabException(child.name() + " (pid " + child.pid() + ") exited too early, " + child.endedHow()
                    + "; its log is in the run directory");
        }
    }

    ChildProcess child(String name) {
        @Nullable ChildProcess child = children.get(name);
        if (child == null) {
            throw new IllegalStateException("no process " + name);
        }
        return child;
    }

    @Override
    public void close() {
        children.values().forEach(ChildProcess::endInput);
        children.values().forEach(ChildProcess::close);
    }
}
