package org.naklab.lab.instruments.kernel.symbols;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is mapped at the addresses of a process, by {@code /proc/PID/maps}. It is a snapshot.
 *
 * <pre>
 * 7f1c2a000000-7f1c2a028000 r--p 00000000 fe:00 1234    /usr/lib/x86_64-linux-gnu/libc.so.6
 * begin        end          rights offset device inode  path
 * </pre>
 */
public final class ProcessMappings {
    private static final int PATH_WORD = 5;

    private final Path process;
    private final List<Mapping> mappings;

    private record Mapping(long begin, long end, String range, long offset, String path) {
        boolean contains(long address) {
            return Long.compareUnsigned(address, begin) >= 0 && Long.compareUnsigned(address, end) < 0;
        }

        boolean isFile() {
            return path.startsWith("/");
        }
    }

    private ProcessMappings(Path process, List<Mapping> mappings) {
        this.process = process;
        this.mappings = mappings;
    }

    /** Reads the mappings of a process; none when it is gone, or may not be looked at. */
    public static Optional<ProcessMappings> ofProcess(long pid) {
        return read(Path.of("/proc", Long.toString(pid)));
    }

    /** Reads {@code maps} of a process's directory in {@code /proc}, or of a copy of it. */
    public static Optional<ProcessMappings> read(Path process) {
        List<Mapping> mappings = new ArrayList<>();
        try {
            for (String line : Files.readString(process.resolve("maps"), StandardCharsets.ISO_8859_1)
                    .split("\n", -1)) {
                Mapping mapping = parse(line);
                if (mapping != null) {
                    mappings.add(mapping);
                }
            }
        } catch (IOException goneOrNotPermitted) {
            return Optional.empty();
        }
        return mappings.isEmpty() ? Optional.empty() : Optional.of(new ProcessMappings(process, mappings));
    }

    private static @Nullable Mapping parse(String line) {
        String[] words = line.split(" +", PATH_WORD + 1);
        if (words.length < PATH_WORD) {
            return null;
        }
        String[] range = words[0].split("-", -1);
        String path = words.length > PATH_WORD ? words[PATH_WORD] : "";
        return new Mapping(
                Long.parseUnsignedLong(range[0], 16),
                Long.parseUnsignedLong(range[1], 16),
                words[0],
                Long.parseUnsignedLong(words[2], 16),
                path);
    }

    /** Returns what is mapped at an address; none when nothing is. */
    public Optional<MappedPlace> at(long address) {
        return mappings.stream()
                .filter(mapping -> mapping.contains(address))
                .findFirst()
                .map(mapping -> placeIn(mapping, address));
    }

    private MappedPlace placeIn(Mapping mapping, long address) {
        if (!mapping.isFile()) {
            return new MappedPlace(mapping.path(), 0, "");
        }
        long offset = mapping.offset() + address - mapping.begin();
        return new MappedPlace(mapping.path(), offset, section(mapping, offset));
    }

    /** Opens the file by its mapping, which works for deleted files, too; by its path in the process's root if that is not permitted. */
    private String section(Mapping mapping, long offset) {
        List<Path> ways = List.of(
                process.resolve("map_files").resolve(mapping.range()),
                process.resolve("root").resolve(mapping.path().substring(1)));
        for (Path way : ways) {
            Optional<ElfSections> sections = ElfSections.read(way);
            if (sections.isPresent()) {
                return sections.get().at(offset);
            }
        }
        return "";
    }
}
