package org.naklab.lab.replica.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import org.naklab.lab.core.KernelFields;
import org.naklab.lab.process.ProcessEvent;

/** Accounts for the processor time and the memory of this process, and for the time that its start took, by {@code /proc/self/status}. One thread. */
final class ResourceAccountant {
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
            KernelFields status = KernelFields.read(KernelFields.OWN_STATUS);
            return new ProcessEvent.ResourcesUsed(
                    System.nanoTime(),
                    startMs,
                    cpuMs() - startCpuMs,
                    status.bytes("RssAnon") + status.bytes("RssShmem"),
                    status.bytes("VmLck"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the memory of this process", e);
        }
    }
}
