package org.naklab.lab.instruments.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Numbers that the kernel is set to. */
public final class KernelSetting {
    private KernelSetting() {}

    /** Returns the largest SO_RCVBUF that the kernel grants, bytes; empty where it does not report it. */
    public static OptionalLong rmemMaxBytes() {
        return read(Path.of("/proc/sys/net/core/rmem_max"));
    }

    /** Such a file gives all of itself to the first read and nothing to the second, so that read must be large enough. */
    static OptionalLong read(Path file) {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String line = reader.readLine();
            return line == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(line.strip()));
        } catch (IOException | NumberFormatException e) {
            // Not this kernel's; the caller says what it does without.
            return OptionalLong.empty();
        }
    }
}
