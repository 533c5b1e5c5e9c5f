package org.naklab.lab.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.naklab.lab.replica.process.Installation;

/** The bench's end of a process of its own, which is told by lines what to do and answers by lines. */
final class BenchChild implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;

    private BenchChild(Process process) {
        this.process = process;
        out = process.inputReader(StandardCharsets.US_ASCII);
        in = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
    }

    /**
     * Starts it.
     *
     * @param jvmOptions beside those that every process of the lab has
     */
    static BenchChild start(List<String> jvmOptions, Class<?> main, String... args) throws IOException {
        List<String> command = Installation.current().command(jvmOptions, main, List.of(args));
        return new BenchChild(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    long pid() {
        return process.pid();
    }

    void tell(String line) {
        in.println(line);
    }

    /** Waits for a line. */
    String answer() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IllegalStateException("a process of the bench ended early; see standard error");
        }
        return line;
    }

    /** Lets it clear up after itself. */
    @Override
    public void close() {
        in.close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
