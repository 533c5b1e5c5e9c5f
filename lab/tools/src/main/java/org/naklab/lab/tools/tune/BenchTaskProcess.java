package org.naklab.lab.tools.tune;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.KernelFields;
import org.naklab.lab.core.Median;
import org.naklab.lab.instruments.jvm.SettingProof;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.tools.tune.machine.VirtualMemoryCounts;
import org.naklab.lab.tools.tune.workload.Figure;
import org.naklab.lab.tools.tune.workload.WorkloadResult;

/** Main class of the process of an arm: runs a task, looks whether the arm's settings are in effect, and prints a {@link Sample} as one line of JSON. */
final class BenchTaskProcess {
    private static final int BYTES_PER_KB = 1024;

    private BenchTaskProcess() {}

    /**
     * Runs.
     *
     * @param args task, seed, events, rounds, and the settings
     */
    public static void main(String[] args) throws Exception {
        long startMs = ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()).toMillis())
                .orElse(0L);
        endWithInput();
        BenchTask task = BenchTask.of(args[0]);
        VirtualMemoryCounts counts = VirtualMemoryCounts.begin();
        WorkloadResult result = task.run(Long.parseLong(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        List<Figure> figures = new ArrayList<>(result.figures());
        figures.addAll(machineFigures(task, counts));
        Sample sample = sample(result, figures, startMs);
        System.out.println(Json.line(withProof(sample, Arrays.asList(args).subList(4, args.length))));
    }

    /** Ends this process when the one that started it has ended, however it ended: its end of the pipe is closed then. */
    private static void endWithInput() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nothing is ever sent.
                        }
                    } catch (IOException e) {
                        System.err.println("the input cannot be read: " + e.getMessage());
                    }
                    Runtime.getRuntime().halt(1);
                },
                "end-with-input");
        watch.setDaemon(true);
        watch.start();
    }

    private static List<Figure> machineFigures(BenchTask task, VirtualMemoryCounts counts) throws IOException {
        return switch (task) {
            case BOOK, WALK -> counts.figures();
            case PIPELINE -> ProcessorShare.own().figures();
            default -> List.of();
        };
    }

    private static Sample sample(WorkloadResult result, List<Figure> figures, long startMs) throws IOException {
        KernelFields memory = KernelFields.read(Path.of("/proc/self/smaps_rollup"));
        KernelFields status = KernelFields.read(KernelFields.OWN_STATUS);
        long hugeBytes = memory.bytes("AnonHugePages")
                + memory.bytes("Private_Hugetlb")
                + memory.bytes("Shared_Hugetlb")
                + memory.bytes("ShmemPmdMapped");
        List<String> proof = new ArrayList<>(result.proof());
        proof.add(hugeBytes / BYTES_PER_KB + " KiB in huge pages (smaps)");
        return new Sample(
                Median.of(result.values().stream().mapToDouble(Double::doubleValue)),
                new Sample.Cost(
                        startMs,
                        ProcessHandle.current()
                                .info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toMillis(),
                        status.bytes("RssAnon") + status.bytes("RssShmem") + status.bytes("HugetlbPages"),
                        hugeBytes),
                figures,
                new Sample.Effect(proof, List.of()),
                List.of());
    }

    private static Sample withProof(Sample sample, List<String> settings) throws IOException {
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        SettingProof ofJvm = new SettingProof(
                name -> valueOf(jvm, name), ManagementFactory.getRuntimeMXBean().getInputArguments());
        List<String> proof = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        OwnLimits limits = new OwnLimits(proof, missing);
        String maps = Files.readString(Path.of("/proc/self/maps"));
        for (String text : settings) {
            Setting setting = Setting.parse(text);
            if (setting instanceof Setting.JvmFlag flag) {
                ofJvm.flag(flag.text());
            } else if (setting instanceof Setting.Variable variable) {
                ofJvm.variable(variable.name(), variable.value(), System.getenv(), maps);
            } else if (setting instanceof Setting.Limit limit) {
                limits.limit(limit);
            } else if (setting instanceof Setting.Processors processors) {
                limits.processors(processors, ProcessorShare.own());
            } else if (setting instanceof Setting.MemoryLimit memory) {
                limits.memory(
                        memory,
                        CgroupPaths.ofProcess(ProcessHandle.current().pid())
                                .map(CgroupPaths::memoryLimitBytes)
                                .orElse(OptionalLong.empty()));
            }
        }
        proof.addAll(0, ofJvm.proof());
        missing.addAll(0, ofJvm.missing());
        return sample.with(proof, missing);
    }

    private static @Nullable String valueOf(HotSpotDiagnosticMXBean jvm, String name) {
        try {
            return jvm.getVMOption(name).getValue();
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }
}
