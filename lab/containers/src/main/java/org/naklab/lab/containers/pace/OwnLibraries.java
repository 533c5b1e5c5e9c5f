package org.naklab.lab.containers.pace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.core.LabException;

/**
 * A process's own copy of libc and of the library that is bound late, as {@code own-libraries} makes it in a container: the kernel evicts no page that another process maps too.
 *
 * @param directory of the copies
 */
public record OwnLibraries(Path directory) {
    private static final Path MAPS = Path.of("/proc/self/maps");
    /** Small blocks make small folios in the page cache, of which the cold ones can be evicted without the hot ones. */
    private static final int BLOCK_BYTES = 4096;

    /** Copies the libraries into a directory, which is created. */
    public static OwnLibraries copyTo(Path directory) {
        try {
            Files.createDirectories(directory);
            NativeLibraries.unpackTo(directory);
            copy(libc(), directory.resolve("libc.so.6"));
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    sync(file);
                }
            }
            return new OwnLibraries(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy libraries to " + directory, e);
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

    private static void copy(Path from, Path to) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (InputStream in = Files.newInputStream(from);
                FileChannel out = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int read = in.readNBytes(block, 0, BLOCK_BYTES);
                    read > 0;
                    read = in.readNBytes(block, 0, BLOCK_BYTES)) {
                ByteBuffer buffer = ByteBuffer.wrap(block, 0, read);
                while (buffer.hasRemaining()) {
                    int unused = out.write(buffer);
                }
            }
        }
    }

    /** A page that is not on disk yet cannot be evicted. */
    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }
}
