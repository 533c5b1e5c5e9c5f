package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The instruments of a run.
 *
 * @param reading each instrument that looked, one line
 * @param blind each that could not, or no longer, and why, one line
 * @param sampler what the sampler says of itself; {@code null}: not known
 * @param unseenSockets processes whose sockets no instrument observed: that they dropped something is not known
 */
public record InstrumentsRecord(
        List<String> reading,
        List<String> blind,
        @Nullable Sampler sampler,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> unseenSockets) {
    /**
     * The statistics of the sampler.
     *
     * @param missedTicks periods that passed without a sample, because the sampler itself was late
     * @param maxLatenessNs latest sample against its deadline
     * @param shareOfACore its processor time, 0 to 1
     * @param lostSamples that the file of samples lacks
     */
    public record Sampler(long ticks, long missedTicks, long maxLatenessNs, double shareOfACore, long lostSamples) {}

    public InstrumentsRecord {
        reading = Absent.orNone(reading);
        blind = Absent.orNone(blind);
        unseenSockets = Absent.orNone(unseenSockets);
    }
}
