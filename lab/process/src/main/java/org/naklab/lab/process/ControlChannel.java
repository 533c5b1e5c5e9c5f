package org.naklab.lab.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A child's side of the pipes to the lab: commands come in as lines, events go out as JSON lines. */
public final class ControlChannel {
    private static final Logger LOGGER = LoggerFactory.getLogger(ControlChannel.class);

    private final PrintStream out;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /**
     * Creates a channel; see {@link #ofProcess()} for that of a process.
     *
     * @param in commands, one per line
     * @param out takes the events, one JSON line each
     */
    public ControlChannel(InputStream in, PrintStream out) {
        this.out = out;
        Thread reader = new Thread(() -> readCommands(in), "lab-commands");
        reader.setDaemon(true);
        reader.start();
    }

    /** Takes over the process's streams: what libraries print goes to standard error, which is the log. */
    public static ControlChannel ofProcess() {
        PrintStream events = System.out;
        System.setOut(System.err);
        return new ControlChannel(System.in, events);
    }

    /** Waits at most that long for the next command; {@code null}: none came, or a line that is none. */
    public @Nullable ControlCommand poll(long timeoutMs) throws InterruptedException {
        ControlLine line = pollLine(timeoutMs);
        return line == null ? null : line.command();
    }

    /** Does the same, and returns what stands behind the command as well. */
    public @Nullable ControlLine pollLine(long timeoutMs) throws InterruptedException {
        String line = lines.poll(timeoutMs, TimeUnit.MILLISECONDS);
        return line == null ? null : ControlLine.of(line).orElse(null);
    }

    /** Waits for what the lab says before any command. */
    public String firstLine() throws InterruptedException {
        return lines.take();
    }

    /** Tells the lab. */
    public void report(ProcessEvent event) {
        String line = Json.line(event);
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }

    /** Ends the process as the end of standard input does. */
    public void requestEnd() {
        lines.add(ControlCommand.END.word());
    }

    private void readCommands(InputStream in) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            LOGGER.warn("standard input cannot be read; the process ends as if it had ended", e);
        } finally {
            lines.add(ControlCommand.END.word());
        }
    }
}
