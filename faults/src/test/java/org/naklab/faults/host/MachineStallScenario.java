package org.naklab.faults.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.testing.Matrix;

/** The whole machine stands still for a moment; an idle thread of this JVM is the witness. */
@Matrix
@Timeout(60)
class MachineStallScenario {
    private static final long STALL_MS = 150;
    /** A processor that the hypervisor has taken away cannot be kept busy, and the fault says so. */
    private static final int ATTEMPTS = 5;

    private final FaultSite site = new FaultSite("lab");

    @AfterEach
    void close() {
        site.guard().close();
    }

    @Test
    void shouldKeepAnIdleThreadFromRunning() {
        assumeTrue(mayBeRealTime(), "real-time priority is refused here: it needs CAP_SYS_NICE");
        Fault stall = stalled();
        for (int i = 1; i < ATTEMPTS && !stall.proof().fired(); i++) {
            stall = stalled();
        }

        assertThat(stall.proof().fired()).as(stall.proof().explanation()).isTrue();
        assertThat(stall.proof().figure("longestGapNs"))
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(STALL_MS) / 2);
    }

    @Test
    void shouldDoNothingUnlessArmed() {
        Fault stall = create(STALL_MS);
        stall.disarm();

        assertThat(stall.proof().fired()).isFalse();
        assertThat(stall.proof().figures()).isEmpty();
    }

    @Test
    void shouldBeBounded() {
        assertThatThrownBy(() -> create(501))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("must be from 10 to 500");
    }

    private Fault stalled() {
        Fault stall = create(STALL_MS);
        stall.arm();
        stall.disarm();
        return stall;
    }

    private Fault create(long stallMs) {
        MachineStallFault kind = new MachineStallFault();
        FaultSpec spec = FaultSpec.of(kind.name(), "lab", new MachineStallFault.Parameters(stallMs));
        return kind.create(spec, site, 1);
    }

    private static boolean mayBeRealTime() {
        try {
            Commands.run("chrt", "-f", "1", "true");
            return true;
        } catch (FaultException e) {
            return false;
        }
    }
}
