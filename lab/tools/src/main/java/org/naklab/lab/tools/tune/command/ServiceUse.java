package org.naklab.lab.tools.tune.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.RunProgress;

/** Reads what the process of the service needs while a run goes on; the last reading counts. */
final class ServiceUse implements RunListener {
    private static final long BYTES_PER_KB = 1024;

    private volatile long pid;
    private volatile long startMs;
    private volatile long cpuMs;
    private volatile long memoryBytes;
    private volatile long hugePageBytes;

    @Override
    public void onReady(String process, long itsPid, int grantedReceiveBufferBytes) {
        if (process.equals(ProcessNames.SERVICE)) {
            pid = itsPid;
            startMs = ProcessHandle.of(itsPid)
                    .flatMap(handle -> handle.info().startInstant())
                    .map(start -> Duration.between(start, Instant.now()).toMillis())
                    .orElse(0L);
        }
    }

    @Override
    public void onProgress(RunProgress progress) {
        Path proc = ProcPaths.of(pid);
        try {
            List<String> status = Files.readAllLines(proc.resolve("status"));
            List<String> memory = Files.readAllLines(proc.resolve("smaps_rollup"));
            memoryBytes = bytes(status, "RssAnon:") + bytes(status, "RssShmem:") + bytes(status, "HugetlbPages:");
            hugePageBytes = bytes(memory, "AnonHugePages:")
                    + bytes(memory, "Private_Hugetlb:")
                    + bytes(memory, "Shared_Hugetlb:")
                    + bytes(memory, "ShmemPmdMapped:");
            cpuMs = ProcessHandle.of(pid)
                    .flatMap(handle -> handle.info().totalCpuDuration())
                    .map(Duration::toMillis)
                    .orElse(cpuMs);
        } catch (IOException ended) {
            // The service has ended: the reading before counts.
            return;
        }
    }

    private static long bytes(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB)
                .findFirst()
                .orElse(0);
    }

    long startMs() {
        return startMs;
    }

    long cpuMs() {
        return cpuMs;
    }

    long memoryBytes() {
        return memoryBytes;
    }

    long hugePageBytes() {
        return hugePageBytes;
    }
}
