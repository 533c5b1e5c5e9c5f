package org.naklab.lab.studies.detection;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.naklab.lab.core.Median;
import org.naklab.lab.instruments.sampling.SamplerStatistics;

/**
 * The CPU use of the sampler, beside that of waking up as often, which is up to the machine.
 *
 * @param rounds at least one
 */
public record SamplerOverhead(List<Round> rounds) {
    /**
     * Both, one after the other.
     *
     * @param wakeUps of a sampler without instruments
     * @param sampler with all instruments
     */
    public record Round(SamplerCost wakeUps, SamplerCost sampler) {
        /** Returns what the sampler adds to waking up, as a share of a core; below 0 if the machine was uneven. */
        public double addedShare() {
            return sampler.medianShare() - wakeUps.medianShare();
        }
    }

    public SamplerOverhead {
        rounds = List.copyOf(rounds);
    }

    /** Returns what the sampler adds to waking up, as a share of a core, 0 to 1: the median of the rounds. */
    public double addedShare() {
        return median(Round::addedShare);
    }

    /** Returns the sampler's share of a core, 0 to 1: the median of the rounds. */
    public double samplerShare() {
        return median(round -> round.sampler().medianShare());
    }

    /** Returns the share of a core, 0 to 1, of waking up alone: the median of the rounds. */
    public double wakeUpShare() {
        return median(round -> round.wakeUps().medianShare());
    }

    /** Returns the statistics of the sampler in all rounds. */
    public SamplerStatistics statistics() {
        return rounds.stream()
                .map(round -> round.sampler().statistics())
                .reduce(SamplerStatistics::plus)
                .orElseThrow();
    }

    private double median(ToDoubleFunction<Round> share) {
        return Median.of(rounds.stream().mapToDouble(share));
    }
}
