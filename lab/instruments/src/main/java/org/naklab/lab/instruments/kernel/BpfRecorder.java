package org.naklab.lab.instruments.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Records with the BPF program in a process of its own. The process ends when its standard input does, so it does not outlive this
 * JVM, however that ends.
 */
final class BpfRecorder implements KernelRecorder.Backend {
    /** An error of the program, however slow the machine is: it answers, or it ends. */
    private static final long STUCK_S = 300;

    private final Process process;
    private final Writer commands;
    private final RecordStream stream;
    private final Thread reader = new Thread(this::read, "kernel-recorder");
    private volatile String whyKilled = "";
    private boolean closed;

    private BpfRecorder(Process process, RecordStream stream) {
        this.process = process;
        this.stream = stream;
        commands = process.outputWriter(StandardCharsets.US_ASCII);
    }

    /**
     * Starts recording; returns when the programs are attached.
     *
     * @throws DetectException it is not available; the message says why and what to do
     */
    static BpfRecorder start(RecorderSettings settings, KernelRecordListener listener) {
        return start(
                settings, new RecordStream(settings.deferred(), new PlaceResolver()::resolve, line -> {}, listener));
    }

    /** Starts recording into a stream; returns when the programs are attached. @throws DetectException as the other one */
    static BpfRecorder start(RecorderSettings settings, RecordStream stream) {
        List<String> arguments = new ArrayList<>(List.of(
                "--absence-us",
                Long.toString(settings.absenceUs()),
                "--fault-us",
                Long.toString(settings.faultUs()),
                "--stack-pages",
                Integer.toString(settings.stackPages()),
                "--port",
                Integer.toString(settings.port()),
                "--interrupt-us",
                Long.toString(settings.interruptUs()),
                "--sample-us",
                Long.toString(settings.sampling().periodUs()),
                "--sample-user",
                settings.sampling().ofUser() ? "1" : "0",
                "--deliveries",
                settings.deliveries() ? "1" : "0",
                "--defer",
                settings.deferred() ? "1" : "0"));
        settings.threads().forEach(name -> arguments.addAll(List.of("--thread", name)));
        Process process = BpfProgram.start(arguments);
        BpfRecorder recorder = new BpfRecorder(process, stream);
        recorder.reader.setDaemon(true);
        recorder.reader.start();
        try {
            recorder.await(stream.ready());
            return recorder;
        } catch (DetectException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    @Override
    public boolean add(long pid) {
        CompletableFuture<RecordParser.Added> answer = stream.expect(pid);
        command("add " + pid);
        if (process.isAlive() || answer.isDone()) {
            return await(answer).threads() > 0;
        }
        throw new DetectException("the kernel recorder has ended");
    }

    @Override
    public void remove(long pid) {
        command("remove " + pid);
    }

    /** Ends the recording. A program that does not end in time is killed; the last record then says why the recording is incomplete. */
    @Override
    public void close() {
        close(STUCK_S);
    }

    @Override
    public void closeWithin(long timeoutS) {
        close(timeoutS);
    }

    /** @param timeoutS how long the program may take to end, s */
    synchronized void close(long timeoutS) {
        if (closed) {
            return;
        }
        closed = true;
        try {
            commands.write("stop\n");
            commands.close();
        } catch (IOException hasEnded) {
            // Its end was delivered as a record.
        }
        try {
            if (!process.waitFor(timeoutS, TimeUnit.SECONDS)) {
                whyKilled = "the recorder's program did not end within " + timeoutS + " s";
                process.destroyForcibly();
            }
            reader.join(TimeUnit.SECONDS.toMillis(timeoutS));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the id of the program's process. */
    long pid() {
        return process.pid();
    }

    private synchronized void command(String line) {
        try {
            commands.write(line + '\n');
            commands.flush();
        } catch (IOException e) {
            throw new DetectException("the kernel recorder has ended: " + e.getMessage(), e);
        }
    }

    private <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(STUCK_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new DetectException(String.valueOf(cause.getMessage()), e);
        } catch (TimeoutException e) {
            throw new DetectException("the kernel recorder runs, but has not answered for " + STUCK_S + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while waiting for the kernel recorder", e);
        }
    }

    private void read() {
        String reason;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
            reason = stream.read(lines);
        } catch (IOException | UncheckedIOException | DetectException e) {
            reason = String.valueOf(e.getMessage());
            process.destroyForcibly();
        }
        stream.end(whyKilled.isEmpty() ? reason : whyKilled);
    }
}
