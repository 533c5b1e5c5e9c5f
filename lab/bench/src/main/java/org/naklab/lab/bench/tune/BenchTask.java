package org.naklab.lab.bench.tune;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.bench.BookBench;
import org.naklab.lab.bench.PipelineBench;

/** A benchmark of which one arm after the other runs in a JVM of its own. Its value is a rate: higher is better. */
public enum BenchTask {
    BOOK("order books, 64 instruments with 400 resting orders each") {
        @Override
        double[] rates(long seed, int events, int rounds) {
            return BookBench.rates(seed, events, INSTRUMENTS, RESTING_ORDERS, rounds);
        }
    },
    APPEND("append to a Chronicle Queue on a disk") {
        @Override
        double[] rates(long seed, int events, int rounds) throws Exception {
            return PipelineBench.appendRates(seed, events, rounds);
        }
    },
    PIPELINE("the whole market data service: receipt, order books, journal") {
        @Override
        double[] rates(long seed, int events, int rounds) throws Exception {
            return PipelineBench.pipelineRates(seed, events, rounds);
        }
    };

    /** The heap of each task, MiB. */
    static final int HEAP_MIB = 1024;

    private static final int INSTRUMENTS = 64;
    private static final int RESTING_ORDERS = 400;

    private final String summary;

    BenchTask(String summary) {
        this.summary = summary;
    }

    /** Returns the rates of the rounds after the warm-up, events per second. */
    abstract double[] rates(long seed, int events, int rounds) throws Exception;

    /** Returns the word of the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what it measures, in a few words. */
    public String summary() {
        return summary;
    }

    /**
     * Returns the task of a word.
     *
     * @throws IllegalArgumentException there is none; the message names those that there are
     */
    public static BenchTask of(String label) {
        return Arrays.stream(values())
                .filter(task -> task.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no benchmark '" + label + "'; there are: " + String.join(", ", labels())));
    }

    /** Returns the words of all tasks. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(BenchTask::label).toList();
    }
}
