package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.naklab.lab.core.timeline.Interval;

/** A foreign process, {@code victim.c}, that stands still on command and measures that by itself. */
final class Victim implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private Victim(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** Compiles it; the file is the program. */
    static Path compile(Path directory) throws IOException, InterruptedException {
        Path source = directory.resolve("victim.c");
        try (InputStream in = Objects.requireNonNull(Victim.class.getResourceAsStream("victim.c"))) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path program = directory.resolve("victim");
        Process compiler = new ProcessBuilder(
                        "cc", "-O2", "-pthread", "-Wl,-z,lazy", "-o", program.toString(), source.toString())
                .inheritIO()
                .start();
        assertThat(compiler.waitFor()).isZero();
        return program;
    }

    static Victim start(Path program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(Arrays.asList(arguments));
        Victim victim = new Victim(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        assertThat(victim.output.readLine()).isEqualTo("ready");
        return victim;
    }

    long pid() {
        return process.pid();
    }

    void go() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Returns the words of the next line. */
    List<String> line() throws IOException {
        String line = Objects.requireNonNull(output.readLine(), "the victim has ended");
        assertThat(line).doesNotStartWith("error ");
        return List.of(line.split(" ", -1));
    }

    /** Returns what it measured. */
    Interval span() throws IOException {
        List<String> words = line();
        assertThat(words.get(0)).isIn("span", "touch");
        return new Interval(Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
