package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ReportedEvent;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;

@Timeout(60)
final class RemedyPriceTest {
    @Test
    void shouldBeTheMediansOfTheRuns() {
        List<RunOutcome> runs = List.of(run(900, 100, 4, 70), run(100, 300, 0, 10), run(300, 200, 8, 20));
        RemedyPrice price = RemedyPrice.of(runs).orElseThrow();
        long received = Objects.requireNonNull(runs.get(0).service()).events().received();

        assertThat(price.cpuMicrosPerEvent()).isEqualTo(300_000.0 / received, within(1e-9));
        assertThat(price.memoryBytes()).isEqualTo(200);
        assertThat(price.lockedBytes()).isEqualTo(4);
        assertThat(price.startMs()).isEqualTo(20);
        assertThat(RemedyPrice.of(runs.subList(0, 2)).orElseThrow().memoryBytes())
                .isEqualTo(200);
    }

    @Test
    void shouldBeOfTheServiceAlone() {
        MysteryRun ofGateway = new MysteryRun(Remedy.NONE);
        ofGateway.events.add(new ReportedEvent("gateway-1", new ProcessEvent.ResourcesUsed(1, 2, 3, 4, 5)));
        assertThat(RemedyPrice.of(List.of(ofGateway.outcome()))).isEmpty();
    }

    private static RunOutcome run(long cpuMs, long memoryBytes, long lockedBytes, long startMs) {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.events.add(new ReportedEvent(
                Deployment.SERVICE, new ProcessEvent.ResourcesUsed(1, startMs, cpuMs, memoryBytes, lockedBytes)));
        return run.outcome();
    }
}
