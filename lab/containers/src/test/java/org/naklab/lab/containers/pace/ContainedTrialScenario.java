package org.naklab.lab.containers.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.naklab.lab.containers.BlockDevice;
import org.naklab.lab.containers.ReadAhead;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ContainerEngine;
import org.naklab.testing.host.ImagePages;

@Contained
@ExtendWith(ContainerEngine.class)
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class ContainedTrialScenario {
    /** The four reads in line, of which the kernel lets one through in a second. */
    private static final long LEAST_NS = TimeUnit.SECONDS.toNanos(1);

    /** At this pace the start of a JVM alone would take many minutes: the image has not been read yet. */
    @Test
    void shouldBindAtOneReadPerSecondFromAColdImage() throws IOException {
        String device = BlockDevice.find();
        try (ReadAhead lowered = ReadAhead.lowered(device)) {
            assertThat(lowered.formerKib()).isPositive();
            ImagePages.evict();
            ReadTrial.Bind bind = new ContainedTrial(device).bind(new ReadThrottle(1, 50));
            assertThat(bind.majorFaults()).isPositive();
            assertThat(bind.durationNs())
                    .as("the bind's reads waited for their turn")
                    .isGreaterThan(LEAST_NS);
        }
    }
}
