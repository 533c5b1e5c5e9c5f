package org.naklab.lab.bench.detection;

import java.util.List;
import org.naklab.lab.instruments.sampling.SamplerStatistics;

/**
 * What the sampler takes of a processor.
 *
 * @param statistics of the whole time
 * @param tenths shares of a core, 0 to 1, tenth of a second by tenth; at least one
 */
public record SamplerCost(SamplerStatistics statistics, List<Double> tenths) {
    /** Of the tenths of a second; of an even number, the greater of the two in the middle. */
    public double medianShare() {
        return tenths.stream().sorted().skip(tenths.size() / 2).findFirst().orElseThrow();
    }
}
