package org.naklab.lab.core.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Starts a child program that takes lines on its standard input, writes lines to its standard output, and ends when its input ends, so that
 * it cannot outlive this process. Standard error is left to the caller of {@link ProcessBuilder}.
 */
public final class LineProcess implements AutoCloseable {
    private static final long GRACE_MS = 10_000;
    private static final long TERM_MS = 2_000;
    /** The shell's, and Java's, exit code of a process that signal n ended is this plus n. */
    private static final int SIGNAL_BASE = 128;

    private final String name;
    private final Process process;
    private final Thread reader;

    /** Takes what a child writes, on a thread of that child's own. */
    public interface Listener {
        /** Takes a line without its end. */
        void onLine(String line);

        /** Takes note that the output cannot be read any further: it is broken, or {@link #onLine} has thrown this. A program that wrote such a line is killed. */
        void onBroken(Exception reason);

        /** Takes note that no line follows. Called once, as the last one. */
        void onEnd();
    }

    private LineProcess(String name, Process process, Listener listener) {
        this.name = name;
        this.process = process;
        reader = new Thread(() -> read(listener), name + "-lines");
        reader.setDaemon(true);
    }

    /**
     * Starts a child program.
     *
     * @param name for threads and messages
     * @throws UncheckedIOException if it cannot be started
     */
    public static LineProcess start(String name, ProcessBuilder builder, Listener listener) {
        try {
            LineProcess started = new LineProcess(name, builder.start(), listener);
            started.reader.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start process " + name + ": " + e.getMessage(), e);
        }
    }

    /** Returns the name that it was started with. */
    public String name() {
        return name;
    }

    /** Returns the process id as this machine numbers it. */
    public long pid() {
        return process.pid();
    }

    /** Returns true until the program has ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Sends a line.
     *
     * @return false if the program takes no more lines
     */
    public boolean send(String line) {
        OutputStream out = process.getOutputStream();
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Ends its input, which tells the program to end.
     *
     * @return false if it had stopped to take input before all of it was sent
     */
    public boolean endInput() {
        try {
            process.getOutputStream().close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the exit code; empty while the program runs or if a signal ended it. */
    public OptionalInt exitCode() {
        return process.isAlive() || process.exitValue() > SIGNAL_BASE
                ? OptionalInt.empty()
                : OptionalInt.of(process.exitValue());
    }

    /** Describes how the program ended, for a message. */
    public String endedHow() {
        if (process.isAlive()) {
            return "not at all";
        }
        int code = process.exitValue();
        return code > SIGNAL_BASE ? "killed by signal " + (code - SIGNAL_BASE) : "exit code " + code;
    }

    /** Ends its input and waits 10 s, then asks by SIGTERM and waits 2 s, then kills. No line follows when it returns. */
    @Override
    public void close() {
        boolean unused = endInput();
        if (!endsWithin(GRACE_MS)) {
            process.destroy();
            if (!endsWithin(TERM_MS)) {
                kill();
                endsWithin(TERM_MS);
            }
        }
        awaitReader(TERM_MS);
    }

    /** Kills the program. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Waits until the listener has seen all lines. An interrupt is kept for the caller. */
    public void awaitReader(long timeoutMs) {
        boolean interrupted = Thread.interrupted();
        try {
            reader.join(timeoutMs);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for its end. An interrupt is kept for the caller, but must not leave an orphan: it only shortens the wait. */
    public boolean endsWithin(long timeoutMs) {
        boolean interrupted = Thread.interrupted();
        try {
            return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            return !process.isAlive();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void read(Listener listener) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.onLine(line);
            }
        } catch (RuntimeException e) {
            kill();
            listener.onBroken(e);
        } catch (IOException e) {
            listener.onBroken(e);
        } finally {
            listener.onEnd();
        }
    }
}
