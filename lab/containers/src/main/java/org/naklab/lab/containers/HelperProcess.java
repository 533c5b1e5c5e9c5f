package org.naklab.lab.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.ContainerSpec;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.process.Role;

/** A tool of the lab in a container of its own, that answers commands, and ends with the lab at the latest. */
public final class HelperProcess implements AutoCloseable {
    /** Longest wait for the process to become ready and for each answer, ns. */
    public static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Script of the guard: waits up to 15 s for the tool to end with its input and to remove what it created, then removes its
     * container.
     */
    private static final String REMOVE =
            "timeout -s KILL 15 docker wait \"$1\" >/dev/null 2>&1; undoing docker rm --force --volumes \"$1\"";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final ChildProcess child;
    private final Path directory;
    private final Undo undo;
    private final Guard.Promise deletion;

    private HelperProcess(ChildProcess child, Path directory, Undo undo, Guard.Promise deletion) {
        this.child = child;
        this.directory = directory;
        this.undo = undo;
        this.deletion = deletion;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param options of {@code docker run}, beside those that every tool has
     * @param entry comes before the JVM in the container
     * @param config its first line of standard input
     * @throws LabException when it does not become ready
     */
    public static HelperProcess start(
            String name, Class<?> mainClass, Object config, List<String> options, List<String> entry) {
        return start(name, mainClass, config, options, entry, List.of());
    }

    /**
     * Starts a tool with further arguments of the JVM, and waits until it is ready.
     *
     * @param jvmArguments beside those that every tool has
     * @throws LabException when it does not become ready
     */
    public static HelperProcess start(
            String name,
            Class<?> mainClass,
            Object config,
            List<String> options,
            List<String> entry,
            List<String> jvmArguments) {
        List<String> all = new ArrayList<>(List.of(
                "--rm", "--no-healthcheck", "--cap-drop", "ALL", "--label", ContainerEnvironment.LABEL + "=tool"));
        all.addAll(List.of("--label", EngineGuard.label()));
        all.addAll(options);
        String container = "naklab-" + name + '-' + ProcessHandle.current().pid() + '-' + NUMBERS.incrementAndGet();
        List<String> jvm = new ArrayList<>(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"));
        jvm.addAll(jvmArguments);
        ProcessSpec<Object> spec = new ProcessSpec<>(
                name,
                Role.TOOL,
                mainClass,
                jvm,
                Map.of(),
                config,
                new ContainerSpec(container, Image.name(), all, entry, ""));
        Path directory = newDirectory();
        Guard.Promise deletion = EngineGuard.guard().toDelete(directory);
        Undo undo = Undo.promise("remove the container " + container, REMOVE, List.of(container));
        ChildProcess child =
                undo.orUndo(() -> ChildProcess.start(spec, directory, Installation.current(), (tool, event) -> {}));
        HelperProcess tool = new HelperProcess(child, directory, undo, deletion);
        if (!tool.isReady()) {
            String how = tool.child.isAlive()
                    ? " within " + TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s"
                    : ": it ended by " + tool.child.endedHow();
            tool.close();
            throw new LabException(name + " did not become ready" + how);
        }
        return tool;
    }

    /** Returns the name of its container. */
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
    public <E extends ProcessEvent> E ask(ControlCommand command, Class<E> answer) {
        E event = null;
        try {
            event = child.ask(command, answer, TIMEOUT_NS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (event == null) {
            throw new LabException(
                    child.name() + " did not respond to " + command.word() + "; ended: " + child.endedHow());
        }
        return event;
    }

    private boolean isReady() {
        try {
            return child.await(ProcessEvent.Ready.class, TIMEOUT_NS) != null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        boolean unused = end();
    }

    /** Ends it, and tells whether it ended in order. One that did not may have left its work undone. */
    public boolean end() {
        child.close();
        boolean inOrder = child.endedInOrder();
        if (inOrder) {
            undo.kept();
        } else {
            undo.run();
        }
        try {
            for (String file : List.of(child.name() + ".json", child.name() + ".log")) {
                Files.deleteIfExists(directory.resolve(file));
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        deletion.kept();
        return inOrder;
    }

    private static Path newDirectory() {
        try {
            return Files.createTempDirectory("naklab-tool");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
