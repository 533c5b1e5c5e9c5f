package org.naklab.lab.replica.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.linux.CachedPages;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.process.ProcessEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accounts for what a shortage of memory in its control group costs this process. One thread. */
final class MemoryAccountant {
    private static final Logger LOGGER = LoggerFactory.getLogger(MemoryAccountant.class);
    private static final String TOTAL = "total=";
    private static final String REFAULTS = "workingset_refault_file";
    private static final String MAJOR_FAULTS = "pgmajfault";
    /** Memory is charged by the batch and the folio: at the limit, the use stays up to that much below. */
    private static final long FOLIO_BYTES = 2L << 20;

    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CgroupPaths group;
    private final Path journal;
    private final long refaultsBefore;
    private final long majorFaultsBefore;
    private final long hitsBefore;
    private final long pressureBeforeUs;
    private long lookedAtNs;
    private long lowestFreeBytes = Long.MAX_VALUE;
    private long limitBytes;

    /**
     * Begins the account.
     *
     * @throws LabException if no control group of memory is visible
     */
    MemoryAccountant(Path journal) {
        this.journal = journal;
        group = CgroupPaths.ofProcess(ProcessHandle.current().pid())
                .orElseThrow(() -> new LabException("no memory control group of this process is visible"));
        Map<String, Long> statistics = group.memoryStatistics();
        refaultsBefore = statistics.getOrDefault(REFAULTS, 0L);
        majorFaultsBefore = statistics.getOrDefault(MAJOR_FAULTS, 0L);
        hitsBefore = group.memoryLimitHits();
        pressureBeforeUs = pressureUs();
    }

    /** Looks how much is free; called often. */
    void look() {
        long nowNs = System.nanoTime();
        if (nowNs - lookedAtNs < PERIOD_NS) {
            return;
        }
        lookedAtNs = nowNs;
        ContainerMemory memory = ContainerMemory.read();
        if (memory != null) {
            limitBytes = memory.limitBytes();
            lowestFreeBytes = Math.min(lowestFreeBytes, memory.limitBytes() - memory.usedBytes());
        }
    }

    /** Returns the account so far. */
    ProcessEvent.MemoryAccounted account() {
        Map<String, Long> statistics = group.memoryStatistics();
        long journalBytes = 0;
        long cachedBytes = 0;
        try {
            for (Path file : journalFiles()) {
                journalBytes += Files.size(file);
                cachedBytes += CachedPages.bytesOf(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot see which pages of " + journal + " are in memory", e);
        }
        return new ProcessEvent.MemoryAccounted(
                System.nanoTime(),
                limitBytes,
                limitBytes == 0 ? 0 : lowestFreeBytes,
                hits(),
                statistics.getOrDefault(REFAULTS, 0L) - refaultsBefore,
                statistics.getOrDefault(MAJOR_FAULTS, 0L) - majorFaultsBefore,
                journalBytes,
                cachedBytes,
                pressureMs());
    }

    /** Returns how long at least one thread waited for memory since the account began; -1 if the kernel does not tell. */
    private double pressureMs() {
        long nowUs = pressureUs();
        return nowUs < 0 || pressureBeforeUs < 0 ? -1 : (nowUs - pressureBeforeUs) / Units.US_PER_MS;
    }

    private long pressureUs() {
        try (Stream<String> lines = Files.lines(group.memoryPressure())) {
            return lines.filter(line -> line.startsWith("some "))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(TOTAL) + TOTAL.length())))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | UncheckedIOException e) {
            LOGGER.info("the kernel does not account for the pressure of memory: {}", e.toString());
            return -1;
        }
    }

    private List<Path> journalFiles() throws IOException {
        try (Stream<Path> files = Files.list(journal)) {
            return files.filter(file -> file.toString().endsWith(".cq4")).toList();
        }
    }

    /** Where the kernel does not count all hits, the group was at the limit all the same when nothing was free. */
    private long hits() {
        long counted = group.memoryLimitHits() - hitsBefore;
        boolean isSeen = !group.countsAllLimitHits() && limitBytes > 0 && lowestFreeBytes <= FOLIO_BYTES;
        return counted == 0 && isSeen ? 1 : counted;
    }
}
