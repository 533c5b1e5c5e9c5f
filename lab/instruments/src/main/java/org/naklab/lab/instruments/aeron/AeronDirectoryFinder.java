package org.naklab.lab.instruments.aeron;

import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.linux.MemoryMapping;

/** Finds the Aeron drivers that a process runs or uses: those whose command-and-control file it has mapped. */
final class AeronDirectoryFinder {
    private static final String SUFFIX = '/' + CncFileDescriptor.CNC_FILE;

    private AeronDirectoryFinder() {}

    /** Returns the directories as this process can reach them, through the root of the other mount namespace if necessary. */
    static Set<Path> find(long pid) {
        Set<Path> directories = new TreeSet<>();
        Path process = ProcPaths.of(pid);
        try {
            for (MemoryMapping mapping : MemoryMapping.of(process)) {
                String path = mapping.path();
                if (mapping.isFile() && path.endsWith(SUFFIX)) {
                    directories.add(
                            ForeignFile.reachable(pid, Path.of(path.substring(0, path.length() - SUFFIX.length()))));
                }
            }
        } catch (NoSuchFileException gone) {
            return Set.of();
        } catch (IOException e) {
            throw new DetectException("cannot read the mappings of " + process + ": " + e.getMessage(), e);
        }
        return directories;
    }
}
