package org.naklab.testcontainers;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.naklab.faults.Firing;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;

/**
 * A fault that is armed in a container. Its proof comes from the counters of the kernel or of the engine, or of the relay that it uses. As with {@code @Faults}, a fault that
 * did not fire fails the test.
 */
public final class InjectedFault implements AutoCloseable {
    private final ContainerFault fault;
    private boolean mustFire = true;
    private boolean isClosed;

    private InjectedFault(ContainerFault fault) {
        this.fault = fault;
    }

    /**
     * Arms a fault.
     *
     * @throws IllegalArgumentException if the fault is impossible on any machine, such as a loss of 101 percent
     * @throws IllegalStateException if this machine or container does not support it
     */
    static InjectedFault arm(Supplier<ContainerFault> arming) {
        try {
            return new InjectedFault(arming.get());
        } catch (UsageException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (LabException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /**
     * Accepts that the fault has no effect: {@link #close()} does not fail then.
     *
     * @return this fault
     */
    public InjectedFault mayNotFire() {
        mustFire = false;
        return this;
    }

    /** Returns whether the fault had its effect since it was armed; after {@link #close()}, until then. */
    public boolean fired() {
        return fault.proof().fired();
    }

    /** Returns one line with what it did, such as "dropped 290 of 1004 frames incoming at receiver". */
    public String explanation() {
        return fault.proof().explanation();
    }

    /** Returns the figures of the proof, with units in their names, such as {@code datagramsDropped}. */
    public Map<String, Long> figures() {
        return fault.proof().figures();
    }

    /**
     * Returns what it struck, such as "datagram 17 to 239.192.16.9:20900": the first 64, in order; empty for faults that are only counted,
     * which are all but the loss with a seed.
     */
    public List<String> firings() {
        return fault.proof().firings().stream().map(Firing::what).toList();
    }

    /**
     * Undoes the fault; a second time does nothing.
     *
     * @throws AssertionError if the fault had no effect, so that the test has shown nothing, unless it {@linkplain #mayNotFire() may not
     *     fire}; behind a failure of the test itself, it is a suppressed exception
     */
    @Override
    public void close() {
        boolean isFirst = !isClosed;
        isClosed = true;
        fault.close();
        if (isFirst && mustFire && !fired()) {
            throw new AssertionError("the test has shown nothing, as the fault did not fire: " + explanation()
                    + "; mayNotFire() accepts that");
        }
    }
}
