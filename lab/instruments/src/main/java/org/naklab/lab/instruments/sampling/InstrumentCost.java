package org.naklab.lab.instruments.sampling;

/**
 * The time of the sampler that an instrument uses.
 *
 * @param instrument its name
 * @param samples taken
 * @param totalNs that they took together
 */
public record InstrumentCost(String instrument, long samples, long totalNs) {
    /** Returns the sum of both under the name of this one. */
    public InstrumentCost plus(InstrumentCost other) {
        return new InstrumentCost(instrument, samples + other.samples, totalNs + other.totalNs);
    }

    /** Returns the mean time of a sample, in ns. */
    public double meanNs() {
        return samples == 0 ? 0 : (double) totalNs / samples;
    }
}
