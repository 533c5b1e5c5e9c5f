package org.naklab.lab.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.naklab.lab.process.Installation;

/** The bench's end of a {@link PipelineProcess}. */
final class PipelineChild implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;

    private PipelineChild(Process process) {
        this.process = process;
        out = process.inputReader(StandardCharsets.US_ASCII);
        in = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
    }

    static PipelineChild start(long seed, int events) throws IOException {
        List<String> command = Installation.current()
                .command(List.of(), PipelineProcess.class, List.of(Long.toString(seed), Integer.toString(events)));
        return new PipelineChild(new ProcessBuilder(command)
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
            throw new IllegalStateException("the pipeline's process ended early; see standard error");
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
