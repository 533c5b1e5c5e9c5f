package org.naklab.lab.bench.tune;

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
import org.jspecify.annotations.Nullable;
import org.naklab.lab.bench.tune.workload.WorkloadResult;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Median;
import org.naklab.lab.instruments.jvm.SettingProof;

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
        BenchTask task = BenchTask.of(args[0]);
        WorkloadResult result = task.run(Long.parseLong(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        SettingProof proof = proofOf(Arrays.asList(args).subList(4, args.length));
        System.out.println(Json.line(sample(result, startMs, proof)));
    }

    private static Sample sample(WorkloadResult result, long startMs, SettingProof settings) throws IOException {
        List<String> memory = Files.readAllLines(Path.of("/proc/self/smaps_rollup"));
        List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
        long hugeBytes = bytes(memory, "AnonHugePages:")
                + bytes(memory, "Private_Hugetlb:")
                + bytes(memory, "Shared_Hugetlb:")
                + bytes(memory, "ShmemPmdMapped:");
        List<String> proof = new ArrayList<>(settings.proof());
        proof.addAll(result.proof());
        proof.add(hugeBytes / BYTES_PER_KB + " KiB in huge pages (smaps)");
        return new Sample(
                Median.of(result.values().stream().mapToDouble(Double::doubleValue)),
                startMs,
                ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis(),
                bytes(status, "RssAnon:") + bytes(status, "RssShmem:") + bytes(status, "HugetlbPages:"),
                hugeBytes,
                result.figures(),
                proof,
                settings.missing());
    }

    private static long bytes(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB)
                .findFirst()
                .orElse(0);
    }

    private static SettingProof proofOf(List<String> settings) throws IOException {
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        SettingProof proof = new SettingProof(
                name -> valueOf(jvm, name), ManagementFactory.getRuntimeMXBean().getInputArguments());
        String maps = Files.readString(Path.of("/proc/self/maps"));
        for (String text : settings) {
            Setting setting = Setting.parse(text);
            if (setting instanceof Setting.JvmFlag flag) {
                proof.flag(flag.text());
            } else if (setting instanceof Setting.Variable variable) {
                proof.variable(variable.name(), variable.value(), System.getenv(), maps);
            }
        }
        return proof;
    }

    private static @Nullable String valueOf(HotSpotDiagnosticMXBean jvm, String name) {
        try {
            return jvm.getVMOption(name).getValue();
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }
}
