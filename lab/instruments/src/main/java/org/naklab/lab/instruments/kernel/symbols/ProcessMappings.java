package org.naklab.lab.instruments.kernel.symbols;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.linux.MemoryMapping;

/**
 * Finds what is mapped at the addresses of a process, by {@code /proc/PID/maps}. It is a snapshot. One thread.
 */
public final class ProcessMappings {
    private final Path process;
    private final List<MemoryMapping> mappings;
    private final Map<MemoryMapping, Optional<ElfSections>> sections = new HashMap<>();

    private ProcessMappings(Path process, List<MemoryMapping> mappings) {
        this.process = process;
        this.mappings = mappings;
    }

    /** Reads the mappings of a process; none when it is gone, or may not be looked at. */
    public static Optional<ProcessMappings> ofProcess(long pid) {
        return read(ProcPaths.of(pid));
    }

    /** Reads {@code maps} of a process's directory in {@code /proc}, or of a copy of it. */
    public static Optional<ProcessMappings> read(Path process) {
        try {
            List<MemoryMapping> mappings = MemoryMapping.of(process);
            return mappings.isEmpty() ? Optional.empty() : Optional.of(new ProcessMappings(process, mappings));
        } catch (IOException goneOrNotPermitted) {
            return Optional.empty();
        }
    }

    /** Returns what is mapped at an address; none when nothing is. */
    public Optional<MappedPlace> at(long address) {
        return mappings.stream()
                .filter(mapping -> mapping.contains(address))
                .findFirst()
                .map(mapping -> placeIn(mapping, address));
    }

    private MappedPlace placeIn(MemoryMapping mapping, long address) {
        if (!mapping.isFile()) {
            return new MappedPlace(mapping.path(), 0, "");
        }
        long offset = mapping.offset() + address - mapping.begin();
        return new MappedPlace(mapping.path(), offset, section(mapping, offset));
    }

    private String section(MemoryMapping mapping, long offset) {
        return sections.computeIfAbsent(mapping, this::sectionsOf)
                .map(all -> all.at(offset, mapping.isWritable()))
                .orElse("");
    }

    private Optional<ElfSections> sectionsOf(MemoryMapping mapping) {
        return ForeignFile.waysTo(process, mapping).stream()
                .map(ElfSections::read)
                .flatMap(Optional::stream)
                .findFirst();
    }
}
