package org.naklab.lab.tools.tune;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.naklab.journaler.Journal;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.tools.service.ServiceRolls;
import org.naklab.lab.tools.tune.machine.CounterFile;
import org.naklab.lab.tools.tune.workload.Alignment;
import org.naklab.lab.tools.tune.workload.DirectIo;
import org.naklab.lab.tools.tune.workload.HandOver;
import org.naklab.lab.tools.tune.workload.LockFairness;

/** Ready-made comparisons. */
public enum Experiment {
    PAGES("pages of 4 KiB, transparent huge pages, and reserved huge pages for the heap", BenchTask.BOOK) {
        @Override
        public ExperimentArms arms() {
            return new ExperimentArms()
                    .add("transparent", "-XX:+UseTransparentHugePages", Obstacles.transparentHugePages())
                    .add(
                            "reserved",
                            "-XX:+UseLargePages sysctl:vm.nr_hugepages=" + RESERVED_PAGES,
                            Obstacles.write(Path.of("/proc/sys/vm/nr_hugepages")))
                    .add(
                            "always",
                            "file:" + HUGE_PAGES + "enabled=always file:" + HUGE_PAGES + "defrag=always",
                            Obstacles.write(Path.of(HUGE_PAGES + "defrag")))
                    .leaveOut(BenchTask.TLB_MISSES, CounterFile.obstacle(BenchTask.TLB_MISSES));
        }
    },
    ALLOCATOR("the allocator of native memory: glibc, jemalloc, tcmalloc", BenchTask.PIPELINE) {
        @Override
        public ExperimentArms arms() {
            ExperimentArms arms = new ExperimentArms();
            preload(arms, "jemalloc", "libjemalloc.so.2", "libjemalloc2");
            preload(arms, "tcmalloc", "libtcmalloc_minimal.so.4", "libtcmalloc-minimal4");
            return arms;
        }
    },
    GC_THREADS("two collector threads or 32, against the JVM's own choice", BenchTask.COLLECT) {
        @Override
        public ExperimentArms arms() {
            return new ExperimentArms()
                    .add("two", "-XX:ParallelGCThreads=2")
                    .add("thirty-two", "-XX:ParallelGCThreads=32");
        }
    },
    ALIGNMENT("a lock word across two cache lines, against an aligned one", BenchTask.ADD) {
        @Override
        public ExperimentArms arms() {
            String whyNot = Obstacles.wordsAcrossLines();
            String across = "-D" + Alignment.OFFSET + "=" + Alignment.ACROSS_LINES;
            return new ExperimentArms()
                    .add("in-line", "-D" + Alignment.OFFSET + "=4", whyNot)
                    .add("across-lines", across, whyNot)
                    .add(
                            "unmitigated",
                            across + " sysctl:kernel.split_lock_mitigate=0",
                            whyNot.isEmpty()
                                    ? Obstacles.write(Path.of("/proc/sys/kernel/split_lock_mitigate"))
                                    : whyNot);
        }
    },
    ROLL("what the roll of the journal costs the receipt thread", BenchTask.ROLL) {
        @Override
        public ExperimentArms arms() {
            return new ExperimentArms().add("each-second", "-D" + ServiceRolls.PERIOD + "=second");
        }
    },
    DESCRIPTORS(
            "no file can be opened while files roll: a limit of open files that is reached", BenchTask.DESCRIPTORS) {
        @Override
        public ExperimentArms arms() {
            return new ExperimentArms()
                    .add("limit", Setting.LIMIT + "nofile=" + OPEN_FILES, Obstacles.program("prlimit", "util-linux"));
        }
    },
    READ_AHEAD("how far the kernel reads ahead of the writer of the journal", BenchTask.JOURNAL) {
        @Override
        public ExperimentArms arms() {
            Optional<Path> file = Obstacles.readAheadFile();
            String whyNot =
                    file.map(Obstacles::write).orElse("the disk of the temporary directory has no read_ahead_kb");
            String unadvised = "-D" + Journal.Context.RANDOM_ACCESS_PROPERTY + "=false";
            ExperimentArms arms = new ExperimentArms().add("not-advised", unadvised);
            for (int kib : List.of(128, 8192)) {
                String setting = "file:" + file.map(Path::toString).orElse("/sys/none") + "=" + kib;
                arms.add(kib + "-kib", setting, whyNot);
                arms.add(kib + "-kib-not-advised", setting + " " + unadvised, whyNot);
            }
            return arms;
        }
    },
    HAND_OVER("how a thread waits for the next message, against Agrona's back-off", BenchTask.HAND_OVER) {
        @Override
        public ExperimentArms arms() {
            ExperimentArms arms = new ExperimentArms();
            for (HandOver.Wait wait : HandOver.Wait.values()) {
                if (wait != HandOver.Wait.BACKOFF) {
                    arms.add(wait.label(), "-D" + HandOver.WAIT + "=" + wait.label());
                }
            }
            return arms;
        }
    },
    FAIRNESS("who waits for a lock, and for how long: fair lock, monitor, barging lock", BenchTask.LOCK) {
        @Override
        public ExperimentArms arms() {
            return new ExperimentArms()
                    .add("fair", "-D" + LockFairness.LOCK + "=" + LockFairness.Kind.FAIR.label())
                    .add("monitor", "-D" + LockFairness.LOCK + "=" + LockFairness.Kind.MONITOR.label());
        }
    },
    DIRECT_IO("writing past the page cache, or dropping its pages behind the writer", BenchTask.WRITE) {
        @Override
        public ExperimentArms arms() {
            ExperimentArms arms = new ExperimentArms();
            for (String way : List.of("direct", "behind", "uncached")) {
                arms.add(
                        way,
                        "-D" + DirectIo.WRITE + "=" + way,
                        DirectIo.whyNot(way).orElse(""));
            }
            return arms;
        }
    },
    PROCESSORS("the processors that the JVM believes to have, against those that it gets", BenchTask.PIPELINE) {
        @Override
        public ExperimentArms arms() {
            List<Integer> allowed = ThreadAffinity.allowed();
            return new ExperimentArms()
                    .add("one", "-XX:ActiveProcessorCount=1")
                    .add("sixty-four", "-XX:ActiveProcessorCount=64")
                    .add(
                            "quota",
                            Setting.PROCESSORS + "quota=" + (allowed.size() + 1) / 2.0,
                            ProcessorGroup.obstacle(CgroupPaths.CPU))
                    .add(
                            "one-of-set",
                            Setting.PROCESSORS + "set=" + allowed.get(0),
                            ProcessorGroup.obstacle(CgroupPaths.CPUSET));
        }
    };

    /** Huge pages of 2 MiB for the heap and what the JVM has beside it. */
    private static final int RESERVED_PAGES = BenchTask.HEAP_MIB / 2 + 256;

    /** More than the service has open, and fewer than it would have with all clients of the benchmark. */
    private static final int OPEN_FILES = 512;

    private static final String HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/";

    private final String summary;
    private final BenchTask task;

    Experiment(String summary, BenchTask task) {
        this.summary = summary;
        this.task = task;
    }

    /** Returns the arms for this machine. */
    public abstract ExperimentArms arms();

    /** Returns the word of the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what is compared. */
    public String summary() {
        return summary;
    }

    /** Returns the task that each arm runs. */
    public BenchTask task() {
        return task;
    }

    /**
     * Returns the experiment of a word.
     *
     * @throws IllegalArgumentException there is none; the message names those that there are
     */
    public static Experiment of(String label) {
        return Arrays.stream(values())
                .filter(experiment -> experiment.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no experiment '" + label + "'; there are: "
                        + String.join(
                                ", ",
                                Arrays.stream(values()).map(Experiment::label).toList())));
    }

    private static void preload(ExperimentArms arms, String name, String library, String debianPackage) {
        Path file = Obstacles.library(library);
        arms.add(name, "LD_PRELOAD=" + file, Obstacles.library(file, debianPackage));
    }
}
