package org.naklab.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A program, in C or Python, that joins a group on loopback and reads it until it is told to stop. */
public final class StopReading implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private StopReading(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** Compiles it; the file is the program. */
    public static Path compile(Path directory) throws IOException {
        Path program = directory.resolve("stop-reading");
        Path source = copy("stop-reading.c", directory);
        Process compiler = new ProcessBuilder("cc", "-O1", "-o", program.toString(), source.toString())
                .inheritIO()
                .start();
        assertThat(compiler.onExit().join().exitValue()).isZero();
        return program;
    }

    /** Writes the same in Python, for {@code python3}; the file is the program. */
    public static Path script(Path directory) throws IOException {
        return copy("stop_reading.py", directory);
    }

    private static Path copy(String resource, Path directory) throws IOException {
        Path file = directory.resolve(resource);
        try (InputStream in = Objects.requireNonNull(StopReading.class.getResourceAsStream(resource), resource)) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    /** Starts it, by a command that ends in executing it, if any. */
    public static StopReading start(List<String> prefix, Path program, String group, int port) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(program.toString(), group, Integer.toString(port)));
        return new StopReading(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Returns whether it has joined. */
    public boolean isReady() throws IOException {
        return "ready".equals(output.readLine());
    }

    public long pid() {
        return process.pid();
    }

    public void stopReading() throws IOException {
        write("stop");
    }

    /** Returns when it has read all that had arrived. */
    public void echo() throws IOException {
        write("echo");
        assertThat(output.readLine()).isEqualTo("echo");
    }

    private void write(String word) throws IOException {
        process.getOutputStream().write((word + '\n').getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
