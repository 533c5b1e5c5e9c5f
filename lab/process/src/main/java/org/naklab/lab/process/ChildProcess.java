package org.naklab.lab.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.core.process.LineProcess;

/**
 * The lab's handle on one process of the replica. It speaks JSON lines on its standard output, takes commands on its
 * standard input and ends when that closes, so it cannot outlive the lab; what it writes to standard error is its log.
 */
public final class ChildProcess implements AutoCloseable {
    private final ProcessSpec<?> spec;
    private final Path log;
    private final ProcessListener listener;
    private final ReceivedEvents events = new ReceivedEvents();
    private final LineProcess process;
    private final AtomicLong faultRequests = new AtomicLong();

    private ChildProcess(ProcessSpec<?> spec, Path log, ProcessBuilder builder, ProcessListener listener) {
        this.spec = spec;
        this.log = log;
        this.listener = listener;
        process = LineProcess.start(spec.name(), builder, new Receiver(spec.name(), events, listener));
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
        return start(spec, config.toString(), directory, installation, listener);
    }

    /** Starts the process as {@link #start} does, but no file has its configuration: it takes it from its standard input. */
    public static ChildProcess startSealed(
            ProcessSpec<?> spec, Path directory, Installation installation, ProcessListener listener) {
        return start(spec, ChildCommand.STANDARD_INPUT, directory, installation, listener);
    }

    private static ChildProcess start(
            ProcessSpec<?> spec, String config, Path directory, Installation installation, ProcessListener listener) {
        ProcessBuilder builder = new ProcessBuilder(ChildCommand.of(spec, config, installation));
        // A flight recording holds all of a process's environment.
        Secrets.removeFrom(builder.environment());
        if (spec.container() == null) {
            builder.environment().putAll(spec.environment());
        }
        Path log = directory.resolve(spec.name() + ".log");
        builder.redirectError(log.toFile());
        ChildProcess child = new ChildProcess(spec, log, builder, listener);
        if (spec.container() != null || config.equals(ChildCommand.STANDARD_INPUT)) {
            child.send(Json.line(spec.config()));
        }
        return child;
    }

    public String name() {
        return spec.name();
    }

    /** Returns its role in the replica. */
    public Role role() {
        return spec.role();
    }

    /** Returns the container that it runs in; {@code null}: it runs on this machine itself. */
    public @Nullable ContainerSpec container() {
        return spec.container();
    }

    /** Returns the pid on this machine; for a process in a container, that of the engine's client. */
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

    /** Lets the process connect its customers to servers. */
    public void connect(Map<String, ServedAt> servers) {
        send(ControlCommand.CONNECT.word() + " " + Json.line(servers));
    }

    private void send(String line) {
        if (!process.send(line)) {
            listener.onEvent(name(), new ProcessEvent.Deaf(System.nanoTime()));
        }
    }

    /** Returns the newest event of that kind; {@code null} if there is none. */
    public <E extends ProcessEvent> @Nullable E latest(Class<E> kind) {
        return events.latest(kind);
    }

    /** Waits for an event of that kind, or for the process's end; an earlier one counts. */
    public <E extends ProcessEvent> @Nullable E await(Class<E> kind, long timeoutNs) throws InterruptedException {
        return events.await(0, kind, timeoutNs);
    }

    /**
     * Sends a command and waits for an event that answers it, or for the process's end; an earlier one does not count.
     *
     * @param timeoutNs longest wait, ns
     */
    public <E extends ProcessEvent> @Nullable E ask(ControlCommand command, Class<E> answer, long timeoutNs)
            throws InterruptedException {
        int first = events.count();
        command(command);
        return events.await(first, answer, timeoutNs);
    }

    /**
     * Has the faults of the process obey a command. Only one thread may ask at a time; others wait.
     *
     * @param line a command of {@link org.naklab.faults.FaultCommands}
     * @param timeoutNs longest wait, ns
     * @return the answer; {@code null} if none comes in time or before the process ends
     */
    public @Nullable String askFaults(String line, long timeoutNs) throws InterruptedException {
        synchronized (faultRequests) {
            long request = faultRequests.incrementAndGet();
            long deadlineNs = System.nanoTime() + timeoutNs;
            int first = events.count();
            send(ControlCommand.FAULT.word() + " " + request + " " + line);
            ProcessEvent.FaultAnswered answer = events.await(first, ProcessEvent.FaultAnswered.class, timeoutNs);
            while (answer != null && answer.request() != request) {
                // It is that of a command for which nobody waits any more.
                first++;
                answer = events.await(first, ProcessEvent.FaultAnswered.class, deadlineNs - System.nanoTime());
            }
            return answer == null ? null : answer.answer();
        }
    }

    /** Describes how it ended, for a message. */
    public String endedHow() {
        return process.endedHow() + (process.exitCode().isPresent() ? firstOfLog() : "");
    }

    /** Returns true if the process has ended with exit code 0. */
    public boolean endedInOrder() {
        return process.exitCode().orElse(-1) == 0;
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
        if (!process.endInput()) {
            listener.onEvent(name(), new ProcessEvent.Deaf(System.nanoTime()));
        }
    }

    /** Ends its input and waits, then asks by SIGTERM, then kills; after it no event comes. */
    @Override
    public void close() {
        endInput();
        process.close();
    }

    /** Turns lines into events. */
    private record Receiver(String name, ReceivedEvents events, ProcessListener listener)
            implements LineProcess.Listener {
        @Override
        public void onLine(String line) {
            listener.onEvent(name, events.add(line));
        }

        @Override
        public void onBroken(Exception reason) {
            if (reason instanceof RuntimeException failure
                    && !(failure instanceof LabException || failure instanceof UncheckedIOException)) {
                // The lab itself failed, not the pipe.
                throw failure;
            }
            listener.onEvent(name, new ProcessEvent.Mute(System.nanoTime()));
        }

        @Override
        public void onEnd() {
            events.end();
            listener.onEnd(name);
        }
    }
}
