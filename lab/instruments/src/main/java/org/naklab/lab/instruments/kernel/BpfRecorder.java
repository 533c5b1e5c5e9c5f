package org.naklab.lab.instruments.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Records with the BPF program in a process of its own. The process ends when its standard input does, so it does not outlive this
 * JVM, however that ends.
 */
final class BpfRecorder implements KernelRecorder.Backend {
    private static final long TIMEOUT_S = 20;

    private final Process process;
    private final boolean deferred;
    /** Records whose places are resolved at the end; the reading thread's own. */
    private final List<KernelRecord> held = new ArrayList<>();

    private final Writer commands;
    private final KernelRecordListener listener;
    private final PlaceResolver resolver = new PlaceResolver();
    private final CompletableFuture<RecordParser.Ready> ready = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<RecordParser.Added>> added = new ConcurrentHashMap<>();
    private final Thread reader = new Thread(this::read, "kernel-recorder");
    private volatile String whyKilled = "";
    private boolean closed;

    private BpfRecorder(Process process, boolean deferred, KernelRecordListener listener) {
        this.deferred = deferred;
        this.process = process;
        this.listener = listener;
        commands = process.outputWriter(StandardCharsets.US_ASCII);
    }

    /**
     * Starts recording; returns when the programs are attached.
     *
     * @throws DetectException it is not available; the message says why and what to do
     */
    static BpfRecorder start(RecorderSettings settings, KernelRecordListener listener) {
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
        BpfRecorder recorder = new BpfRecorder(process, settings.deferred(), listener);
        recorder.reader.setDaemon(true);
        recorder.reader.start();
        try {
            recorder.await(recorder.ready);
            return recorder;
        } catch (DetectException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    @Override
    public boolean add(long pid) {
        CompletableFuture<RecordParser.Added> answer = new CompletableFuture<>();
        added.put(pid, answer);
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
        close(TIMEOUT_S);
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
            reader.join(TimeUnit.SECONDS.toMillis(TIMEOUT_S));
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
            return answer.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new DetectException(String.valueOf(cause.getMessage()), e);
        } catch (TimeoutException e) {
            throw new DetectException("the kernel recorder does not answer within " + TIMEOUT_S + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DetectException("interrupted while waiting for the kernel recorder", e);
        }
    }

    private void read() {
        String reason = "the recorder's program ended by itself";
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Object message = RecordParser.parse(line);
                if (message instanceof RecordParser.End) {
                    reason = "";
                } else if (message instanceof RecordParser.Unavailable unavailable) {
                    reason = "no BPF recorder: " + unavailable.reason();
                } else {
                    deliver(message);
                }
            }
        } catch (IOException | UncheckedIOException | DetectException e) {
            reason = String.valueOf(e.getMessage());
            process.destroyForcibly();
        }
        end(whyKilled.isEmpty() ? reason : whyKilled);
    }

    private void deliver(Object message) {
        if (message instanceof RecordParser.Ready begun) {
            ready.complete(begun);
        } else if (message instanceof RecordParser.Added answer) {
            CompletableFuture<RecordParser.Added> asked = added.remove(answer.pid());
            if (asked != null) {
                asked.complete(answer);
            }
        } else {
            KernelRecord kernelRecord = (KernelRecord) message;
            if (deferred && (kernelRecord instanceof PageFaultSpan || kernelRecord instanceof Absence)) {
                held.add(kernelRecord);
            } else {
                listener.onRecord(resolver.resolve(kernelRecord));
            }
        }
    }

    private void end(String reason) {
        boolean hadBegun = ready.isDone();
        DetectException ended = new DetectException(reason.isEmpty() ? "the kernel recorder was stopped" : reason);
        ready.completeExceptionally(ended);
        added.values().forEach(answer -> answer.completeExceptionally(ended));
        held.sort(Comparator.comparingLong(KernelRecord::timeNs));
        held.forEach(kernelRecord -> listener.onRecord(resolver.resolve(kernelRecord)));
        held.clear();
        if (hadBegun) {
            listener.onRecord(new RecorderEnd(System.nanoTime(), reason));
        }
    }
}
