package org.naklab.lab.report;

import java.util.List;
import java.util.stream.Stream;

/** All charts of a run, in the order in which they are read: effect above, causes below. */
final class Charts {
    private Charts() {}

    static List<Chart> of(RunFiles files, TimeAxis axis) {
        SeriesBuilder plotter = new SeriesBuilder(files, axis);
        ReceiverCharts receiver = new ReceiverCharts(files, plotter);
        MachineCharts machine = new MachineCharts(files, plotter);
        String reason = files.hasSamples()
                ? "No instrument measured this, and the timeline has no such event."
                : "This run has no samples (samples.csv.gz), and its timeline has no such event.";
        Stream<Chart> always = Stream.of(
                receiver.depth(),
                receiver.gaps(),
                receiver.faults(),
                receiver.naks(),
                machine.blocked(),
                machine.memory());
        Stream<Chart> whereSeen = Stream.of(machine.rate(), machine.writers())
                .filter(chart -> !chart.series().isEmpty());
        return Stream.concat(always, whereSeen)
                .map(chart -> chart.orAbsent(reason))
                .toList();
    }
}
