package org.naklab.testcontainers;

import com.fasterxml.jackson.core.JsonProcessingException;
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
import java.util.function.Predicate;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.replica.process.ProcessEvent;

/** The pipes to a container's process: commands go in as lines, events come out as JSON lines. */
final class ContainerChannel implements AutoCloseable {
    private final String process;
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

    private ContainerChannel(String process) {
        this.process = process;
    }

    /** To a container that has been created and not started, so that nothing it says is missed. */
    static ContainerChannel attach(DockerClient engine, String container, String process) {
        ContainerChannel link = new ContainerChannel(process);
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

    void command(String command) {
        commands.add(command);
    }

    /** How many events there have been. */
    synchronized int count() {
        return events.size();
    }

    /** All events of a kind from the one with that number on. */
    synchronized List<ProcessEvent> since(int first, String kind) {
        return events.subList(first, events.size()).stream()
                .filter(event -> event.event().equals(kind))
                .toList();
    }

    /** The newest event of a kind. */
    synchronized Optional<ProcessEvent> latest(String kind) {
        List<ProcessEvent> all = since(0, kind);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /** Waits for an event of that kind with that number or a later one; empty when none comes or the process ends. */
    Optional<ProcessEvent> await(int first, String kind, Duration timeout) {
        return await(first, event -> event.event().equals(kind), timeout);
    }

    private synchronized Optional<ProcessEvent> await(int first, Predicate<ProcessEvent> wanted, Duration timeout) {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        int next = first;
        try {
            for (; ; ) {
                for (; next < events.size(); next++) {
                    if (wanted.test(events.get(next))) {
                        return Optional.of(events.get(next));
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
        try {
            events.add(ProcessEvent.of(process, Json.parse(text)));
        } catch (JsonProcessingException e) {
            events.add(new ProcessEvent(
                    process, "garbled", System.nanoTime(), Json.object().put("line", text)));
        }
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
