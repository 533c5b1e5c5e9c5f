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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.bench.tune.workload.WorkloadResult;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Median;

/** Main class of the process of an arm: runs a task, looks whether the arm's settings are in effect, and prints a {@link Sample} as one line of JSON. */
final class BenchTaskProcess {
    private static final Pattern SWITCH = Pattern.compile("-XX:([+-])(\\w+)");
    private static final Pattern VALUE = Pattern.compile("-XX:(\\w+)=(.+)");
    private static final int BYTES_PER_KB = 1024;
    private static final String PRELOAD = "LD_PRELOAD";

    private final List<String> proof = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

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
        BenchTaskProcess process = new BenchTaskProcess();
        for (String setting : Arrays.asList(args).subList(4, args.length)) {
            process.prove(Setting.parse(setting));
        }
        System.out.println(Json.line(process.sample(result, startMs)));
    }

    private Sample sample(WorkloadResult result, long startMs) throws IOException {
        List<String> memory = Files.readAllLines(Path.of("/proc/self/smaps_rollup"));
        List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
        long hugeBytes = bytes(memory, "AnonHugePages:")
                + bytes(memory, "Private_Hugetlb:")
                + bytes(memory, "Shared_Hugetlb:")
                + bytes(memory, "ShmemPmdMapped:");
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
                missing);
    }

    private static long bytes(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB)
                .findFirst()
                .orElse(0);
    }

    private void prove(Setting setting) throws IOException {
        if (setting instanceof Setting.JvmFlag flag) {
            proveFlag(flag.text());
        } else if (setting instanceof Setting.Variable variable) {
            proveVariable(variable);
        }
    }

    /** The JVM may have changed, or ignored, what it was given: it is asked. */
    private void proveFlag(String flag) {
        Matcher switched = SWITCH.matcher(flag);
        Matcher value = VALUE.matcher(flag);
        if (switched.matches()) {
            prove(flag, switched.group(2), String.valueOf(switched.group(1).equals("+")));
        } else if (value.matches()) {
            prove(flag, value.group(1), value.group(2));
        } else if (ManagementFactory.getRuntimeMXBean().getInputArguments().contains(flag)) {
            proof.add(flag + " is an argument of the JVM");
        } else {
            missing.add(flag + " is no argument of the JVM");
        }
    }

    private void prove(String flag, String name, String wanted) {
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            String actual = jvm.getVMOption(name).getValue();
            if (actual.equals(wanted) || isSameSize(actual, wanted)) {
                proof.add(name + " is " + actual);
            } else {
                missing.add(flag + ": the JVM has " + name + "=" + actual);
            }
        } catch (IllegalArgumentException unknown) {
            missing.add(flag + ": this JVM has no flag " + name);
        }
    }

    /** The JVM gives sizes in bytes; on the command line they have a unit. */
    private static boolean isSameSize(String actual, String wanted) {
        Matcher size = Pattern.compile("(\\d+)([kKmMgG])").matcher(wanted);
        if (!size.matches()) {
            return false;
        }
        int shift =
                switch (size.group(2).charAt(0)) {
                    case 'k', 'K' -> 10;
                    case 'm', 'M' -> 20;
                    default -> 30;
                };
        return actual.equals(String.valueOf(Long.parseLong(size.group(1)) << shift));
    }

    private void proveVariable(Setting.Variable variable) throws IOException {
        if (!variable.value().equals(System.getenv(variable.name()))) {
            missing.add(variable.name() + " is not in the environment");
        } else if (variable.name().equals(PRELOAD)) {
            provePreloaded(variable.value());
        } else {
            proof.add(variable + " is in the environment");
        }
    }

    private void provePreloaded(String libraries) throws IOException {
        String maps = Files.readString(Path.of("/proc/self/maps"));
        for (String library : libraries.split("[: ]", -1)) {
            Path file = Path.of(library);
            boolean isMapped = Files.exists(file)
                    ? maps.contains(file.toRealPath().toString())
                    : maps.contains("/" + file.getFileName());
            (isMapped ? proof : missing).add(library + (isMapped ? " is mapped" : " is not mapped"));
        }
    }
}
