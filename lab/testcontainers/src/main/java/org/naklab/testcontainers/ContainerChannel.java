package org.naklab.testcontainers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.LabException;
import org.naklab.lab.replica.process.ControlCommand;
import org.naklab.lab.replica.process.ProcessEvent;

/** The pipes to a container's process: commands go in as lines, events come out as JSON lines. */
final class ContainerChannel implements AutoCloseable {
    private final CommandStream commands = new CommandStream();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final List<ProcessEvent> events = new ArrayList<>();
    private final ResultCallback.Adapter<Frame> attachment = new ResultCallback.Adapter<>() {
        @Override
        public void onNext(Frame frame) {
            if (frame.getStreamType() == StreamType.STDOUT) {
                accept(frame.getPayload());
            }
        }

        @Override
        public void onComplete() {
            super.onComplete();
            end();
        }
    };
    private boolean hasEnded;

    private ContainerChannel() {}

    /** To a container that has been created and not started, so that nothing it says is missed. */
    static ContainerChannel attach(DockerClient engine, String container, String process) {
        ContainerChannel link = new ContainerChannel();
        ResultCallback.Adapter<Frame> unused = engine.attachContainerCmd(container)
                .withStdIn(link.commands)
                .withStdOut(true)
                .withStdErr(true)
                .withFollowStream(true)
                .exec(link.attachment);
        try {
            link.attachment.awaitStarted(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while attaching to " + process, e);
        }
        return link;
    }

    void command(ControlCommand command) {
        commands.add(command.word());
    }

    /** Says what the process expects before any command. */
    void firstLine(String line) {
        commands.add(line);
    }

    /** How many events there have been. */
    synchronized int count() {
        return events.size();
    }

    /** All events of a kind from the one with that number on. */
    synchronized <E extends ProcessEvent> List<E> since(int first, Class<E> kind) {
        return events.subList(first, events.size()).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** The newest event of a kind. */
    synchronized <E extends ProcessEvent> Optional<E> latest(Class<E> kind) {
        List<E> all = since(0, kind);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /** Waits for an event of that kind with that number or a later one; empty when none comes or the process ends. */
    synchronized <E extends ProcessEvent> Optional<E> await(int first, Class<E> kind, Duration timeout) {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        int next = first;
        try {
            for (; ; ) {
                for (; next < events.size(); next++) {
                    if (kind.isInstance(events.get(next))) {
                        return Optional.of(kind.cast(events.get(next)));
                    }
                }
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (hasEnded || leftMs <= 0) {
                    return Optional.empty();
                }
                wait(leftMs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void accept(byte[] bytes) {
        for (byte next : bytes) {
            if (next == '\n') {
                accept(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(next);
            }
        }
    }

    private synchronized void accept(String text) {
        events.add(ProcessEvent.parse(text));
        notifyAll();
    }

    private synchronized void end() {
        hasEnded = true;
        notifyAll();
    }

    /** The process's input ends, and what it says is heard no longer. */
    @Override
    public void close() {
        commands.close();
        try {
            attachment.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
