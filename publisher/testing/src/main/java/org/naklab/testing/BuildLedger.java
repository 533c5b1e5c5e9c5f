package org.naklab.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Keeps lines of all test processes of a build in one file. The first line names the build; another build begins the file anew, unless it
 * goes on where the last one ended. */
final class BuildLedger {
    private final Path file;
    private final String build;

    BuildLedger(Path file, String build) {
        this.file = file;
        this.build = build;
    }

    /** Returns the ledger of that name of the build that runs. */
    static BuildLedger ofThisBuild(String name) {
        return new BuildLedger(Builds.directory().resolve(name), Builds.id());
    }

    Path file() {
        return file;
    }

    /** Adds a line, and returns all lines of the build. */
    List<String> append(String line) throws IOException {
        synchronized (BuildLedger.class) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (FileChannel channel = FileChannel.open(
                            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                assert lock.isValid();
                if (!isOfThisBuild(read(channel))) {
                    channel.truncate(0);
                    write(channel, build);
                }
                write(channel, line.replace('\n', ' '));
                return read(channel).lines().skip(1).toList();
            }
        }
    }

    private boolean isOfThisBuild(String text) {
        return text.lines()
                .findFirst()
                .filter(first -> first.equals(build) || build.equals(Builds.RESUMED))
                .isPresent();
    }

    /** By the channel that has the lock: another one of this process would give the lock up when it is closed. */
    private static String read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
        channel.position(0);
        int count = 0;
        while (bytes.hasRemaining() && count >= 0) {
            count = channel.read(bytes);
        }
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    private static void write(FileChannel channel, String line) throws IOException {
        channel.position(channel.size());
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + '\n');
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
