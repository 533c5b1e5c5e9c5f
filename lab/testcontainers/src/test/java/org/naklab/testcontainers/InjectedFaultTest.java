package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.FaultProof;
import org.naklab.lab.containers.ContainerFault;

/** As with the faults of JUnit: a test that passed although nothing happened has shown nothing. */
@Timeout(60)
class InjectedFaultTest {
    private int undone;

    @Test
    void shouldFailATestWhoseFaultDidNotFire() {
        InjectedFault fault = fault(false);
        assertThatThrownBy(fault::close)
                .isInstanceOf(AssertionError.class)
                .hasMessage("the test has shown nothing, as the fault did not fire: dropped 0 of 0 frames;"
                        + " mayNotFire() accepts that");
        fault.close();
        assertThat(undone).as("undone all the same").isPositive();
    }

    @Test
    void shouldPassATestWhoseFaultFired() {
        fault(true).close();
        assertThat(undone).isOne();
    }

    @Test
    void shouldAcceptAFaultThatMayNotFire() {
        try (InjectedFault fault = fault(false).mayNotFire()) {
            assertThat(fault.fired()).isFalse();
        }
        assertThat(undone).isOne();
    }

    /** The failure of the test itself says more than that its fault had no time to fire. */
    @Test
    void shouldStandBehindTheFailureOfTheTestItself() {
        assertThatThrownBy(() -> {
                    try (InjectedFault fault = fault(false)) {
                        throw new IllegalStateException("the test's own, " + fault.explanation());
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    }

    private InjectedFault fault(boolean fires) {
        return InjectedFault.arm(() -> new ContainerFault() {
            @Override
            public FaultProof proof() {
                return new FaultProof(fires, "dropped 0 of 0 frames", Map.of(), List.of());
            }

            @Override
            public void close() {
                undone++;
            }
        });
    }
}
