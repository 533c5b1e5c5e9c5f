package org.naklab.lab.studies.detection;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.naklab.lab.process.LineProcess;

/** A Java process of the bench that answers a line on its standard input with one on its output, and ends with its input. */
final class BenchProcess implements AutoCloseable {
    private final LineProcess.Answers answers = new LineProcess.Answers();
    private final LineProcess process;

    private BenchProcess(String name, ProcessBuilder builder) {
        process = LineProcess.start(name, builder.redirectError(ProcessBuilder.Redirect.INHERIT), answers);
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
        return new BenchProcess(main.getSimpleName(), new ProcessBuilder(command));
    }

    long pid() {
        return process.pid();
    }

    void writeLine(String line) {
        boolean unused = process.send(line);
    }

    /** Waits for a line. */
    String readLine() {
        return answers.next();
    }

    @Override
    public void close() {
        process.close();
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
