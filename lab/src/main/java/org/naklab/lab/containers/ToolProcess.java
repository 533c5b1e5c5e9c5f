package org.naklab.lab.containers;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.LabException;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.ContainerSpec;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.process.Role;

/** A tool of the lab in a container of its own, that answers commands, and ends with the lab at the latest. */
public final class ToolProcess implements AutoCloseable {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long TICK_MS = 50;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final ChildProcess child;
    private final Path directory;
    private final BlockingQueue<ChildEvent> events;

    private ToolProcess(ChildProcess child, Path directory, BlockingQueue<ChildEvent> events) {
        this.child = child;
        this.directory = directory;
        this.events = events;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param options of {@code docker run}, beside those that every tool has
     * @param entry comes before the JVM in the container
     * @param config its first line of standard input
     * @throws LabException when it does not become ready
     */
    public static ToolProcess start(
            String name, Class<?> mainClass, Object config, List<String> options, List<String> entry) {
        List<String> all = new ArrayList<>(
                List.of("--rm", "--no-healthcheck", "--cap-drop", "ALL", "--label", ContainerSite.LABEL + "=tool"));
        all.addAll(options);
        String container = "naklab-" + name + '-' + ProcessHandle.current().pid() + '-' + NUMBERS.incrementAndGet();
        ProcessSpec spec = new ProcessSpec(
                name,
                Role.TOOL,
                mainClass,
                List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"),
                Map.of(),
                config,
                new ContainerSpec(container, Image.name(), all, entry, ""));
        BlockingQueue<ChildEvent> events = new LinkedBlockingQueue<>();
        Path directory = newDirectory();
        ToolProcess tool = new ToolProcess(
                ChildProcess.start(spec, directory, Installation.current(), events::add), directory, events);
        if (tool.await("ready") == null) {
            String how = tool.child.endedHow();
            tool.close();
            throw new LabException(name + " did not become ready: it ended by " + how);
        }
        return tool;
    }

    /** Its container's name. */
    public String container() {
        ContainerSpec container = child.container();
        return container == null ? "" : container.name();
    }

    public boolean isAlive() {
        return child.isAlive();
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @throws LabException when none comes
     */
    public JsonNode ask(String command, String answer) {
        child.command(command);
        ChildEvent event = await(answer);
        if (event == null) {
            throw new LabException(child.name() + " did not answer " + command + "; ended: " + child.endedHow());
        }
        return event.details();
    }

    private @Nullable ChildEvent await(String kind) {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        try {
            while (System.nanoTime() < deadlineNs) {
                ChildEvent event = events.poll(TICK_MS, TimeUnit.MILLISECONDS);
                if (event != null && event.event().equals(kind)) {
                    return event;
                }
                if (event == null && !child.isAlive()) {
                    return null;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    @Override
    public void close() {
        child.close();
        try {
            for (String file : List.of(child.name() + ".json", child.name() + ".log")) {
                Files.deleteIfExists(directory.resolve(file));
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newDirectory() {
        try {
            return Files.createTempDirectory("naklab-tool");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
