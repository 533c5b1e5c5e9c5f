package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.NativeLibraries;

/** A JVM that has loaded the lab's yield library, as the service of the mystery has, and yields on command. */
final class YieldingJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private YieldingJvm(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The child: answers each word with the same word. */
    public static void main(String[] arguments) throws IOException {
        try (NativeLibraries libraries = NativeLibraries.in(Path.of(arguments[0]))) {
            LazyYield lazyYield = LazyYield.load(libraries);
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            System.out.println("ready");
            for (String word = input.readLine(); word != null; word = input.readLine()) {
                if (word.equals("yield")) {
                    lazyYield.yieldOnce();
                }
                System.out.println(word);
            }
        }
    }

    static YieldingJvm start(Path libraries, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Path.of(System.getProperty("naklab.root"), "lab/src/main/dist/jvm.options"),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        YieldingJvm.class.getName(),
                        libraries.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        YieldingJvm started = new YieldingJvm(builder.start());
        assertThat(started.output.readLine()).isEqualTo("ready");
        return started;
    }

    long pid() {
        return process.pid();
    }

    void command(String word) throws IOException {
        process.getOutputStream().write((word + '\n').getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        assertThat(output.readLine()).isEqualTo(word);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
