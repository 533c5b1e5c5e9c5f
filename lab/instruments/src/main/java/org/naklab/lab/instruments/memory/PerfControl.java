package org.naklab.lab.instruments.memory;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.instruments.linux.Libc;

/**
 * A pair of named pipes by which {@code perf record} is told to begin and answers that it has. Its file is no sign: it is written before
 * the counter counts.
 */
final class PerfControl implements AutoCloseable {
    private static final byte[] ENABLE = "enable\n".getBytes(StandardCharsets.US_ASCII);
    private static final long POLL_MS = 10;
    private static final int OWNER_ONLY = 0600;

    private final Path commands;
    private final Path answers;

    /** Opened for both directions, so that neither opening waits for perf. */
    private final RandomAccessFile commandPipe;

    private final RandomAccessFile answerPipe;

    PerfControl(Path directory, String name) throws IOException {
        commands = make(directory.resolve(name + ".ctl"));
        answers = make(directory.resolve(name + ".ack"));
        commandPipe = new RandomAccessFile(commands.toFile(), "rw");
        answerPipe = new RandomAccessFile(answers.toFile(), "rw");
    }

    /** Returns the argument of {@code --control}. */
    String option() {
        return "fifo:" + commands + ',' + answers;
    }

    /** Tells perf to begin; false when it ends, or does not answer in time. */
    boolean enable(Process perf, long timeoutMs) throws IOException, InterruptedException {
        commandPipe.write(ENABLE);
        FileInputStream answer = new FileInputStream(answerPipe.getFD());
        for (long waitedMs = 0; waitedMs < timeoutMs && perf.isAlive(); waitedMs += POLL_MS) {
            if (answer.available() > 0) {
                return true;
            }
            perf.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        commandPipe.close();
        answerPipe.close();
        Files.deleteIfExists(commands);
        Files.deleteIfExists(answers);
    }

    private static Path make(Path pipe) throws IOException {
        Files.deleteIfExists(pipe);
        if (Libc.mkfifo(pipe.toString(), OWNER_ONLY) != 0) {
            throw new IOException("cannot make pipe " + pipe + ": " + Libc.lastError());
        }
        return pipe;
    }
}
