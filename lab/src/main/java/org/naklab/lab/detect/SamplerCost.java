package org.naklab.lab.detect;

import java.util.List;

/**
 * What the sampler takes of a processor.
 *
 * @param statistics of the whole time
 * @param tenths shares of a core, 0 to 1, tenth of a second by tenth
 */
public record SamplerCost(SamplerStatistics statistics, List<Double> tenths) {}
