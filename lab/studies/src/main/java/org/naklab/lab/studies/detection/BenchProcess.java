package org.naklab.lab.studies.detection;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.naklab.lab.core.process.AskedProcess;

/** Starts Java processes of the bench that answer a line on their standard input with one on their output, and end with their input. */
final class BenchProcess {
    private BenchProcess() {}

    /** @param classPath besides the places of the class and of HdrHistogram */
    static AskedProcess start(List<String> classPath, Class<?> main, String... arguments) {
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
        return AskedProcess.start(
                main.getSimpleName(), new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
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
