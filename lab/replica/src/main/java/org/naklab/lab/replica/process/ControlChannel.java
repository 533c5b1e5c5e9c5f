package org.naklab.lab.replica.process;

import com.fasterxml.jackson.databind.node.ObjectNode;
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

/** A child's side of the pipes to the lab: commands come in as lines, events go out as JSON lines. */
public final class ControlChannel {
    static final String START = "start";
    /** The instruments look on, and traffic is about to flow. */
    static final String SETTLE = "settle";

    static final String STOP = "stop";
    public static final String CLOSE = "close";
    /** Standard input has ended: the lab is done with this process, or is no more. */
    public static final String END = "end";

    private final PrintStream out;
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();

    ControlChannel(InputStream in, PrintStream out) {
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

    /** Waits at most that long for the next command. */
    public @Nullable String poll(long timeoutMs) throws InterruptedException {
        return commands.poll(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Waits for what the lab says before any command. */
    public String firstLine() throws InterruptedException {
        return commands.take();
    }

    public void report(String event) {
        report(event, Json.object());
    }

    /**
     * Tells the lab.
     *
     * @param details a record or a tree
     */
    public void report(String event, Object details) {
        report(event, System.nanoTime(), details);
    }

    public void report(String event, long atNs, Object details) {
        ObjectNode line = Json.object().put("event", event).put("atNs", atNs);
        line.setAll(Json.tree(details, ObjectNode.class));
        synchronized (out) {
            out.println(Json.line(line));
            out.flush();
        }
    }

    /** As if standard input had ended. */
    void requestEnd() {
        commands.add(END);
    }

    private void readCommands(InputStream in) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                commands.add(line);
            }
        } catch (IOException e) {
            System.err.println("commands end: " + e.getMessage());
        } finally {
            commands.add(END);
        }
    }
}
