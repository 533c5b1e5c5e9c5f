package org.naklab.lab.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Counts the teeth of the saw that free memory draws while the kernel reclaims: short, then more again, and short once more. */
final class FreeMemorySaw {
    /** Where the memory of the service's group is short. */
    static final long SHORT_BYTES = 8L << 20;

    /** A reclaim gives back at least so much, to be seen among the readings. */
    static final long TOOTH_BYTES = 1L << 20;

    private static final String SERIES = "cgroup.mds.freeBytes";

    private FreeMemorySaw() {}

    /** Returns how often the free memory of the service's group rose by a tooth after it had been short, from a time on, CLOCK_MONOTONIC. */
    static int teeth(Path samples, long fromNs) throws IOException {
        List<Long> freeBytes = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(samples)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = line.split(",", -1);
                if (cells[1].equals(SERIES) && Long.parseLong(cells[0]) >= fromNs) {
                    freeBytes.add(Long.parseLong(cells[2]));
                }
            }
        }
        return teeth(freeBytes);
    }

    /** @param freeBytes by time */
    static int teeth(List<Long> freeBytes) {
        int teeth = 0;
        boolean isRising = false;
        long turn = Long.MAX_VALUE;
        for (long free : freeBytes) {
            turn = isRising ? Math.max(turn, free) : Math.min(turn, free);
            if (!isRising && turn < SHORT_BYTES && free - turn >= TOOTH_BYTES) {
                teeth++;
                isRising = true;
                turn = free;
            } else if (isRising && turn - free >= TOOTH_BYTES) {
                isRising = false;
                turn = free;
            }
        }
        return teeth;
    }
}
