package org.naklab.lab.tools.tune;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.tools.pipeline.BookBench;
import org.naklab.lab.tools.pipeline.PipelineBench;
import org.naklab.lab.tools.service.DescriptorShortage;
import org.naklab.lab.tools.service.JournalAppends;
import org.naklab.lab.tools.service.ServiceRolls;
import org.naklab.lab.tools.tune.workload.Alignment;
import org.naklab.lab.tools.tune.workload.CollectorLoad;
import org.naklab.lab.tools.tune.workload.DirectIo;
import org.naklab.lab.tools.tune.workload.HandOver;
import org.naklab.lab.tools.tune.workload.LockFairness;
import org.naklab.lab.tools.tune.workload.MemoryWalk;
import org.naklab.lab.tools.tune.workload.Metric;
import org.naklab.lab.tools.tune.workload.WorkloadResult;

/** A benchmark of which one arm after the other runs in a JVM of its own. */
public enum BenchTask {
    BOOK("order books, 64 instruments with 400 resting orders each", Metric.EVENTS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) {
            return WorkloadResult.of(BookBench.rates(seed, events, INSTRUMENTS, RESTING_ORDERS, rounds));
        }

        @Override
        String hardwareCounter() {
            return TLB_MISSES;
        }
    },
    WALK("read at random places of 512 MiB of the heap, one read after the other", Metric.NANOSECONDS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) {
            return new MemoryWalk().run(rounds);
        }

        @Override
        String hardwareCounter() {
            return TLB_MISSES;
        }
    },
    APPEND("append to a Chronicle Queue on a disk", Metric.EVENTS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) throws Exception {
            return WorkloadResult.of(PipelineBench.appendRates(seed, events, rounds));
        }
    },
    JOURNAL("append to the journal as the service writes it", Metric.EVENTS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) throws Exception {
            return JournalAppends.run(seed, events, rounds);
        }
    },
    PIPELINE("the whole market data service: receipt, order books, journal", Metric.EVENTS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) throws Exception {
            return WorkloadResult.of(PipelineBench.pipelineRates(seed, events, rounds));
        }
    },
    ADD("atomic additions to a lock word", Metric.ADDITIONS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) {
            return new Alignment(Integer.getInteger(Alignment.OFFSET, 0)).run(rounds);
        }
    },
    HAND_OVER("a time stamp from one thread to another; median latency", Metric.NANOSECONDS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) throws Exception {
            String wait = System.getProperty(HandOver.WAIT, HandOver.Wait.BACKOFF.label());
            return new HandOver(HandOver.Wait.of(wait)).run(rounds);
        }
    },
    LOCK("four threads that want one lock; longest wait", Metric.MICROSECONDS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) throws Exception {
            String lock = System.getProperty(LockFairness.LOCK, LockFairness.Kind.BARGING.label());
            return new LockFairness(LockFairness.Kind.of(lock)).run(rounds);
        }
    },
    WRITE("write a file of 128 MiB to a disk", Metric.MEBIBYTES) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) throws Exception {
            return new DirectIo(System.getProperty(DirectIo.WRITE, "buffered")).run(rounds);
        }
    },
    ROLL("the service at 20,000 events/s for 3 s; most messages that wait for the journal", Metric.MESSAGES) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) throws Exception {
            return ServiceRolls.run(seed, events, rounds);
        }
    },
    DESCRIPTORS("the service at 20,000 events/s for 4 s, while its files roll and clients connect", Metric.EVENTS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) throws Exception {
            return DescriptorShortage.run(seed, events, rounds);
        }
    },
    COLLECT("allocate with the parallel collector; mean pause", Metric.MICROSECONDS) {
        @Override
        WorkloadResult run(long seed, int events, int rounds) {
            return new CollectorLoad().run(rounds);
        }

        @Override
        List<String> jvmFlags() {
            return List.of("-XX:-UseSerialGC", "-XX:+UseParallelGC");
        }
    };

    /** The heap of each task, MiB. */
    static final int HEAP_MIB = 1024;

    /** What {@code perf list} calls the misses of the cache of address translations. */
    static final String TLB_MISSES = "dTLB-load-misses";

    private static final int INSTRUMENTS = 64;
    private static final int RESTING_ORDERS = 400;

    private final String summary;
    private final Metric metric;

    BenchTask(String summary, Metric metric) {
        this.summary = summary;
        this.metric = metric;
    }

    /** Returns the values of the rounds after the warm-up. */
    abstract WorkloadResult run(long seed, int events, int rounds) throws Exception;

    /** Returns the flags of the JVM that every arm has, before its own. */
    List<String> jvmFlags() {
        return List.of();
    }

    /** Returns the event of {@code perf list} that is counted with it where the machine counts it; empty: none. */
    String hardwareCounter() {
        return "";
    }

    /** Returns the word of the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what it measures, in a few words. */
    public String summary() {
        return summary;
    }

    /** Returns what its value is. */
    public Metric metric() {
        return metric;
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
