package org.naklab.lab.cli.hunt;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.scenarios.experiment.WilsonInterval;

/**
 * Tells what a hunt came to; the document of {@code --json}.
 */
record HuntSummary(
        @JsonUnwrapped Hunted hunt,
        @JsonUnwrapped Course course,
        @JsonUnwrapped Kept kept) {
    /**
     * Names what is hunted.
     *
     * @param until the condition
     */
    record Hunted(String scenario, HuntCondition until) {}

    /**
     * Tells how it went.
     *
     * @param ended why it ended
     * @param runs that were finished, those without a verdict included
     * @param inconclusive runs that cannot tell whether they are a hit: they are not counted in the rate
     * @param rate of hits, with its 95 % confidence interval
     */
    record Course(End ended, long elapsedMs, int runs, int inconclusive, WilsonInterval rate) {}

    /**
     * Contains the runs that are kept.
     *
     * @param hits in order
     * @param keptMiss the latest run without a hit; {@code null}: there was none
     * @param keptBytes of the directories that are kept
     */
    record Kept(List<Hit> hits, @Nullable String keptMiss, long keptBytes) {
        Kept {
            hits = List.copyOf(hits);
        }
    }

    /** Tells why a hunt ended. */
    enum End {
        /** All wanted hits were found. */
        FOUND("found"),
        /** The time was up. */
        TIME("time is up"),
        /** The user ended it. */
        INTERRUPTED("interrupted"),
        /** Too many runs one after the other could not tell. */
        INCONCLUSIVE("inconclusive runs");

        private final String words;

        End(String words) {
            this.words = words;
        }

        @JsonValue
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        String words() {
            return words;
        }
    }

    /**
     * A run that had what the hunt was after.
     *
     * @param run the number of the run in the hunt, from 1
     * @param directory where its files are, or were
     * @param kept whether they still are
     */
    record Hit(int run, long seed, String directory, String diagnosis, String confidence, boolean kept) {}

    /** Returns the rate as words, such as {@code 1 of 200 runs (0.50 %, 95 % interval 0.09 to 2.78 %)}. */
    String rateWords() {
        int trials = course.rate().trials();
        return String.format(
                Locale.ROOT,
                "%,d of %,d runs (%.2f %%, 95 %% interval %.2f to %.2f %%)",
                course.rate().hits(),
                trials,
                trials == 0 ? 0 : 100.0 * course.rate().hits() / trials,
                100 * course.rate().low(),
                100 * course.rate().high());
    }
}
