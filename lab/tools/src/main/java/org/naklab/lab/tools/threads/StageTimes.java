package org.naklab.lab.tools.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.Units;

/** The CPU time of each stage of the pipeline, over the rounds that count. */
public final class StageTimes {
    /** Everything that is not a stage of its own: compilers, the collector, Chronicle's own threads. */
    public static final String OTHER = "other threads";

    private static final String SOURCE = "bench-source";
    private static final List<String> STAGES = List.of(SOURCE, "mds-context", "mds-journal", "mds-business");

    private final Map<String, Long> cpuNs = new HashMap<>();
    private long events;
    private long elapsedNs;

    /**
     * The CPU time of one stage for one event.
     *
     * @param thread its name
     * @param isOfService false for the source, which another machine would have
     */
    public record Stage(String thread, double nsPerEvent, boolean isOfService) {}

    /**
     * Adds a run.
     *
     * @param threads CPU times by the thread's name, ns
     * @param itsEvents events that were finished in that time
     * @param itsElapsedNs how long that took, ns
     */
    public void add(Map<String, Long> threads, long itsEvents, long itsElapsedNs) {
        threads.forEach((name, ns) -> cpuNs.merge(STAGES.contains(name) ? name : OTHER, ns, Long::sum));
        events += itsEvents;
        elapsedNs += itsElapsedNs;
    }

    /** Forgets what was added, such as warm-up rounds. */
    public void clear() {
        cpuNs.clear();
        events = 0;
        elapsedNs = 0;
    }

    /** Returns the rate over the time of which the CPU times are, events per second; 0 without a run. */
    public double perSecond() {
        return elapsedNs == 0 ? 0 : events * Units.NS_PER_S / elapsedNs;
    }

    public List<Stage> stages() {
        List<Stage> stages = new ArrayList<>();
        for (String name : STAGES) {
            stages.add(stage(name));
        }
        stages.add(stage(OTHER));
        return stages;
    }

    private Stage stage(String name) {
        double perEvent = events == 0 ? 0 : (double) cpuNs.getOrDefault(name, 0L) / events;
        return new Stage(name, perEvent, !name.equals(SOURCE));
    }

    /**
     * Returns the rate that the CPU time allows, events per second: no stage is faster than its own thread, and all together are not faster than the
     * cores.
     */
    public static double boundPerSecond(List<Stage> stages, int cores) {
        double totalNs = stages.stream().mapToDouble(Stage::nsPerEvent).sum();
        double slowestNs = stages.stream()
                .filter(stage -> !stage.thread().equals(OTHER))
                .mapToDouble(Stage::nsPerEvent)
                .max()
                .orElse(0);
        double boundNs = Math.max(slowestNs, totalNs / cores);
        return boundNs == 0 ? 0 : 1e9 / boundNs;
    }
}
