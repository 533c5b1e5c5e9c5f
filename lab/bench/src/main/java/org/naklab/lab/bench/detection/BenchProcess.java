package org.naklab.lab.bench.detection;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.naklab.lab.core.timeline.DetectException;

/** A Java process of the bench that answers a line on its standard input with one on its output, and ends with its input. */
final class BenchProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private BenchProcess(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** @param classPath besides the places of this class and of HdrHistogram */
    static BenchProcess start(List<String> classPath, Class<?> main, String... arguments) {
        List<String> places = new ArrayList<>(
                List.of(place(main).toString(), place(Histogram.class).toString()));
        places.addAll(classPath);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                String.join(":", places),
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            return new BenchProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    void writeLine(String line) {
        try {
            process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String readLine() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new DetectException("a process of the bench ended early; see standard error");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static Path place(Class<?> main) {
        try {
            return Path.of(
                    main.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
