package org.naklab.lab.instruments.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.naklab.lab.core.process.LineProcess;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.sampling.ObserverProcesses;

/**
 * Records with the BPF program in a process of its own. The process ends when its standard input does, so it does not outlive this
 * JVM, however that ends.
 */
final class BpfRecorder implements KernelRecorder.Backend {
    /** An error of the program, however slow the machine is: it answers, or it ends. */
    private static final long STUCK_S = 300;

    private final LineProcess process;
    private final RecordStream stream;
    private boolean closed;

    private BpfRecorder(LineProcess process, RecordStream stream) {
        this.process = process;
        this.stream = stream;
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
                "--follow",
                settings.following() ? "1" : "0",
                "--defer",
                settings.deferred() ? "1" : "0"));
        settings.threads().forEach(name -> arguments.addAll(List.of("--thread", name)));
        LineProcess process =
                BpfProgram.start(arguments, builder -> LineProcess.start("kernel-recorder", builder, stream));
        ProcessHandle.of(process.pid()).ifPresent(ObserverProcesses::add);
        BpfRecorder recorder = new BpfRecorder(process, stream);
        try {
            recorder.await(stream.ready());
            return recorder;
        } catch (DetectException e) {
            process.kill();
            throw e;
        }
    }

    @Override
    public boolean add(long pid) {
        CompletableFuture<RecordParser.Added> answer = stream.expect(pid);
        command("add " + pid);
        return await(answer).threads() > 0;
    }

    @Override
    public void remove(long pid) {
        command("remove " + pid);
    }

    @Override
    public void watchPort(int port) {
        command("port " + port);
    }

    @Override
    public void tell() {
        command("tell");
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
        long timeoutMs = TimeUnit.SECONDS.toMillis(timeoutS);
        boolean unused = process.send("stop") && process.endInput();
        if (!process.endsWithin(timeoutMs)) {
            stream.giveUp(
                    Thread.currentThread().isInterrupted()
                            ? "interrupted while the recorder's program ended"
                            : "the recorder's program did not end within " + timeoutS + " s");
            process.kill();
        }
        process.awaitReader(timeoutMs);
    }

    /** Returns the id of the program's process. */
    long pid() {
        return process.pid();
    }

    private synchronized void command(String line) {
        if (!process.send(line)) {
            throw new DetectException("the kernel recorder has ended: " + process.endedHow());
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
}
