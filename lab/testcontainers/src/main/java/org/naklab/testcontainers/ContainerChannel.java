package org.naklab.testcontainers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ReceivedEvents;

/** The pipes to a container's process: commands go in as lines, events come out as JSON lines. */
final class ContainerChannel implements AutoCloseable {
    private final CommandStream commands = new CommandStream();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ReceivedEvents events = new ReceivedEvents();
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
            events.end();
        }
    };

    private ContainerChannel() {}

    /** Attaches to a container that was created and not yet started, so that no output is missed. */
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
            throw new IllegalStateException("interrupted while attaching to " + process, e);
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

    /** Returns the events that the process has reported. */
    ReceivedEvents events() {
        return events;
    }

    private void accept(byte[] bytes) {
        for (byte next : bytes) {
            if (next == '\n') {
                ProcessEvent unused = events.add(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(next);
            }
        }
    }

    /** Ends the input of the process; its output is no longer read. */
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
