package org.naklab.faultsample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.junit.Faults;
import org.naklab.faults.junit.TestFaults;

class WrongClockFaultTest {
    @Test
    @Timeout(60)
    @Faults("{\"faults\": [{\"kind\": \"wrong-clock\", \"parameters\": {\"clock\": \"mds\", \"offsetMs\": 5000}}]}")
    void shouldSetTheClockWrong(TestFaults faults) {
        AdjustableClock clock = faults.site().offer("mds", new AdjustableClock());
        faults.start();

        assertThat(faults.proof("wrong-clock").fired()).isTrue();
        assertThat(clock.time()).isGreaterThan(System.currentTimeMillis() + 4_000);

        faults.disarm("wrong-clock");
        assertThat(clock.time()).isLessThan(System.currentTimeMillis() + 4_000);
    }
}
