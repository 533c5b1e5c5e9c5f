package org.naklab.lab.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Ready-made comparisons. */
public enum Experiment {
    PAGES("pages of 4 KiB, transparent huge pages, and reserved huge pages for the heap", BenchTask.BOOK) {
        @Override
        void addArms(Arms arms) {
            arms.add("transparent", "-XX:+UseTransparentHugePages", whyNotTransparent());
            arms.add(
                    "reserved",
                    "-XX:+UseLargePages sysctl:vm.nr_hugepages=" + RESERVED_PAGES,
                    whyNotWritable(Path.of("/proc/sys/vm/nr_hugepages")));
        }
    },
    ALLOCATOR("the allocator of native memory: glibc, jemalloc, tcmalloc", BenchTask.PIPELINE) {
        @Override
        void addArms(Arms arms) {
            preload(arms, "jemalloc", "libjemalloc.so.2", "libjemalloc2");
            preload(arms, "tcmalloc", "libtcmalloc_minimal.so.4", "libtcmalloc-minimal4");
        }
    },
    READ_AHEAD("how far the kernel reads ahead on the disk of the journal", BenchTask.APPEND) {
        @Override
        void addArms(Arms arms) {
            Optional<Path> file = readAheadFile();
            for (int kib : List.of(4, 128, 8192)) {
                arms.add(
                        kib + "-kib",
                        "file:" + file.map(Path::toString).orElse("/sys/none") + "=" + kib,
                        file.map(Experiment::whyNotWritable)
                                .orElse("the disk of the temporary directory has no read_ahead_kb"));
            }
        }
    },
    PROCESSORS("the processors that the JVM believes to have", BenchTask.PIPELINE) {
        @Override
        void addArms(Arms arms) {
            arms.add("one", "-XX:ActiveProcessorCount=1", "");
            arms.add("sixty-four", "-XX:ActiveProcessorCount=64", "");
        }
    };

    /** Huge pages of 2 MiB for the heap and what the JVM has beside it. */
    private static final int RESERVED_PAGES = BenchTask.HEAP_MIB / 2 + 256;

    private static final Path LIBRARIES = Path.of(
            "/usr/lib", System.getProperty("os.arch").equals("amd64") ? "x86_64-linux-gnu" : "aarch64-linux-gnu");

    private final String summary;
    private final BenchTask task;

    /** The arms of an experiment, and those that this machine cannot run, with the reason. */
    public static final class Arms {
        private final List<Arm> possible = new ArrayList<>();
        private final Map<String, String> leftOut = new LinkedHashMap<>();

        private void add(String name, String settings, String whyNot) {
            if (whyNot.isEmpty()) {
                possible.add(Arm.parse(name + "=" + settings));
            } else {
                leftOut.put(name, whyNot);
            }
        }

        /** Returns the arms that can be run. */
        public List<Arm> possible() {
            return List.copyOf(possible);
        }

        /** Returns the reasons by the names of the arms that cannot be run. */
        public Map<String, String> leftOut() {
            return Map.copyOf(leftOut);
        }
    }

    Experiment(String summary, BenchTask task) {
        this.summary = summary;
        this.task = task;
    }

    abstract void addArms(Arms arms);

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

    /** Returns the arms for this machine. */
    public Arms arms() {
        Arms arms = new Arms();
        addArms(arms);
        return arms;
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

    private static void preload(Arms arms, String name, String library, String debianPackage) {
        Path file = LIBRARIES.resolve(library);
        arms.add(
                name,
                "LD_PRELOAD=" + file,
                Files.exists(file) ? "" : file + " is missing: install the package " + debianPackage);
    }

    private static String whyNotTransparent() {
        Path file = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        try {
            return Files.readString(file).contains("[never]") ? file + " is never" : "";
        } catch (IOException e) {
            return "this kernel has no transparent huge pages";
        }
    }

    private static String whyNotWritable(Path file) {
        return Files.isWritable(file) ? "" : file + " cannot be written: run as root";
    }

    private static Optional<Path> readAheadFile() {
        try {
            long device = ((Number) Files.getAttribute(Path.of(System.getProperty("java.io.tmpdir")), "unix:dev"))
                    .longValue();
            long major = (device >> 8) & 0xfff;
            long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
            Path block = Path.of("/sys/dev/block", major + ":" + minor).toRealPath();
            Path queue =
                    Files.exists(block.resolve("partition")) ? block.resolveSibling("queue") : block.resolve("queue");
            Path file = queue.resolve("read_ahead_kb");
            return Files.exists(file) ? Optional.of(file) : Optional.empty();
        } catch (IOException noDisk) {
            return Optional.empty();
        }
    }
}
