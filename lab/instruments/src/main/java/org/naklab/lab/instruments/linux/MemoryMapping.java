package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One line of {@code /proc/PID/maps}.
 *
 * <pre>
 * 7f1c2a000000-7f1c2a028000 r--p 00000000 fe:00 1234    /usr/lib/x86_64-linux-gnu/libc.so.6
 * begin        end          rights offset device inode  path
 * </pre>
 *
 * @param begin the first address
 * @param end the address after the last one
 * @param permissions four letters
 * @param offset in the file, bytes
 * @param path empty: anonymous memory
 */
public record MemoryMapping(long begin, long end, String permissions, long offset, long inode, String path) {
    private static final int PATH_WORD = 5;

    /**
     * Reads all mappings of a process, in the order of their addresses.
     *
     * @param process its directory in {@code /proc}, or a copy of it
     * @throws IOException if the process has ended, or may not be looked at
     */
    public static List<MemoryMapping> of(Path process) throws IOException {
        return Files.readString(process.resolve("maps"), StandardCharsets.ISO_8859_1)
                .lines()
                .flatMap(line -> Stream.ofNullable(parse(line)))
                .toList();
    }

    private static @Nullable MemoryMapping parse(String line) {
        String[] words = line.split(" +", PATH_WORD + 1);
        if (words.length < PATH_WORD) {
            return null;
        }
        int dash = words[0].indexOf('-');
        return new MemoryMapping(
                Long.parseUnsignedLong(words[0], 0, dash, 16),
                Long.parseUnsignedLong(words[0], dash + 1, words[0].length(), 16),
                words[1],
                Long.parseUnsignedLong(words[2], 16),
                Long.parseLong(words[4]),
                words.length > PATH_WORD ? words[PATH_WORD] : "");
    }

    /** Returns whether an address is in it. */
    public boolean contains(long address) {
        return Long.compareUnsigned(address, begin) >= 0 && Long.compareUnsigned(address, end) < 0;
    }

    /** Returns whether it is of a file. */
    public boolean isFile() {
        return path.startsWith("/");
    }

    /** Returns whether the process may write to it. */
    public boolean isWritable() {
        return permissions.indexOf('w') >= 0;
    }

    /** Returns the addresses as the kernel writes them, which is the name in {@code /proc/PID/map_files}. */
    public String range() {
        return Long.toHexString(begin) + "-" + Long.toHexString(end);
    }
}
