package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The charts of a run: those that matter for its cause in the order in which they tell it, and the others, which the page folds away.
 *
 * @param shown at least one, if the run has any
 * @param folded those that do not concern the cause, are flat, or have no data
 */
record Charts(List<Chart> shown, List<Chart> folded) {
    private static final List<String> USUAL = List.of("depth", "drops", "unpolled", "gaps", "naks");

    /** What tells a cause; of causes that are not in it, {@link #USUAL}. */
    private static final Map<String, List<String>> BY_CAUSE = Map.ofEntries(
            Map.entry("late-binding-delay", List.of("depth", "drops", "gaps", "naks", "blocked")),
            Map.entry("late-binding-simulated", List.of("depth", "drops", "gaps", "naks", "blocked")),
            Map.entry("late-binding", List.of("depth", "drops", "gaps", "naks", "blocked")),
            Map.entry(
                    "late-binding-major-fault",
                    List.of("depth", "drops", "gaps", "faults", "naks", "memory", "blocked")),
            Map.entry("major-fault", List.of("depth", "drops", "gaps", "faults", "naks", "memory")),
            Map.entry("memory-pressure", List.of("gaps", "memory", "faults", "depth", "drops", "naks")),
            Map.entry("slow-consumer", List.of("writers", "depth", "drops", "gaps", "naks")),
            Map.entry("traffic-burst", List.of("rate", "depth", "drops", "naks")),
            Map.entry("network-loss", List.of("naks", "rate", "depth", "drops")),
            Map.entry("network-delay", List.of("naks", "rate", "depth", "drops")),
            Map.entry("network-reordering", List.of("rate", "depth", "gaps")),
            Map.entry("network-duplication", List.of("rate", "depth", "gaps")),
            Map.entry("sender-paused", List.of("rate", "gaps", "naks")),
            Map.entry("clean", List.of("depth", "gaps", "rate")));

    Charts {
        shown = List.copyOf(shown);
        folded = List.copyOf(folded);
    }

    static Charts of(RunFiles files, TimeAxis axis) {
        SeriesBuilder plotter = new SeriesBuilder(files, axis);
        ReceiverCharts receiver = new ReceiverCharts(files, plotter);
        MachineCharts machine = new MachineCharts(files, plotter);
        String reason = files.hasSamples()
                ? "No instrument measured this, and the timeline has no such event."
                : "This run has no samples (samples.csv.gz), and its timeline has no such event.";
        Stream<Chart> always = Stream.of(
                receiver.depth(),
                receiver.drops(),
                receiver.gaps(),
                receiver.faults(),
                receiver.naks(),
                machine.blocked(),
                machine.memory());
        Stream<Chart> whereSeen = Stream.of(receiver.unpolled(), machine.rate(), machine.writers(), receiver.latency())
                .filter(chart -> !chart.series().isEmpty());
        boolean isOfWatch = files.run().isOfWatch();
        List<Chart> all = Stream.concat(
                        always.filter(chart -> !isOfWatch || !chart.series().isEmpty()), whereSeen)
                .map(chart -> chart.orAbsent(reason))
                .toList();
        List<String> relevant = BY_CAUSE.getOrDefault(files.cause(), USUAL);
        boolean isAfterEviction = files.run().used().memory() != null && !relevant.contains("memory");
        return sort(
                all,
                isAfterEviction
                        ? Stream.concat(relevant.stream(), Stream.of("memory")).toList()
                        : relevant);
    }

    private static Charts sort(List<Chart> all, List<String> relevant) {
        List<Chart> shown = new ArrayList<>();
        for (String id : Stream.concat(relevant.stream(), Stream.of("latency")).toList()) {
            all.stream()
                    .filter(chart -> chart.id().equals(id) && chart.isTelling())
                    .forEach(shown::add);
        }
        if (shown.isEmpty()) {
            all.stream().filter(Chart::isDrawn).findFirst().ifPresent(shown::add);
        }
        return new Charts(
                shown, all.stream().filter(chart -> !shown.contains(chart)).toList());
    }

    /** Returns what stands beside the answer: the chart that tells most, and a lower one if it comes next. */
    List<Chart> picture() {
        List<Chart> drawn = shown.stream().filter(Chart::isDrawn).limit(2).toList();
        return drawn.size() < 2 || !drawn.get(1).isStrip()
                ? drawn.stream().limit(1).toList()
                : drawn;
    }

    /** Returns all charts that are drawn, in the order of the page. */
    List<Chart> drawn() {
        return Stream.concat(shown.stream(), folded.stream())
                .filter(Chart::isDrawn)
                .toList();
    }
}
