package org.naklab.lab.instruments.sampling;

/**
 * What one instrument takes of the sampler's time.
 *
 * @param instrument its name
 * @param samples taken
 * @param totalNs that they took together
 */
public record InstrumentCost(String instrument, long samples, long totalNs) {
    /** Of both together, under this one's name. */
    public InstrumentCost plus(InstrumentCost other) {
        return new InstrumentCost(instrument, samples + other.samples, totalNs + other.totalNs);
    }

    /** Of one sample. */
    public double meanNs() {
        return samples == 0 ? 0 : (double) totalNs / samples;
    }
}
