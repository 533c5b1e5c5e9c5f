package org.naklab.lab.instruments.linking;

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
import java.util.Map;
import java.util.Objects;
import org.naklab.lab.instruments.sampling.Installed;

/** A program in C, {@code yielder.c}, that yields on command. */
final class YielderProgram implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private YielderProgram(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** Compiles it; the file is the program. */
    static Path compile(Path directory, String name, String... flags) throws IOException, InterruptedException {
        Installed.assume("cc");
        Path source = directory.resolve("yielder.c");
        try (InputStream in = Objects.requireNonNull(YielderProgram.class.getResourceAsStream("yielder.c"))) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path program = directory.resolve(name);
        List<String> command = new ArrayList<>(List.of("cc", "-O2", "-o", program.toString(), source.toString()));
        command.addAll(Arrays.asList(flags));
        run(command.toArray(String[]::new));
        return program;
    }

    static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as(String.join(" ", command))
                .isZero();
    }

    static YielderProgram start(Path program, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.toString()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        YielderProgram started = new YielderProgram(builder.start());
        // The second time, nothing but the yield is left to be bound.
        started.awaitReady();
        started.command('n');
        return started;
    }

    long pid() {
        return process.pid();
    }

    /** Has it yield. */
    void yieldOnce() throws IOException {
        command('y');
    }

    private void command(char letter) throws IOException {
        process.getOutputStream().write(letter);
        process.getOutputStream().flush();
        awaitReady();
    }

    private void awaitReady() throws IOException {
        assertThat(output.readLine()).isEqualTo("ready");
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
