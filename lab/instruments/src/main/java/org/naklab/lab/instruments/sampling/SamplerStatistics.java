package org.naklab.lab.instruments.sampling;

/**
 * Statistics of the sampler.
 *
 * @param ticks samples taken
 * @param missedTicks periods that passed without one, because the sampler itself was late
 * @param maxLatenessNs latest sample against its deadline
 * @param cpuNs processor time of the sampler's thread
 * @param elapsedNs wall time since the first sample
 */
public record SamplerStatistics(long ticks, long missedTicks, long maxLatenessNs, long cpuNs, long elapsedNs) {
    /** Returns the statistics since an earlier reading; the greatest lateness remains that of the whole time. */
    public SamplerStatistics since(SamplerStatistics earlier) {
        return new SamplerStatistics(
                ticks - earlier.ticks,
                missedTicks - earlier.missedTicks,
                maxLatenessNs,
                cpuNs - earlier.cpuNs,
                elapsedNs - earlier.elapsedNs);
    }

    /** Returns the statistics of this time and another one; the latest sample is that of both. */
    public SamplerStatistics plus(SamplerStatistics other) {
        return new SamplerStatistics(
                ticks + other.ticks,
                missedTicks + other.missedTicks,
                Math.max(maxLatenessNs, other.maxLatenessNs),
                cpuNs + other.cpuNs,
                elapsedNs + other.elapsedNs);
    }

    /** Returns the share of one core, 0 to 1. */
    public double cpuShare() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
