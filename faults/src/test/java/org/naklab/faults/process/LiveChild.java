package org.naklab.faults.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.TargetProcess;

/** A child JVM that one talks to by lines, and that is gone when this is closed. */
public final class LiveChild implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    public LiveChild(Class<?> main, Map<String, String> environment, String... arguments) {
        try {
            process = ChildJvm.builder(main, environment, arguments)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        input = process.outputWriter(StandardCharsets.UTF_8);
    }

    public TargetProcess target() {
        return TargetProcess.of(process.pid());
    }

    public Process process() {
        return process;
    }

    public void send(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the next line that the child prints. */
    public String readLine() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError("the child ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String ask(String line) {
        send(line);
        return readLine();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the child does not end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
