package org.naklab.lab.runs.history.detail;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.latency.CustomersRecord;

/**
 * Tells what the history keeps of a run for queries, beside its figures. All times are nanoseconds since 1970; {@code null}: the run kept no wall
 * clock.
 *
 * @param accounts the parts of each stall, in the order of the stalls
 * @param eviction of pages; {@code null}: there was none
 * @param faults with their proofs
 * @param links of the causal chain, in its order
 * @param events of the timeline, by time
 * @param seconds the samples by series and second
 * @param customers of each process that served some
 * @param leftOut what the tables have no place for; {@code null}: events and samples were not read
 */
public record RunDetails(
        List<List<StallPart>> accounts,
        @Nullable Eviction eviction,
        List<Fault> faults,
        List<Link> links,
        List<Event> events,
        List<SampleSecond> seconds,
        @Nullable LeftOut leftOut,
        List<CustomersRecord> customers) {
    /** Nothing is known. */
    public static final RunDetails NONE =
            new RunDetails(List.of(), null, List.of(), List.of(), List.of(), List.of(), null, List.of());

    /** Tells what a run has beyond the limits of the tables. */
    public record LeftOut(long events, long samples) {}

    /**
     * Pages were evicted.
     *
     * @param secondsSince from then until each stall began, in the order of the stalls
     */
    public record Eviction(@Nullable Long beganEpochNs, List<Double> secondsSince) {
        public Eviction {
            secondsSince = List.copyOf(secondsSince);
        }
    }

    /** A part of a stall, by its kind. */
    public record StallPart(String kind, double ms, String detail) {}

    /**
     * A fault and what proves it.
     *
     * @param process where it was armed
     * @param fired {@code null}: it left no proof
     * @param explanation {@code null}: it left no proof
     * @param figures of the proof
     */
    public record Fault(
            String process,
            String fault,
            boolean armed,
            @Nullable Boolean fired,
            @Nullable String explanation,
            Map<String, Long> figures,
            List<Firing> firings) {
        public Fault {
            figures = Map.copyOf(figures);
            firings = List.copyOf(firings);
        }
    }

    /** A fault struck. */
    public record Firing(@Nullable Long beganEpochNs, long durationNs, String what) {}

    /**
     * A link of the causal chain.
     *
     * @param inOrder {@code null}: not known
     * @param atEpochNs {@code null} also if it was not seen
     */
    public record Link(
            String link,
            boolean present,
            @Nullable Boolean inOrder,
            @Nullable Long atEpochNs) {}

    /**
     * An event of the timeline.
     *
     * @param amount of what it counts; 1 if it counts nothing
     */
    public record Event(
            @Nullable Long beganEpochNs, long durationNs, String type, String process, String thread, long amount) {}

    public RunDetails {
        accounts = accounts.stream().map(List::copyOf).toList();
        faults = List.copyOf(faults);
        links = List.copyOf(links);
        events = List.copyOf(events);
        seconds = List.copyOf(seconds);
        customers = List.copyOf(customers);
    }

    /** Returns these details with the events and the samples of the run. */
    public RunDetails with(List<Event> itsEvents, List<SampleSecond> itsSeconds, LeftOut itsRest) {
        return new RunDetails(accounts, eviction, faults, links, itsEvents, itsSeconds, itsRest, customers);
    }
}
