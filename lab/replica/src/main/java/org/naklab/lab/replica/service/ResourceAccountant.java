package org.naklab.lab.replica.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.naklab.lab.process.ProcessEvent;

/** Accounts for the processor time and the memory of this process, and for the time that its start took, by {@code /proc/self/status}. One thread. */
final class ResourceAccountant {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int BYTES_PER_UNIT = 1024;

    private long startMs;
    private long startCpuMs;

    /** Notes that the process is ready: the processor time until then belongs to its start. */
    void onReady() {
        startMs = ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()).toMillis())
                .orElse(0L);
        startCpuMs = cpuMs();
    }

    private static long cpuMs() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toMillis();
    }

    /** Returns the account so far. */
    ProcessEvent.ResourcesUsed account() {
        try {
            List<String> status = Files.readAllLines(STATUS);
            return new ProcessEvent.ResourcesUsed(
                    System.nanoTime(),
                    startMs,
                    cpuMs() - startCpuMs,
                    bytes(status, "RssAnon:") + bytes(status, "RssShmem:"),
                    bytes(status, "VmLck:"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the memory of this process", e);
        }
    }

    /** The kernel gives these figures in kB. */
    private static long bytes(List<String> status, String key) {
        return status.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_UNIT)
                .findFirst()
                .orElse(0);
    }
}
