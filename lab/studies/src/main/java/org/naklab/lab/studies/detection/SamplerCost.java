package org.naklab.lab.studies.detection;

import java.util.List;
import org.HdrHistogram.DoubleHistogram;
import org.naklab.lab.instruments.sampling.SamplerStatistics;

/**
 * The CPU use of the sampler.
 *
 * @param statistics of the whole time
 * @param tenths shares of a core, 0 to 1, tenth of a second by tenth; at least one
 */
public record SamplerCost(SamplerStatistics statistics, List<Double> tenths) {
    private static final int DIGITS = 3;

    /** Returns the median of the tenths of a second, exact to three digits. */
    public double medianShare() {
        DoubleHistogram shares = new DoubleHistogram(DIGITS);
        tenths.forEach(shares::recordValue);
        return shares.getValueAtPercentile(50);
    }
}
