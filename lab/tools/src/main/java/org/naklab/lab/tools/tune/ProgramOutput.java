package org.naklab.lab.tools.tune;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.files.PrivateDirectory;
import org.naklab.lab.instruments.linux.Libc;

/**
 * Takes the lines that a program writes until it ends. What it started may hold its output open for longer: nobody waits for that. The output is a named pipe,
 * which a line ends that is written when the program has ended; a pipe keeps the order, so that all that the program wrote has been read before.
 */
final class ProgramOutput implements AutoCloseable {
    private static final int OWNER_ONLY = 0600;

    private final String end = "end-of-program-" + UUID.randomUUID();
    private final PrivateDirectory directory;
    private final RandomAccessFile pipe;
    private final Thread reader;
    private boolean isEnded;
    private @Nullable IOException failure;

    private ProgramOutput(PrivateDirectory directory, RandomAccessFile pipe, Consumer<String> listener) {
        this.directory = directory;
        this.pipe = pipe;
        reader = new Thread(() -> read(listener), "program-output");
        reader.setDaemon(true);
    }

    /**
     * Makes the output of a program that is to be started.
     *
     * @param listener takes each line without its end, on a thread of its own
     * @throws IOException there can be no named pipe
     */
    static ProgramOutput of(ProcessBuilder builder, Consumer<String> listener) throws IOException {
        PrivateDirectory directory =
                PrivateDirectory.create(Path.of(System.getProperty("java.io.tmpdir")), "naklab-tune-");
        try {
            Path path = directory.path().resolve("output");
            if (Libc.mkfifo(path.toString(), OWNER_ONLY) != 0) {
                throw new IOException("cannot make pipe " + path + ": " + Libc.lastError());
            }
            // Opened for both, it opens at once, and does not end when the program closes it.
            ProgramOutput output = new ProgramOutput(directory, new RandomAccessFile(path.toFile(), "rw"), listener);
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(path.toFile()));
            output.reader.start();
            return output;
        } catch (IOException e) {
            directory.close();
            throw e;
        }
    }

    private void read(Consumer<String> listener) {
        try {
            BufferedReader lines = new BufferedReader(
                    new InputStreamReader(new FileInputStream(pipe.getFD()), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null && !line.equals(end); line = lines.readLine()) {
                listener.accept(line);
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    /**
     * Waits until all that the program has written is read.
     *
     * @throws IOException it cannot be read
     */
    void awaitEnd() throws IOException, InterruptedException {
        end();
        reader.join();
        IOException broken = failure;
        if (broken != null) {
            throw broken;
        }
    }

    /** A last line without an end is ended; where there is none, a blank one follows. */
    private void end() throws IOException {
        if (!isEnded) {
            isEnded = true;
            pipe.write(("\n" + end + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Ends the reading, whatever the program does. */
    @Override
    public void close() throws IOException {
        try {
            end();
        } finally {
            pipe.close();
            directory.close();
        }
    }
}
