package org.naklab.lab.scenarios.experiment;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.naklab.lab.core.Median;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunOutcome;

/**
 * Tells what the market data service needed with a remedy: the medians of its runs until the end of the flow.
 *
 * @param cpuMicrosPerEvent processor time of all threads since the process was ready, for each event that was received, in µs
 * @param memoryBytes resident memory without pages of files on a disk
 * @param lockedBytes locked memory
 * @param startMs from the start of the process until it was ready, in ms
 */
public record RemedyPrice(double cpuMicrosPerEvent, double memoryBytes, double lockedBytes, double startMs) {
    private record Use(ProcessEvent.ResourcesUsed used, long received) {}

    /** Returns the price; none if no run was finished. */
    static Optional<RemedyPrice> of(List<RunOutcome> runs) {
        List<Use> uses = runs.stream().flatMap(RemedyPrice::use).toList();
        return uses.isEmpty()
                ? Optional.empty()
                : Optional.of(new RemedyPrice(
                        median(uses, use -> use.used().cpuMs() * 1_000.0 / use.received()),
                        median(uses, use -> use.used().memoryBytes()),
                        median(uses, use -> use.used().lockedBytes()),
                        median(uses, use -> use.used().startMs())));
    }

    private static Stream<Use> use(RunOutcome run) {
        ServiceReport service = run.service();
        return service == null || service.events().received() == 0
                ? Stream.empty()
                : run.events(Deployment.SERVICE, ProcessEvent.ResourcesUsed.class).stream()
                        .map(used -> new Use(used, service.events().received()));
    }

    private static double median(List<Use> uses, ToDoubleFunction<Use> figure) {
        return Median.of(uses.stream().mapToDouble(figure));
    }
}
