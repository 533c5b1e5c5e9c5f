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

/**
 * Keeps the live runs of a build in one file, a line a run: test, attempt, {@code last} or {@code again}, and what happened to the machine. The first line names the
 * build; another build begins the file anew. Of all runs 10 % may be made again, and 3 in any case.
 */
final class LiveRunLedger {
    static final int LEAST_ALLOWED = 3;
    private static final int RUNS_PER_REPETITION = 10;

    private final Path file;
    private final String build;

    LiveRunLedger(Path file, String build) {
        this.file = file;
        this.build = build;
    }

    static LiveRunLedger ofThisBuild() {
        return new LiveRunLedger(Builds.directory().resolve("live-runs.csv"), Builds.id());
    }

    void recordLast(String test, int attempts, Disturbance disturbance) throws IOException {
        append(test, attempts, "last", disturbance);
    }

    /**
     * Records a run that is to be made again.
     *
     * @throws IllegalStateException if too many were made again
     */
    void recordAgain(String test, int attempts, Disturbance disturbance) throws IOException {
        List<String> runs = append(test, attempts, "again", disturbance);
        long again = runs.stream().filter(run -> run.contains(",again,")).count();
        long allowed = Math.max(LEAST_ALLOWED, runs.size() / RUNS_PER_REPETITION);
        if (again > allowed) {
            throw new IllegalStateException(again + " of " + runs.size()
                    + " live runs of this build were disturbed by the machine, at most " + allowed
                    + " may be made again; see " + file);
        }
    }

    /** Returns the lines of all runs of the build. */
    private synchronized List<String> append(String test, int attempts, String what, Disturbance disturbance)
            throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assert lock.isValid();
            if (Files.readString(file).lines().findFirst().filter(build::equals).isEmpty()) {
                channel.truncate(0);
                write(channel, build);
            }
            write(channel, test.replace(',', ' ') + ',' + attempts + ',' + what + ',' + disturbance);
            return Files.readString(file).lines().skip(1).toList();
        }
    }

    private static void write(FileChannel channel, String line) throws IOException {
        channel.position(channel.size());
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + '\n');
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
