package org.naklab.lab.containers.pace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * A process's own copy of libc and of the library that is bound late, as {@code own-libraries} makes it in a container: the kernel evicts no page that another process maps too.
 *
 * @param directory of the copies
 */
public record OwnLibraries(Path directory) {
    private static final Path MAPS = Path.of("/proc/self/maps");

    /**
     * Joins control groups and then copies each library: the page cache of a copy is charged to the groups of who writes it. In small blocks: the page cache then keeps small
     * folios, of which the cold ones can be evicted without the hot ones. A page that is not on disk yet cannot be evicted.
     */
    private static final String COPY = "set -eu; to=$1; shift; "
            + "while [ \"$1\" != -- ]; do " + CgroupPaths.JOIN + "; shift; done; shift; "
            + "for library; do dd if=\"$library\" of=\"$to/${library##*/}\" bs=4k conv=fsync status=none; done";

    /** Copies the libraries into a directory, which is created. */
    public static OwnLibraries copyTo(Path directory) {
        OwnLibraries libraries = new OwnLibraries(directory);
        libraries.copy(List.of());
        return libraries;
    }

    /**
     * Copies the libraries into the directory, which is created.
     *
     * @param groups directories of the control groups to which the memory of the copies is charged; empty: to those of this process
     * @throws LabException if they cannot be copied
     */
    public void copy(List<Path> groups) {
        Path built = directory.resolveSibling(directory.getFileName() + "-built");
        try {
            Files.createDirectories(directory);
            Files.createDirectories(built);
            NativeLibraries.unpackTo(built);
            List<String> command = new ArrayList<>(List.of("sh", "-c", COPY, "sh", directory.toString()));
            groups.forEach(group -> command.add(group.toString()));
            command.add("--");
            command.add(libc().toString());
            try (Stream<Path> libraries = Files.list(built)) {
                libraries.map(Path::toString).forEach(command::add);
            }
            run(command);
            FileTrees.delete(built);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy libraries to " + directory, e);
        }
    }

    private static void run(List<String> command) throws IOException {
        Process copying = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            copying.getOutputStream().close();
            String output = new String(copying.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (copying.waitFor() != 0) {
                throw new LabException("cannot copy libraries: " + output);
            }
        } catch (InterruptedException e) {
            copying.destroy();
            Thread.currentThread().interrupt();
            throw new LabException("interrupted", e);
        }
    }

    /** Returns the variables of a process that uses the copies. */
    public Map<String, String> environment() {
        return Map.of("LD_LIBRARY_PATH", directory.toAbsolutePath().toString());
    }

    /** Returns the arguments of a JVM that uses the copies. */
    public List<String> jvmArguments() {
        return List.of("-D" + NativeLibraries.DIRECTORY_PROPERTY + "=" + directory.toAbsolutePath());
    }

    private static Path libc() throws IOException {
        try (Stream<String> maps = Files.lines(MAPS)) {
            return maps.map(line -> line.substring(line.lastIndexOf(' ') + 1))
                    .filter(path -> path.endsWith("/libc.so.6"))
                    .map(Path::of)
                    .findFirst()
                    .orElseThrow(() -> new LabException("this JVM does not use glibc's libc.so.6"));
        }
    }
}
