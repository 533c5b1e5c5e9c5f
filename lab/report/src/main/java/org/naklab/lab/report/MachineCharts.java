package org.naklab.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.ThreadEvent.SendersWoken;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** Charts of what surrounds the receivers: memory, the rate limit, the flow, the writers. */
final class MachineCharts {
    private static final String MEMORY = "memory";

    private final RunFiles files;
    private final SeriesBuilder plotter;
    private final Samples samples;

    MachineCharts(RunFiles files, SeriesBuilder plotter) {
        this.files = files;
        this.plotter = plotter;
        samples = files.samples();
    }

    /** Draws the memory of the service's container if it has a limit, else of the machine: the kernel evicts pages where memory is short. */
    Chart memory() {
        List<SeriesName> limited = samples.named(SeriesSource.CGROUP, "freeBytes");
        return limited.isEmpty() ? machineMemory() : containerMemory(limited.get(0));
    }

    private Chart containerMemory(SeriesName free) {
        List<ChartSeries> series = new ArrayList<>();
        series.add(plotter.gauge("free", "line", "free", free, 1));
        series.add(plotter.gauge("page cache", "line", "cached", free.sibling("cachedBytes"), 1)
                .onTheRight());
        return Chart.of(
                "memory",
                "Memory of the container of " + free.process(),
                "free: the part of its limit that is not used. It falls while the journal grows, and oscillates once the kernel evicts pages",
                new ChartAxis(MEMORY, "free, MiB"),
                new ChartAxis(MEMORY, "page cache, MiB"),
                series);
    }

    private Chart machineMemory() {
        List<ChartSeries> series = new ArrayList<>();
        samples.named(SeriesSource.MEMORY, "freeBytes")
                .forEach(name -> series.add(plotter.gauge("free", "line", "free", name, 1)));
        samples.named(SeriesSource.MEMORY, "cachedBytes")
                .forEach(name -> series.add(
                        plotter.gauge("page cache", "line", "cached", name, 1).onTheRight()));
        return Chart.of(
                "memory",
                "Memory of the machine",
                "free memory and page cache: the kernel evicts pages when no memory is free",
                new ChartAxis(MEMORY, "free, MiB"),
                new ChartAxis(MEMORY, "page cache, MiB"),
                series);
    }

    /** Draws the sends that the rate limiters refused, by the time at which their senders were woken; the last value is that of run.json. */
    Chart blocked() {
        List<ChartSeries> series = new ArrayList<>();
        Map<String, List<TimelineEvent>> woken = files.events(TimelineEventType.SENDERS_WOKEN).stream()
                .collect(Collectors.groupingBy(TimelineEvent::process, TreeMap::new, Collectors.toList()));
        woken.forEach((process, its) ->
                series.add(plotter.count(process, "line", process, its, event -> event.as(SendersWoken.class)
                        .map(SendersWoken::blockedSends)
                        .orElse(0L))));
        series.add(plotter.count(
                "wake-up failed", ChartSeries.TICKS, "other", files.events(TimelineEventType.WAKE_FAILED), event -> 1));
        return Chart.of(
                "blocked",
                "Blocked sends",
                "sends that the rate limiter refused, since the start of the recording; ticks: wake-ups at the end of an interval that found the lock held",
                ChartAxis.count("blocked sends"),
                ChartAxis.NONE,
                series);
    }

    Chart rate() {
        List<ChartSeries> series = new ArrayList<>();
        for (SeriesName rate : samples.named(SeriesSource.RATE)) {
            String process = rate.process();
            String quantity = rate.quantity().replaceFirst("PerSecond$", "");
            series.add(plotter.gauge(process + " " + words(quantity), "line", process, rate, 1));
        }
        return Chart.of(
                "rate",
                "Arrival rate",
                "bytes as sent by the exchange and as received by another subscriber: a burst appears in both; the command line counts events",
                new ChartAxis("per second", "bytes per second"),
                ChartAxis.NONE,
                series);
    }

    Chart writers() {
        List<ChartSeries> series = new ArrayList<>();
        for (SeriesName gauge : samples.named(SeriesSource.GAUGE)) {
            String quantity = gauge.quantity();
            String colour = quantity.startsWith("ring") ? ProcessNames.SERVICE : "other";
            series.add(plotter.gauge(gauge.process() + " " + words(quantity), "line", colour, gauge, 1));
        }
        return Chart.of(
                "writers",
                "Ring and journal",
                "messages waiting for the threads of the service",
                ChartAxis.count("messages"),
                ChartAxis.NONE,
                series);
    }

    /** {@code ringDepthSlots} as {@code ring depth slots}. */
    private static String words(String camelCase) {
        return camelCase.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(java.util.Locale.ROOT);
    }
}
