package org.naklab.lab.replica.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Secrets;

/**
 * The lab's handle on one process of the replica. It speaks JSON lines on its standard output, takes commands on its
 * standard input and ends when that closes, so it cannot outlive the lab; what it writes to standard error is its log.
 */
public final class ChildProcess implements AutoCloseable {
    private static final long GRACE_MS = 10_000;
    private static final long TERM_MS = 2_000;
    /** The shell's, and Java's, code of a process that signal n ended is this plus n. */
    private static final int SIGNAL_BASE = 128;

    private final ProcessSpec<?> spec;
    private final Path log;
    private final Process process;
    private final ProcessListener listener;
    private final Map<Class<? extends ProcessEvent>, ProcessEvent> latest = new HashMap<>();
    private final Thread reader;
    private boolean ended;

    private ChildProcess(ProcessSpec<?> spec, Path log, Process process, ProcessListener listener) {
        this.spec = spec;
        this.log = log;
        this.process = process;
        this.listener = listener;
        reader = new Thread(this::readEvents, spec.name() + "-events");
        reader.setDaemon(true);
    }

    /**
     * Starts the process; its configuration and log are kept in {@code directory}.
     *
     * @param listener called for each event, on a thread of this child's own
     */
    public static ChildProcess start(
            ProcessSpec<?> spec, Path directory, Installation installation, ProcessListener listener) {
        Path config = directory.resolve(spec.name() + ".json");
        Json.writePrivately(config, spec.config());
        ProcessBuilder builder = new ProcessBuilder(ChildCommand.of(spec, config, installation));
        // A flight recording holds all of a process's environment.
        Secrets.removeFrom(builder.environment());
        if (spec.container() == null) {
            builder.environment().putAll(spec.environment());
        }
        Path log = directory.resolve(spec.name() + ".log");
        builder.redirectError(log.toFile());
        try {
            ChildProcess child = new ChildProcess(spec, log, builder.start(), listener);
            child.reader.start();
            if (spec.container() != null) {
                child.send(Json.line(spec.config()));
            }
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start process " + spec.name() + ": " + e.getMessage(), e);
        }
    }

    public String name() {
        return spec.name();
    }

    /** Returns its role in the replica. */
    public Role role() {
        return spec.role();
    }

    /** Where it runs; {@code null}: on this machine itself. */
    public @Nullable ContainerSpec container() {
        return spec.container();
    }

    /** As this machine numbers it; of a process in a container, that of the engine's client. */
    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends one command. A child that has ended takes none, which its missing events tell. */
    public void command(ControlCommand command) {
        send(command.word());
    }

    private void send(String line) {
        OutputStream out = process.getOutputStream();
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            listener.onEvent(name(), new ProcessEvent.Deaf(System.nanoTime()));
        }
    }

    /** The newest event of that kind. */
    public synchronized <E extends ProcessEvent> @Nullable E latest(Class<E> kind) {
        return kind.cast(latest.get(kind));
    }

    /** Waits for an event of that kind, or for the process's end. */
    public synchronized <E extends ProcessEvent> @Nullable E await(Class<E> kind, long timeoutNs)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeoutNs;
        while (!latest.containsKey(kind) && !ended) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                break;
            }
            wait(leftMs);
        }
        return latest(kind);
    }

    /** How it ended, for a message. */
    public String endedHow() {
        if (process.isAlive()) {
            return "not at all";
        }
        int code = process.exitValue();
        return code > SIGNAL_BASE ? "killed by signal " + (code - SIGNAL_BASE) : "exit code " + code + firstOfLog();
    }

    private String firstOfLog() {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> !line.isBlank())
                    .findFirst()
                    .map(line -> ": " + line)
                    .orElse("");
        } catch (IOException e) {
            return ", and its log cannot be read";
        }
    }

    /** Tells it to come to its end. */
    public void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            listener.onEvent(name(), new ProcessEvent.Deaf(System.nanoTime()));
        }
    }

    /** Ends its input and waits, then asks by SIGTERM, then kills; after it no event comes. */
    @Override
    public void close() {
        endInput();
        if (!endsWithin(GRACE_MS)) {
            process.destroy();
            if (!endsWithin(TERM_MS)) {
                process.destroyForcibly();
                endsWithin(TERM_MS);
            }
        }
        joinReader();
    }

    private void joinReader() {
        boolean interrupted = Thread.interrupted();
        try {
            reader.join(TERM_MS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** An interrupt is kept for the caller, but must not leave an orphan: it only shortens the wait. */
    private boolean endsWithin(long timeoutMs) {
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

    private void readEvents() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                accept(line);
            }
        } catch (IOException e) {
            listener.onEvent(name(), new ProcessEvent.Mute(System.nanoTime()));
        } finally {
            synchronized (this) {
                ended = true;
                notifyAll();
            }
            listener.onEnd(name());
        }
    }

    private void accept(String line) {
        ProcessEvent event = ProcessEvent.parse(line);
        synchronized (this) {
            latest.put(event.getClass(), event);
            notifyAll();
        }
        listener.onEvent(name(), event);
    }
}
