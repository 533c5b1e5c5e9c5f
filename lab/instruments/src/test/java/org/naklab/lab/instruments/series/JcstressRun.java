package org.naklab.lab.instruments.series;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/** Runs the jcstress tests of one class in JVMs of their own, for a bounded time, and reads what came of it. */
final class JcstressRun {
    private static final long TIMEOUT_MINUTES = 8;

    /** What every one of the forked JVMs gets: C2 only, which shuffles what it may, so that x86 hides less. */
    private static final String JVM_ARGUMENTS = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"
            + " -XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN";

    private JcstressRun() {}

    /**
     * Runs all tests that are nested in a class.
     *
     * @param directory where jcstress leaves its report and its log
     * @throws IOException the run did not end in time, or left no results; the message has the end of its log
     */
    static Collection<TestResult> of(Class<?> tests, Path directory) throws IOException, InterruptedException {
        Path log = directory.resolve("jcstress.log");
        Process process = new ProcessBuilder(command(tests, directory))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            throw new IOException("jcstress took more than " + TIMEOUT_MINUTES + " minutes" + endOf(log));
        }
        try (Stream<Path> files = Files.list(directory)) {
            Path results = files.filter(file -> file.getFileName().toString().startsWith("jcstress-results-"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("jcstress left no results" + endOf(log)));
            return read(results);
        }
    }

    private static List<String> command(Class<?> tests, Path directory) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "-t",
                tests.getName().replace(".", "\\."),
                "-r",
                directory.toString(),
                // One fork of each test, of all its code compiled alike.
                "-f",
                "1",
                "-sc",
                "false",
                "-iters",
                "3",
                "-time",
                "300",
                "-hs",
                "128",
                "-jvmArgs",
                JVM_ARGUMENTS);
    }

    private static Collection<TestResult> read(Path results) throws IOException {
        InProcessCollector collector = new InProcessCollector();
        DiskReadCollector reader = new DiskReadCollector(results.toString(), collector);
        try {
            reader.dump();
        } catch (ClassNotFoundException e) {
            throw new IOException("cannot read " + results, e);
        } finally {
            reader.close();
        }
        return collector.getTestResults();
    }

    private static String endOf(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return ":\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
        } catch (IOException e) {
            return "; cannot read " + log + ": " + e.getMessage();
        }
    }
}
