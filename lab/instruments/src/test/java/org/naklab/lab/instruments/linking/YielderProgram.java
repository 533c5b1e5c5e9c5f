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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.naklab.testing.host.Installed;

/** A program in C, {@code yielder.c}, that yields on command. */
public final class YielderProgram implements AutoCloseable {
    private static final int FUNCTIONS = 20_000;

    private final Process process;
    private final BufferedReader output;

    private YielderProgram(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** Compiles it; the file is the program. */
    public static Path compile(Path directory, String name, String... flags) throws IOException, InterruptedException {
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

    /**
     * Compiles a program that yields by a function of a library of its own, whose symbol tables fill many pages: {@code libfar.so} in the same directory.
     *
     * @param name of the program
     */
    public static Path compileFar(Path directory, String name) throws IOException, InterruptedException {
        Installed.assume("cc");
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < FUNCTIONS; i++) {
            String function = function(i);
            code.append(String.format(".globl %s%n.type %s, @function%n%s: ret%n", function, function, function));
        }
        code.append(".section .note.GNU-stack,\"\",@progbits\n");
        Path source = Files.writeString(directory.resolve("far.s"), code);
        Path library = directory.resolve("libfar.so");
        run("cc", "-shared", "-o", library.toString(), source.toString());
        return compile(
                directory,
                name,
                "-fplt",
                "-Wl,-z,lazy",
                "-Dsched_yield=" + function(FUNCTIONS / 2),
                "-Wl,-rpath," + directory,
                library.toString());
    }

    private static String function(int number) {
        return String.format(Locale.ROOT, "a_function_with_a_name_that_fills_many_pages_of_strings_%05d", number);
    }

    static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as(String.join(" ", command))
                .isZero();
    }

    public static YielderProgram start(Path program, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.toString()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        YielderProgram started = new YielderProgram(builder.start());
        // The second time, nothing but the yield is left to be bound.
        started.awaitReady();
        started.command('n');
        return started;
    }

    public long pid() {
        return process.pid();
    }

    /** Has it yield. */
    public void yieldOnce() throws IOException {
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
