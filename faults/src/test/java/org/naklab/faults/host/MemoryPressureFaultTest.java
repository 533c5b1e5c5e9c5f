package org.naklab.faults.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class MemoryPressureFaultTest {
    private static final int RESIDENT_MIB = 128;

    /** The fault gives its memory back: what the allocator kept would be resident already when the next fault allocates. */
    @Test
    void shouldGiveItsMemoryBackSoThatItFiresAgain() {
        List<ByteBuffer> held = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Fault fault = new MemoryPressureFault()
                    .create(
                            FaultSpec.of(
                                    "memory-pressure",
                                    "mds",
                                    new MemoryPressureFault.Parameters(RESIDENT_MIB, 0, RESIDENT_MIB, null)),
                            new FaultSite("mds"),
                            1);
            fault.arm();
            // What other threads allocate meanwhile lies behind it, so that the allocator cannot shorten its heap.
            held.add(ByteBuffer.allocateDirect(4_096));
            long armedBytes = ProcessMemory.residentAnonymousBytes();
            FaultProof proof = fault.proof();
            fault.disarm();
            long givenBackBytes = armedBytes - ProcessMemory.residentAnonymousBytes();
            assertThat(proof.fired()).as(proof.toString()).isTrue();
            assertThat(givenBackBytes >> 20).isGreaterThan(RESIDENT_MIB / 2);
        }
        assertThat(held).isNotEmpty();
    }
}
