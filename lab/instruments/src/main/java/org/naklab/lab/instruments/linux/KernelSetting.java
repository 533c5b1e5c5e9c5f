package org.naklab.lab.instruments.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Numbers that the kernel is set to. */
public final class KernelSetting {
    private KernelSetting() {}

    /** Returns the largest SO_RCVBUF that the kernel grants, bytes; empty where it does not report it. */
    public static OptionalLong rmemMaxBytes() {
        return read(Path.of("/proc/sys/net/core/rmem_max"));
    }

    /**
     * Returns what a file of the kernel contains, without the blanks at both ends. A file below {@code /proc/sys} gives its number to the first read and nothing to
     * the next one, so that the first one must be large enough: {@link Files#readString} returns the first digit.
     *
     * @throws IOException it cannot be read
     */
    public static String text(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return reader.lines().collect(Collectors.joining("\n")).strip();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    static OptionalLong read(Path file) {
        try {
            return OptionalLong.of(Long.parseLong(text(file)));
        } catch (IOException | NumberFormatException e) {
            // Not this kernel's; the caller says what it does without.
            return OptionalLong.empty();
        }
    }
}
